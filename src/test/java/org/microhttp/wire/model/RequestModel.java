package org.microhttp.wire.model;

import static org.microhttp.wire.model.RandomText.*;

import java.util.*;
import org.microhttp.Header;

/**
 * A legal request, as a handler must see it. {@link #random} makes one, {@link RequestRenderer} writes it
 * in one of the ways that the grammar allows.
 */
public record RequestModel(String method, String target, String version, List<Header> fields, String body,
                           boolean chunked, boolean persistent) {

    private enum BodyFraming { NONE, LENGTH, CHUNKED }

    /** Fields that say something to the parser, in lower case; a random name must not be one by accident. */
    static final Set<String> SPECIAL =
            Set.of("host", "connection", "expect", "content-type", "content-length", "transfer-encoding");

    public Parsed parsed() {
        return Parsed.of(method, target, version, fields, body, persistent);
    }

    /** Whether the client waits for a 100 before it sends the body. */
    public boolean awaitsContinue() {
        boolean body = chunked || !this.body.isEmpty();
        boolean expected = fields.stream().anyMatch(field -> field.name().equalsIgnoreCase("Expect"));
        return body && expected && !version.equals("HTTP/1.0");
    }

    static RequestModel random(SplittableRandom random) {
        String method = randomMethod(random);
        String version = chance(random, 70) ? "HTTP/1.1" : "HTTP/1." + random.nextInt(10);
        boolean http10 = version.equals("HTTP/1.0");
        var fields = new ArrayList<Header>();
        BodyFraming framing = randomFraming(random, method, http10);
        String body = framing == BodyFraming.NONE || method.equals("TRACE") ? "" : randomBody(random);
        switch (framing) {
            case NONE -> { }
            case LENGTH -> fields.add(field(random, "Content-Length", randomLength(random, body.length())));
            case CHUNKED -> fields.add(field(random, "Transfer-Encoding", anyCase(random, "chunked")));
        }
        if (!http10 || chance(random, 50)) {
            fields.add(field(random, "Host", RandomText.authority(random)));
        }
        boolean persistent = addConnection(random, fields, http10);
        addOthers(random, fields, http10);
        shuffle(random, fields);
        return new RequestModel(method, RandomText.target(random, method), version, List.copyOf(fields), body,
                framing == BodyFraming.CHUNKED, persistent);
    }

    private static String randomMethod(SplittableRandom random) {
        String method = switch (random.nextInt(8)) {
            case 0, 1, 2 -> pick(random, "GET", "POST", "HEAD", "PUT");
            case 3 -> pick(random, "DELETE", "OPTIONS", "PATCH", "TRACE");
            case 4 -> pick(random, "get", "Connect", "GETS", "HEA", "QUERY", "TRACES", "OPTION", "PRI");
            case 5 -> "OPTIONS";
            default -> RandomText.token(random);
        };
        return method.equals("CONNECT") ? "CONNECTS" : method;
    }

    private static BodyFraming randomFraming(SplittableRandom random, String method, boolean http10) {
        int choice = random.nextInt(10);
        if (choice < 3) {
            return BodyFraming.NONE;
        }
        return choice < 6 || http10 || method.equals("TRACE") ? BodyFraming.LENGTH : BodyFraming.CHUNKED;
    }

    private static String randomBody(SplittableRandom random) {
        return switch (random.nextInt(12)) {
            case 0, 1 -> "";
            case 2 -> pick(random, "\r\n", "0\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "5\r\nhello\r\n");
            case 3 -> RandomText.bytes(random, random.nextInt(600));
            case 4 -> RandomText.bytes(random, 1 << random.nextInt(12));
            default -> RandomText.bytes(random, random.nextInt(30));
        };
    }

    /** 1 to 18 digits, zeros in front included. */
    private static String randomLength(SplittableRandom random, int length) {
        String digits = Integer.toString(length);
        int zeros = chance(random, 70) ? 0 : random.nextInt(18 - digits.length() + 1);
        return "0".repeat(chance(random, 5) ? 18 - digits.length() : zeros) + digits;
    }

    /**
     * Adds Connection fields, and says whether the connection persists: "close" wins, 1.0 has to be asked.
     */
    private static boolean addConnection(SplittableRandom random, List<Header> fields, boolean http10) {
        boolean close = false;
        boolean keepAlive = false;
        for (int count = Math.max(0, random.nextInt(6) - 3); count > 0; count--) {
            var value = new StringBuilder();
            for (int options = random.nextInt(4); options >= 0; options--) {
                String option = pick(random, "close", "keep-alive", "keep-alive", "upgrade", "TE", "", "",
                        "closed", "xclose", "keepalive", "keep-alives", "close.q-1", "'close'", "clos");
                close |= option.equals("close");
                keepAlive |= option.equals("keep-alive");
                value.append(anyCase(random, option));
                value.append(options > 0 ? space(random) + "," + space(random) : "");
            }
            fields.add(field(random, "Connection", value.toString().strip()));
        }
        return !close && (keepAlive || !http10);
    }

    private static void addOthers(SplittableRandom random, List<Header> fields, boolean http10) {
        if (chance(random, 20)) {
            fields.add(field(random, "Content-Type", RandomText.fieldValue(random)));
        }
        if (chance(random, 5)) {
            fields.add(field(random, "Expect", anyCase(random, "100-continue")));
        }
        if (chance(random, 20) && http10) {
            fields.add(field(random, "Expect", RandomText.fieldValue(random)));
        }
        int count = chance(random, 2) ? 60 : random.nextInt(5);
        for (int i = 0; i < count; i++) {
            fields.add(new Header(randomName(random), RandomText.fieldValue(random)));
        }
    }

    /** Names that differ from a special one by a character are the most telling. */
    private static String randomName(SplittableRandom random) {
        String name = chance(random, 60) ? RandomText.token(random) : anyCase(random, pick(random, "Accept",
                "Cookie", "X-Host", "Hosts", "Hos", "Content-Lengths", "Content_Length", "Content-Lengt",
                "Transfer_Encoding",
                "Content-Typo", "Connectiom", "Expec", "Age", "Date", "Trailer", "TE", "Upgrade", "ETag"));
        return SPECIAL.contains(name.toLowerCase(java.util.Locale.ROOT)) ? "X" + name : name;
    }

    private static Header field(SplittableRandom random, String name, String value) {
        return new Header(anyCase(random, name), value);
    }

    private static void shuffle(SplittableRandom random, List<Header> fields) {
        for (int i = fields.size() - 1; i > 0; i--) {
            fields.set(i, fields.set(random.nextInt(i + 1), fields.get(i)));
        }
    }

    /** One to four requests, as they may be pipelined. */
    public static List<RequestModel> pipeline(SplittableRandom random) {
        var models = new ArrayList<RequestModel>();
        for (int count = Math.max(1, random.nextInt(6) - 1); count > 0; count--) {
            models.add(random(random));
        }
        return models;
    }
}
