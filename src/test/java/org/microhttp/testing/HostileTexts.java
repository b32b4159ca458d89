package org.microhttp.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Every place at which a client chooses a text, filled with what could forge a line or break a reader. */
public enum HostileTexts {

    METHOD("@ / HTTP/1.1\r\nHost: x\r\n\r\n"),
    METHOD_PART("GE@T / HTTP/1.1\r\nHost: x\r\n\r\n"),
    TARGET("GET @ HTTP/1.1\r\nHost: x\r\n\r\n"),
    PATH("GET /a@b HTTP/1.1\r\nHost: x\r\n\r\n"),
    QUERY("GET /a?b=@&c HTTP/1.1\r\nHost: x\r\n\r\n"),
    AUTHORITY("GET http://a@b/c HTTP/1.1\r\nHost: x\r\n\r\n"),
    OPTIONS("OPTIONS *@ HTTP/1.1\r\nHost: x\r\n\r\n"),
    VERSION("GET / HTTP/1.1@\r\nHost: x\r\n\r\n"),
    NAME("GET / HTTP/1.1\r\nHost: x\r\nX@Y: z\r\n\r\n"),
    VALUE("GET / HTTP/1.1\r\nHost: x\r\nX: a@b\r\n\r\n"),
    REFERER("GET / HTTP/1.1\r\nHost: x\r\nReferer: @\r\nUser-Agent: @\r\n\r\n"),
    FORWARDED("GET / HTTP/1.1\r\nHost: x\r\nForwarded: for=\"@\"\r\nX-Forwarded-For: @, 1.2.3.4\r\n\r\n"),
    HOST("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"),
    CONNECTION("GET / HTTP/1.1\r\nHost: x\r\nConnection: @\r\nExpect: @\r\n\r\n"),
    LENGTH("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1@\r\n\r\n12"),
    CODING("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: @\r\n\r\n0\r\n\r\n"),
    CHUNK_SIZE("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1@\r\na\r\n0\r\n\r\n"),
    CHUNK_EXTENSION("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
            + "\r\n1;a=\"@\"\r\na\r\n0\r\n\r\n"),
    TRAILER_NAME("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX@Y: z\r\n\r\n"),
    TRAILER_VALUE("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: a@b\r\n\r\n"),
    BODY("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: #\r\n\r\n@");

    /** What stands where a log line would begin, if a text could begin one. */
    public static final String FORGED = "2026-01-01T00:00:00.000000000Z event=handler_error id=0";

    /** Characters of one byte each. */
    public static final List<String> TEXTS = List.of(
            "", "\r\n", "\n", "\r", "\0", "\t", "\u000b", "\u001b[2J", "\u007f", "\u0080", "\u0085",
            "\u009b2J", "\u00a0", "\u00ad", "\u00ff", "\u00e2\u0080\u00a8", "\u00ed\u00a0\u0080", "\"",
            "\\", "\\\"", "\\u000a", "\\x0a", "'", "`", "<!--", "${jndi:x}", "%s%n", "%0d%0a", "%00",
            "%ff", "%E2%80%A8", "%5c", "{}", " ", "\"} {\"event\":\"x", "\r\n" + FORGED, "\n" + FORGED,
            "\r" + FORGED, "\u0085" + FORGED, " " + FORGED, "x".repeat(3000), "x".repeat(20_000),
            "\"".repeat(3000), "\\".repeat(3000), "\u00ff".repeat(3000), "\u0085".repeat(3000),
            "%0a".repeat(3000), "/".repeat(3000));

    private final String message;

    HostileTexts(String message) {
        this.message = message;
    }

    /** This place with that text in it. */
    public byte[] with(String text) {
        return message.replace("@", text).replace("#", "" + text.length()).getBytes(ISO_8859_1);
    }

    /** All of them: each place with each text. */
    public static List<byte[]> all() {
        var all = new ArrayList<byte[]>();
        for (HostileTexts place : values()) {
            TEXTS.forEach(text -> all.add(place.with(text)));
        }
        return all;
    }

    /** Headers of the PROXY protocol, with the text wherever one has a text or could be taken to. */
    public static Stream<byte[]> proxyHeaders(String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        byte[] path = Arrays.copyOf(bytes, 216);
        return Stream.of(
                ProxyHeaders.bytes("PROXY TCP4 " + text + " 198.51.100.2 40001 80\r\n"),
                ProxyHeaders.bytes("PROXY TCP4 192.0.2.1 198.51.100.2 " + text + " 80\r\n"),
                ProxyHeaders.bytes("PROXY TCP6 2001:db8::1%" + text + " ::1 40001 80\r\n"),
                ProxyHeaders.bytes("PROXY UNKNOWN " + text + "\r\n"),
                ProxyHeaders.bytes("PROXY " + text + "\r\n"),
                ProxyHeaders.binary(ProxyHeaders.value(1, bytes), ProxyHeaders.value(2, bytes)),
                ProxyHeaders.binary(ProxyHeaders.value(0x20, bytes), ProxyHeaders.value(0xEE, bytes)),
                ProxyHeaders.binary(ProxyHeaders.PROXY, 0x31, path),
                ProxyHeaders.binary(ProxyHeaders.PROXY, 0x31, path, ProxyHeaders.value(2, bytes)));
    }
}
