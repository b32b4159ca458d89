package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.*;
import org.microhttp.faults.tools.HostilePrefixes;
import org.microhttp.testing.ProxyHeaders;
import org.microhttp.work.CountedLibrary;

/**
 * How much work the parser may do, by kinds of input: each a check of a counted library, which may have a
 * fault, by its name. The steps allowed are some tenths above those that are done.
 */
final class WorkBounds {

    /** Twice the input may cost so much more; 2.2 times is promised. */
    private static final double TWICE = 2.1;

    /** Steps for each byte, and for each piece in which bytes come: a turn, of which a byte may be all. */
    private static final int EACH_BYTE = 25;
    private static final int EACH_PIECE = 50;

    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n";
    private static final String SIZED = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ";
    private static final String CHUNKED = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    static final int UNITS = 3_000;

    /** Inputs of so many units, all of which are taken. */
    static final Map<String, IntFunction<String>> SHAPES = new TreeMap<>(Map.of(
            "one long line", n -> GET + "X: " + "y".repeat(10 * n) + "\r\n\r\n",
            "a long target", n -> "GET /" + "a".repeat(10 * n) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            "many fields", n -> GET + "Name: value\r\n".repeat(n) + "\r\n",
            "a long body", n -> SIZED + 10 * n + "\r\n\r\n" + "b".repeat(10 * n),
            "many chunks", n -> CHUNKED + "3\r\nabc\r\n".repeat(n) + "0\r\n\r\n",
            "a long chunk", n -> CHUNKED + Integer.toHexString(10 * n) + "\r\n" + "b".repeat(10 * n)
                    + "\r\n0\r\n\r\n",
            "many extensions", n -> CHUNKED + "1;a=\"b c\"\r\na\r\n".repeat(n) + "0\r\n\r\n",
            "many trailers", n -> CHUNKED + "0\r\n" + "Name: value\r\n".repeat(n) + "\r\n",
            "many requests", n -> (GET + "\r\n").repeat(n),
            "an endless name", n -> GET + "N".repeat(10 * n)));

    /** Lists of so many units in one field or in many, and other places where one may go back. */
    private static final Map<String, IntFunction<String>> LISTS = new TreeMap<>(Map.of(
            "options", n -> GET + "Connection: " + "a,".repeat(5 * n) + "\r\n\r\n",
            "empty options", n -> GET + "Connection: " + ",".repeat(10 * n) + "\r\n\r\n",
            "an option among white space", n -> GET + "Connection: a" + " ".repeat(10 * n) + ",b\r\n\r\n",
            "fields of options", n -> GET + "Connection: a,b\r\n".repeat(n) + "\r\n",
            "expectations", n -> GET + "Expect: " + "100-continue,".repeat(n) + "\r\n\r\n",
            "codings", n -> GET + "Transfer-Encoding: " + "a,".repeat(5 * n) + "chunked\r\n\r\n",
            "fields of codings", n -> GET + "Transfer-Encoding: a\r\n".repeat(n) + "\r\n",
            "parameters", n -> GET + "Transfer-Encoding: a" + ";b=c".repeat(2 * n) + ",chunked\r\n\r\n",
            "a quoted string", n -> GET + "Transfer-Encoding: a;b=\"" + "\\\\,".repeat(3 * n) + "\"\r\n\r\n",
            "a long scheme", n -> "GET " + "a".repeat(10 * n) + ":/b HTTP/1.1\r\nHost: x\r\n\r\n"));

    /** Authorities of a rare form, which a regular expression would judge slowly. */
    private static final List<String> HOSTS = List.of("%41", "a:", "a:000001", "[::1]", "[::1.2.3.4]",
            "[1:2:3:4:5:6::]", "[1:2:3:4:5::1.2.3.4]", "[1:2:3:4:5:6:1.2.3.4]", "[v1.a]");

