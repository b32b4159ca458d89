package org.microhttp.faults.tools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.microhttp.testing.RawClient;

/**
 * Generates what hostile clients send before they stop, from the grammar of a request (RFC 9112): each place
 * that may be long is filled with each thing that may be repeated there, then comes one of the ends.
 */
public final class HostilePrefixes {

    /** Less than a section may have, so that fields can follow. */
    private static final int LONG = 30_000;

    /** Fewer than a section may have. */
    private static final int MANY = 95;

    private static final String START = "POST / HTTP/1.1\r\n";
    private static final String HOST = "Host: x\r\n";
    private static final String LENGTH = "Content-Length: " + 2 * LONG + "\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
    private static final String PENDING = "GET /pending HTTP/1.1\r\nHost: x\r\n\r\n";

    /** Those that the library looks into, and one that it does not. */
    private static final List<String> FIELDS = List.of("Host", "Expect", "Connection", "Content-Type",
            "Content-Length", "Transfer-Encoding", "Cookie");

    /** What is repeated in a value. */
    private static final Map<String, String> FILLERS = map("short elements", "a,", "empty elements", ",",
            "known elements", "close,100-continue,chunked,", "quoted strings", "\"a\\,\",",
            "bytes above 127", "\u00E9, ", "white space", " \t", "one long element", "1");

    /** How the head goes on after a long place. */
    private static final Map<String, String> STOPS = map("inside", "", "at its CR", "\r", "at its end",
            "\r\n", "inside the next name", "\r\nA", "behind the next colon", "\r\nA:",
            "inside the next value", "\r\nA: a", "at the last CR", "\r\n\r");

    /** How a request goes on after its last field. */
    private static final Map<String, String> BODIES = map("without its body", LENGTH + "\r\n",
            "with a byte of its body", LENGTH + "\r\nb", "without its chunks", CHUNKED + "\r\n",
            "with a byte of a chunk", CHUNKED + "\r\n5\r\nb");

    /** What no request may go on with. */
    private static final String BROKEN = "\r\n\0";

    /** A place that may be long, filled; what must follow before a field can begin. */
    private record Place(String name, String text, String closing) { }

    private final List<HostilePrefix> all = new ArrayList<>();

    private HostilePrefixes() {
    }

    public static List<HostilePrefix> all() {
        var prefixes = new HostilePrefixes();
        prefixes.addCuts();
        prefixes.addHeads();
        prefixes.addBodies();
        prefixes.addEarly();
        prefixes.addUnread();
        return prefixes.all;
    }

