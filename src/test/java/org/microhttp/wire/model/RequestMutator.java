package org.microhttp.wire.model;

import static org.microhttp.wire.model.RandomText.*;

import java.util.SplittableRandom;

/**
 * Small damage to requests as text: to single bytes, to spans, to lines, and with lines that attackers
 * send.
 */
public final class RequestMutator {

    private static final String TELLING =
            "\r\n\t \0:;,=\"\\/*[]%@?#+-0129aAfFgG\u007F\u0080\u0085\u00A0\u00FF";
    private static final String AUTHORITY = "[]]::::.%@/019afAFgvz-";

    private static final String[] LINES = {"", " ", " folded", "\tfolded", ":", ": value", "name",
        "name value", "name : value", "name\t: value", "na me: value", "n\u00E4me: value", "name:\u0085",
        "name: a\0b", "name: \u007F", "name: a\rb", "name: a\nb", "HOST: y", "Host:", "Host: a, b",
        "Host: a@b", "Host: a b", "Host: a:65536", "Host: a:65535", "Host: a:100000000000000000080",
        "Host: a:8a", "Host: a:8:0", "Host: [::1", "Host: [::1]x", "Host: [v1.a]", "Host: [V1.a]",
        "Host: [v1.]", "Host: [v.a]", "Host: [v1.%41]",
        "Host: [::1%25eth0]",
        "Host: :80", "Host: a%4g", "Host: a/", "Content-Length: 0", "content-length: 5",
        "Content-Length: +5", "Content-Length: -0", "Content-Length: 5,5", "Content-Length: 0x5",
        "Content-Length: 5 5", "Content-Length:", "Content-Length: 999999999999999999",
        "Content-Length: 5;", "Content-Length: 0000000000000000005", "Content-Length: 000000000000000005",
        "Content-Length: 9223372036854775808", "Content-Length: 4294967301", "Content-Length: \u00B2",
        "Content-Length : 5", "Transfer-Encoding: chunked", "transfer-encoding: CHUNKED",
        "Transfer-Encoding: gzip", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: chunked,chunked", "Transfer-Encoding: chunked,", "Transfer-Encoding: ,chunked",
        "Transfer-Encoding: gzip;a=b, chunked", "Transfer-Encoding: gzip;a=\",chunked\"",
        "Transfer-Encoding: gzip; a = \"b,\\\"c\",chunked", "Transfer-Encoding: gzip;a,chunked",
        "Connection: close;q", "Connection: \"close\"", "Connection: close ,, te",
        "Transfer-Encoding:", "Transfer-Encoding: identity", "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunke", "Transfer-Encoding: chunked;a=b", "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: chunked\u00A0", "Transfer-Encoding : chunked", "Content-Type: a/b",
        "content-type: c/d", "Expect: 100-continue", "Expect: 100-Continue, ,", "Expect: 200-ok",
        "Expect: 100-continue, x", "Expect:", "Expect: 100-continue;q=1", "Connection: close",
        "Connection: a, CLOSE ,b", "Connection: keep-alive", "Connection: keep-alive,close",
        "Connection: closes", "Connection: c lose", "Connection: ,\t,Keep-Alive\t", "GET / HTTP/1.1", "0",
        "name: " + "v".repeat(300)};

    private static final String[] METHODS = {"CONNECT", "TRACE", "HEAD", "OPTIONS", "GET", "get", "",
        "G\u00C9T", "G,T"};

    private static final String[] TARGETS = {"*", "/", "", "a", "//", "http://", "http:///a", "http://a@b/",
        "http://a?b", "http://a#b@c", "http:/a", "1http://a", "://a", "a:80", "a:", "[::1]:80", "[::1]",
        "a:65536", "a:65535", ":80", "http://a:65536/", "HTTP://A:65535", "http://a:b", "h-t+t.p://a/",
        "http://[::1]:1/", "http://[::1]a/", "http://a[/", "/\u00E9", "/\u007F", "/ a", "/\ta", "http",
        "http:", "http://%41%4", "mailto:a@b", "*a"};

    private static final String[] VERSIONS = {"HTTP/1.1", "HTTP/1.0", "HTTP/1.9", "HTTP/2.0", "HTTP/0.9",
        "HTTP/3.1", "http/1.1", "HTTP/1", "HTTP/1.", "HTTP/1.10", "HTTP/11", "HTTP/1,1", "HTTP/a.1",
        "HTTP/1.a", "HTTPS/1.1", "HTTP/1.1 ", " HTTP/1.1", "HTTP/1.1\t", "", "HTTP 1.1", "HTTP/:.1",
        "HTTP/1.:", "HTTQ/1.1", "HTTP/1./"};

    private static final String[] CHUNK_LINES = {"", "0", "00", "5", "1", "-1", "+5", " 5", "5 ", "5\t",
        "0x5", "g", "5g", "5;", "5;;a", "5; a", "5 ;a", "5;a ", "5;a=", "5;a=b", "5;a =\tb", "5;a=\"",
        "5;a=\"b\"", "5;a=\"b\"c", "5;a=\"b\\\"", "5;a=\"b\\\"\"", "5;a=\"\u0080\"", "5;a=\u0080", "5;a b",
        "5;a=b c", "5;=b", "5,a", "5;a=\"b\" ", "ffffffff", "7fffffff", "80000000", "100000000",
        "100000005", "fffffffffffffffb", "10000000000000005", "5;a=\"b\0\"", "5;a=\"b\rc\"", "5;a=\"b\nc\"",
        "5\0", "\u00B5", "5.", "5;a=\"b;c=\\\\\";d", "0;a=\"\\"};

    private final SplittableRandom random;
    private final StringBuilder text;