    /** Names that a trailer may have, some of which are nearly forbidden. */
    private static final List<String> TRAILERS = List.of("A", "aB", "Tf", "If", "Hosu", "Upgradf",
            "X-Forwarded", "Xconnectiom", "Content-Encodinh");

    private WorkBounds() {
    }

    /** Requests, and trailers, that are short and of a rare form. */
    private static Map<String, IntFunction<String>> forms() {
        var inputs = new LinkedHashMap<String, IntFunction<String>>();
        inputs.put("an escaped host", n -> GET.replace("x", "%41".repeat(3 * n)) + "\r\n");
        for (String host : HOSTS) {
            String request = GET.replace("x", host) + "\r\n";
            inputs.put("requests to " + host, request::repeat);
            inputs.put("targets of " + host, request.replace("/a", "a://" + host)::repeat);
        }
        for (String name : TRAILERS) {
            inputs.put("trailers " + name, n -> CHUNKED + "0\r\n" + (name + ":\r\n").repeat(n) + "\r\n");
        }
        return inputs;
    }

    /** Every check. */
    static Map<String, Consumer<CountedLibrary>> all() {
        var checks = new LinkedHashMap<String, Consumer<CountedLibrary>>();
        var inputs = new LinkedHashMap<>(SHAPES);
        inputs.putAll(LISTS);
        inputs.forEach((name, input) -> {
            for (int size : new int[] {1, 3, 1_000, Integer.MAX_VALUE}) {
                String pieces = size == Integer.MAX_VALUE ? "whole" : "in pieces of " + size;
                checks.put(name + ", " + pieces, library -> checkDoubled(library, input, size));
            }
        });
        forms().forEach((name, input) -> checks.put(name, library -> checkDoubled(library, input, 1_000)));
        HostilePrefixes.all().forEach(prefix -> checks.put("hostile: " + prefix.name(),
                library -> checkHostile(library, String.join("", prefix.pieces()))));
        for (String start : List.of("Host: ", "Content-Type: ", "Content-Length: ", "Transfer-Encoding: ",
                "Connection:,", "Expect:,")) {
            checks.put("a section takes " + start.strip(), library -> checkField(library, start));
        }
        proxyHeaders().forEach((name, header) ->
                checks.put("a proxy header: " + name, library -> checkProxyHeader(library, header)));
        checks.put("a line in a queue", WorkBounds::checkQueue);
        checks.put("early requests", WorkBounds::checkEarly);
        checks.put("a field is asked for", WorkBounds::checkAsking);
        return checks;
    }

    /** The longest of each kind, and those that a regular expression may go back in. */
    static Map<String, byte[]> proxyHeaders() {
        // each of a type and a length of 0
        byte[] values = new byte[65_535 - 12];
        byte[] sum = ProxyHeaders.value(ProxyHeaders.CHECKSUM, new byte[4]);
        byte[] rest = ProxyHeaders.value(4, new byte[65_535 - 12 - sum.length - 3]);
        return new TreeMap<>(Map.of("values", ProxyHeaders.binary(values),
                "a checksum", ProxyHeaders.withChecksumAt(31, ProxyHeaders.binary(sum, rest)),
                "no client", ProxyHeaders.binary(ProxyHeaders.LOCAL, 0, new byte[65_535]),
                "a line", bytes("PROXY UNKNOWN " + "x".repeat(91) + "\r\n"),
                "an endless line", bytes("PROXY UNKNOWN " + "x".repeat(1_000)),
                "colons", bytes("PROXY TCP6 " + ":".repeat(94) + "\r\n"),
                "groups", bytes("PROXY TCP6 " + "1:".repeat(47) + "\r\n"),
                "dots", bytes("PROXY TCP4 " + "1.".repeat(47) + "\r\n")));
    }

    private static ObjIntConsumer<byte[]> use(CountedLibrary library, String name) {
        Supplier<Map<String, ObjIntConsumer<byte[]>>> uses = library.twin(Workloads.class);
        return uses.get().get(name);
    }