    private static Map<String, String> map(String... keysAndValues) {
        var map = new LinkedHashMap<String, String>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    /** So often that it has about that length. */
    private static String fill(String text, int length) {
        return text.repeat(length / text.length());
    }

    private void add(String name, String text) {
        all.add(HostilePrefix.of(name, text));
    }

    /** A short request, cut at the ends of its tokens. */
    private void addCuts() {
        String request = "\r\n" + START + HOST + CHUNKED + "\r\n2;a=\"b\"\r\nbb\r\n0\r\nA: a\r\n\r\n";
        for (int i = 1; i < request.length(); i++) {
            boolean before = Character.isLetterOrDigit(request.charAt(i - 1));
            if (before != Character.isLetterOrDigit(request.charAt(i))) {
                add("short request, cut at " + i, request.substring(0, i));
            }
        }
    }

    private void addHeads() {
        for (Place place : places()) {
            String head = place.text + place.closing;
            String name = place.name;
            add(name + ", the next byte", head + "\r\nA");
            add(name + ", refused", head + BROKEN);
            add(name + ", without its body", head + "\r\n" + LENGTH + "\r\n");
        }
        for (Place place : List.of(places().get(0), places().get(1), value("Connection", "short elements"),
                value("Cookie", "white space"), many("Expect", "a"))) {
            STOPS.forEach((stop, text) -> add(place.name + ", " + stop,
                    place.text + (text.isEmpty() ? "" : place.closing) + text));
            BODIES.forEach((body, text) -> add(place.name + ", " + body,
                    place.text + place.closing + "\r\n" + text));
            all.add(HostilePrefix.of(place.name + ", at its end", place.text + place.closing + "\r\n")
                    .behind("pipelined", RawClient.GET));
        }
    }

    /** Every place of a head that may be long, and all that may be repeated in it. */
    private static List<Place> places() {
        var places = new ArrayList<Place>();
        places.add(new Place("long target", "POST /" + fill("t", LONG), " HTTP/1.1\r\nHost: x"));
        places.add(new Place("long method", fill("M", LONG), " / HTTP/1.1\r\nHost: x"));
        places.add(new Place("long absolute target", "POST http://x/" + fill("%41", LONG),
                " HTTP/1.1\r\nHost: x"));
        places.add(new Place("long version", START.strip() + fill("1", LONG), "\r\nHost: x"));
        places.add(new Place("long field name", START + HOST + fill("n", LONG), ": a"));
        for (String field : FIELDS) {
            for (String filler : FILLERS.keySet()) {
                places.add(value(field, filler));
            }
            places.add(many(field, ""));
            places.add(many(field, "a"));
            places.add(many(field, fill("a,", LONG / MANY)));
        }
        return places;
    }

    private static Place value(String field, String filler) {
        String host = field.equals("Host") ? "" : HOST;
        String value = fill(FILLERS.get(filler), LONG);
        return new Place(field + " of " + filler, START + host + field + ": " + value, "");
    }

    private static Place many(String field, String value) {
        String host = field.equals("Host") ? "" : HOST;
        String lines = (field + ":" + value + "\r\n").repeat(MANY);
        String name = MANY + " fields " + field + " with " + value.length() + " bytes each";
        return new Place(name, START + host + lines.substring(0, lines.length() - 2), "");
    }

    private void addBodies() {
        var parts = new LinkedHashMap<String, String>();
        for (int length : new int[] {0, 1, LONG, 2 * LONG - 1}) {
            parts.put("body, " + length + " bytes", START + HOST + LENGTH + "\r\n" + "b".repeat(length));
        }
        String chunked = START + HOST + CHUNKED + "\r\n";
        chunks().forEach((name, text) -> parts.put(name, chunked + text));
        parts.forEach((name, text) -> {
            add(name, text);
            all.add(HostilePrefix.of(name, text).behind("pipelined", RawClient.GET));
            if (text.startsWith(chunked)) {
                add(name + ", refused", text + BROKEN);
            }
            for (String target : List.of("/all", "/one", "/none")) {
                String received = text.replace("POST / ", "POST " + target + " ");
                add(name + ", received by " + target, received);
                add(name + ", received by " + target + ", refused", received + BROKEN);
            }
            int head = text.indexOf("\r\n\r\n") + 2;
            String expecting = text.substring(0, head) + "Expect: 100-continue\r\n\r\n";
            all.add(new HostilePrefix(name + ", expecting 100",
                    List.of(expecting, text.substring(head + 2)), 0, 0));
        });
    }

    private static Map<String, String> chunks() {
        var parts = map("inside a chunk size", fill("0", 1_000), "long chunk extension",
                "1;" + fill("a", 1_000), "quoted chunk extension", "1;a=\"" + fill("\\a", 1_000),
                "at a chunk's end", "1\r\nb", "at the CR of a chunk's end", "1\r\nb\r",
                "inside a chunk", "ffff\r\n" + fill("b", LONG), "chunks of a byte",
                fill("1\r\nb\r\n", LONG), "chunks with long extensions",
                ("1;" + fill("a", 1_000) + "\r\nb\r\n").repeat(LONG / 1_000), "chunks of 1,000 bytes",
                ("3e8\r\n" + fill("b", 1_000) + "\r\n").repeat(LONG / 1_000));
        String trailers = "5\r\nbbbbb\r\n0\r\n";
        FILLERS.forEach((name, filler) -> parts.put("trailer of " + name,
                trailers + "A: " + fill(filler, LONG)));
        parts.put("long trailer name", trailers + fill("n", LONG));
        parts.put("many empty trailers", trailers + "A:\r\n".repeat(MANY));
        parts.put("many trailers, at the last CR", trailers + "A:a\r\n".repeat(MANY) + "\r");
        return parts;
    }

    /** What comes while the answer is awaited, up to one read buffer and beyond. */
    private void addEarly() {
        var early = map("short requests", fill(RawClient.GET, LONG), "a byte", "G", "a long head",
                START + HOST + "Cookie: " + fill("a", LONG), "what fills a buffer", fill("\0", 65_536),
                "what fills two buffers", fill("G", 2 * 65_536), "almost a buffer", fill("G", 65_535));
        early.forEach((name, text) -> {
            all.add(HostilePrefix.of("early: " + name, text).behind("in one piece", PENDING));
            all.add(new HostilePrefix("early: " + name + ", later", List.of(PENDING, text, "a"), 0, 0));
        });
        add("long pending target", PENDING.replace("pending", "pending?" + fill("t", LONG)));
        add("long pending method", PENDING.replace("GET", fill("M", LONG)));
        add("long pending field", PENDING.replace("x", "x\r\nConnection: " + fill("a,", LONG)));
    }

    /** Answers that the client does not read; what is encoded in one go may be kept. */
    private void addUnread() {
        for (String target : List.of("/", "/medium", "/large")) {
            String request = RawClient.GET.replace("/ ", target + " ");
            var ends = map("and no more", "", "and some of another request", "GET /" + fill("t", 10_000),
                    "and one that is refused", BROKEN + fill("a", 10_000));
            ends.forEach((end, text) -> {
                for (int requests : new int[] {1, 20, 1_000}) {
                    String name = requests + " unread answers to " + target + " " + end;
                    var pieces = List.of(request.repeat(requests), text + "G");
                    all.add(new HostilePrefix(name, pieces, 64 * 1024, 4096));
                }
            });
        }
    }
}