    private RequestMutator(SplittableRandom random, String text) {
        this.random = random;
        this.text = new StringBuilder(text);
    }

    /** One change, seldom more. */
    public static String mutate(SplittableRandom random, String text) {
        var mutator = new RequestMutator(random, text);
        for (int count = Math.max(1, random.nextInt(5) - 1); count > 0 && mutator.text.length() > 0; ) {
            mutator.change();
            count--;
        }
        return mutator.text.toString();
    }

    private void change() {
        switch (random.nextInt(10)) {
            case 0, 1 -> changeByte(random.nextInt(text.length()));
            case 2 -> changeSpan();
            case 3 -> changeLineEnd();
            case 4 -> replaceFirstLine();
            case 5, 6 -> changeLine();
            case 7 -> changeHost();
            case 8 -> changeChunk();
            default -> truncate();
        }
    }

    private void changeByte(int at) {
        char c = text.charAt(at);
        switch (random.nextInt(6)) {
            case 0 -> text.setCharAt(at, (char) (c ^ 1 << random.nextInt(8)));
            case 1 -> text.setCharAt(at, (char) random.nextInt(256));
            case 2 -> text.setCharAt(at, telling());
            case 3 -> text.insert(at, telling());
            case 4 -> text.deleteCharAt(at);
            default -> text.setCharAt(at, Character.isLetter(c) && c < 128 ? (char) (c ^ ' ') : telling());
        }
    }

    private char telling() {
        return TELLING.charAt(random.nextInt(TELLING.length()));
    }

    private void changeSpan() {
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + 1 + random.nextInt(40));
        String span = text.substring(from, to);
        switch (random.nextInt(3)) {
            case 0 -> text.delete(from, to);
            case 1 -> text.insert(random.nextInt(text.length() + 1), span);
            default -> {
                text.delete(from, to);
                text.insert(random.nextInt(text.length() + 1), span);
            }
        }
    }

    private void changeLineEnd() {
        int at = lineEnd();
        if (at >= 0) {
            String end = pick(random,
                    "\n", "\r", "", "\r\n\r\n", "\r\r\n", "\r\n\n", "\n\r", " \r\n", "\r\n ", "\t\r\n");
            text.replace(at, at + 2, end);
        }
    }

    /** Where some line ends, more often an early one; -1 if there is none. */
    private int lineEnd() {
        int from = random.nextInt(text.length());
        int at = text.indexOf("\r\n", chance(random, 30) ? from / 4 : from);
        return at < 0 ? text.indexOf("\r\n") : at;
    }

    private void replaceFirstLine() {
        String[] parts = {pick(random, "GET", "POST", METHODS[random.nextInt(METHODS.length)]),
            TARGETS[random.nextInt(TARGETS.length)], chance(random, 50) ? "HTTP/1.1" : "HTTP/1.0"};
        if (chance(random, 40)) {
            parts[1] = pick(random, "/",
                    "http://" + of(random, AUTHORITY, 0, 8), of(random, AUTHORITY, 1, 8));
        }
        if (chance(random, 40)) {
            parts[2] = VERSIONS[random.nextInt(VERSIONS.length)];
        }
        String line = parts[0] + separator() + parts[1] + separator() + parts[2];
        text.replace(0, Math.max(0, text.indexOf("\r\n")), line);
    }

    private String separator() {
        return chance(random, 95) ? " " : pick(random, "  ", "\t", "", "\u00A0");
    }

    private void changeLine() {
        int at = lineEnd();
        if (at < 0) {
            return;
        }
        int next = text.indexOf("\r\n", at + 2);
        String line = LINES[random.nextInt(LINES.length)];
        if (chance(random, 10)) {
            line = anyCase(random, forbiddenTrailer()) + ": 1";
        }
        if (next >= 0 && random.nextBoolean()) {
            text.replace(at + 2, next, line);
        } else {
            text.insert(at + 2, line + "\r\n");
        }
    }

    private void changeHost() {
        int at = text.toString().toLowerCase(java.util.Locale.ROOT).indexOf("\r\nhost:");
        int end = text.indexOf("\r\n", at + 2);
        if (at < 0 || end < 0) {
            return;
        }
        String host = of(random, AUTHORITY, 0, 12);
        String value = chance(random, 50) ? "[" + of(random, "::::::.10fg", 0, 30) + "]" : host;
        text.replace(at + 7, end, chance(random, 30) ? text.substring(at + 7, end) + ":" + value : value);
    }

    /** Puts a chunked request in front, whose size line or chunk end is odd. */
    private void changeChunk() {
        String line = CHUNK_LINES[random.nextInt(CHUNK_LINES.length)];
        if (chance(random, 10)) {
            int length = ReferenceParser.MAX_CHUNK_LINE - 8 + random.nextInt(12);
            line = "5;" + "x".repeat(length);
        }
        String end = chance(random, 90) ? "\r\n"
                : pick(random, "", "\n", "\r", "\rx", "x\r\n", "\r\n\r\n", "\n\r");
        String name = chance(random, 30) ? "ETag" : forbiddenTrailer();
        String odd = chance(random, 50) ? anyCase(random, name) + ": 1" : LINES[random.nextInt(LINES.length)];
        String trailer = chance(random, 50) ? "" : odd + "\r\n";
        String head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        text.insert(0, head + line + "\r\nhello" + end + "0\r\n" + trailer + "\r\n");
    }

    private String forbiddenTrailer() {
        return pick(random, ReferenceParser.FORBIDDEN_TRAILERS.toArray(String[]::new));
    }

    private void truncate() {
        text.setLength(random.nextInt(text.length()));
    }
}