    private static void checkProxyHeader(CountedLibrary library, byte[] header) {
        ObjIntConsumer<byte[]> parsing = use(library, "parsing a proxy header");
        for (int size : new int[] {1, 1_000, Workloads.BUFFER}) {
            long work = library.work(() -> parsing.accept(header, Math.min(size, header.length)));
            assertBounded(work, header.length, 1 + header.length / size);
        }
    }

    private static void checkDoubled(CountedLibrary library, IntFunction<String> input, int size) {
        ObjIntConsumer<byte[]> parsing = use(library, "parsing");
        byte[] once = bytes(input.apply(UNITS));
        byte[] twice = bytes(input.apply(2 * UNITS));
        long work = library.work(() -> parsing.accept(once, Math.min(size, once.length)));
        long more = library.work(() -> parsing.accept(twice, Math.min(size, twice.length)));
        assertTrue(work >= once.length, () -> "only " + work + " steps for " + once.length + " bytes");
        assertTrue(more <= TWICE * work, () -> more + " steps are over " + TWICE + " times " + work);
        assertBounded(work, once.length, 1 + once.length / size);
    }

    private static void checkHostile(CountedLibrary library, String text) {
        ObjIntConsumer<byte[]> parsing = use(library, "parsing within usual limits");
        byte[] bytes = bytes(text);
        for (int size : new int[] {1, Workloads.BUFFER}) {
            long work = library.work(() -> parsing.accept(bytes, Math.min(size, bytes.length)));
            assertBounded(work, bytes.length, 1 + bytes.length / size);
        }
    }

    private static void assertBounded(long work, int bytes, int pieces) {
        assertTrue(work <= (long) EACH_BYTE * bytes + (long) EACH_PIECE * pieces,
                () -> work + " steps for " + bytes + " bytes in " + pieces + " pieces");
    }

    /** A request after the other is taken, and what is behind it stays where it is. */
    private static void checkEarly(CountedLibrary library) {
        ObjIntConsumer<byte[]> parsing = use(library, "parsing early bytes");
        String get = "GET / HTTP/1.1\r\nHost:x\r\n\r\n";
        byte[] early = bytes(get.repeat(Workloads.BUFFER / get.length()));
        long work = library.work(() -> parsing.accept(early, 0));
        assertTrue(work <= 18L * early.length, () -> work + " steps for " + early.length + " bytes");
    }

    /** Long enough for a queue that grows by as much as the loop's buffer. */
    private static void checkQueue(CountedLibrary library) {
        ObjIntConsumer<byte[]> queuing = use(library, "queuing a line");
        int length = 2 << 20;
        long work = library.work(() -> queuing.accept(new byte[64], length));
        assertTrue(work >= length && work <= 4.5 * length, () -> work + " steps for " + length + " bytes");
    }

    /** White space or commas around a value: once for each. */
    private static void checkField(CountedLibrary library, String start) {
        ObjIntConsumer<byte[]> taking = use(library, "taking a field");
        String filler = start.substring(start.length() - 1).repeat(10_000);
        byte[] line = bytes(start + filler + "1" + filler);
        long work = library.work(() -> taking.accept(line, start.indexOf(':')));
        assertTrue(work >= 20_000 && work <= 1.2 * line.length, () -> work + " steps for " + line.length);
    }

    /** The first time the fields are taken apart, and not again. */
    private static void checkAsking(CountedLibrary library) {
        ObjIntConsumer<byte[]> asking = use(library, "asking for a field");
        byte[] request = bytes(GET + "Name: value\r\n".repeat(100) + "\r\n");
        long once = library.work(() -> asking.accept(request, 1));
        long more = library.work(() -> asking.accept(request, 2)) - once;
        assertTrue(more > 0 && more <= 2 * request.length, () -> more + " steps after " + once);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
