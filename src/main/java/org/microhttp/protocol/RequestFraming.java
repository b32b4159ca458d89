package org.microhttp.protocol;

import static org.microhttp.protocol.Refusal.*;
import static org.microhttp.protocol.Syntax.*;

import java.util.*;

/**
 * How one request is framed (RFC 9110 §6.1): where its body ends (RFC 9112 §6.3), whether its connection may
 * persist, whether its client waits for a 100. {@link #add} keeps what each field of the header section
 * means; {@link #complete} judges all fields together. The class also checks Host, refuses a second Host or
 * Content-Type, because servers differ in which one they use, and knows which fields must not be trailers.
 */
final class RequestFraming {

    /**
     * Fields that must not be trailers: about framing, routing, conditions, caching, or how to read the body
     * (RFC 9110 §6.5.1). Not a Set.of, whose search time depends on a random number of each JVM.
     */
    private static final Set<String> NO_TRAILERS = new HashSet<>(List.of(("te,age,date,host,vary,range,expect"
            + ",pragma,expires,trailer,upgrade,warning,location,forwarded,keep-alive,retry-after,max-forwards"
            + ",cache-control,transfer-encoding,content-type,content-range,content-length,content-encoding"
            + ",content-language,content-location").split(",")));

    /** The length of the body that Content-Length declares; 0 without one. */
    long bodyLength;

    /** Whether the last coding is chunked. */
    boolean chunked;

    /** Whether Transfer-Encoding has a coding, a coding that is not chunked, a coding after chunked. */
    private boolean coded, unknownCoding, codingAfterChunked;
    private boolean host, contentType, contentLength;

    /** Whether Connection has "close" and "keep-alive"; whether Expect has anything but 100-continue. */
    private boolean close, keepAlive, expectsOther;

    /**
     * Whether the client may be waiting for a 100 before it sends a body; final once the section is complete.
     */
    boolean expectsContinue;

    /** Says whether a field of a name, case-insensitive, must not be a trailer. */
    static boolean isForbiddenTrailer(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return NO_TRAILERS.contains(lower) || lower.startsWith("if-") || lower.startsWith("x-forwarded-")
                || lower.endsWith("connection") || lower.endsWith("cookie")
                || lower.endsWith("authorization") || lower.endsWith("authenticate");
    }

    /** Adds a field. Its name ends at the colon, its value at the end of the line. */
    void add(byte[] bytes, int from, int colon, int lineEnd) {
        // the names that matter; the length alone excludes most fields
        String name = switch (colon - from) {
            case 4 -> "host";
            case 6 -> "expect";
            case 10 -> "connection";
            case 12 -> "content-type";
            case 14 -> "content-length";
            case 17 -> "transfer-encoding";
            default -> null;
        };
        if (name == null || !matches(bytes, from, colon, name, ANY_CASE)) return;
        int value = endOf(SPACE, bytes, colon + 1, lineEnd);
        int end = trimmedEnd(bytes, value, lineEnd);
        switch (name) {
            case "host" -> addHost(bytes, value, end);
            case "expect" -> addExpect(new ListReader(bytes, value, end));
            case "connection" -> addConnection(new ListReader(bytes, value, end));
            case "content-type" -> {
                REPEATED_CONTENT_TYPE.refuseIf(contentType);
                contentType = true;
            }
            case "content-length" -> addContentLength(bytes, value, end);
            default -> addTransferEncoding(new ListReader(bytes, value, end));
        }
    }

    private void addHost(byte[] bytes, int from, int to) {
        REPEATED_HOST.refuseIf(host);
        host = RequestTarget.isAuthority(bytes, from, to);
        if (!host) COMMA_IN_AUTHORITY.refuseIf(text(bytes, from, to).contains(","));
        BAD_HOST.refuseUnless(host);
    }

    /** Connection = #connection-option, connection-option = token (RFC 9110 §7.6.1) */
    private void addConnection(ListReader options) {
        while (options.next()) {
            BAD_CONNECTION.refuseUnless(options.isAtElementEnd());
            close |= options.isToken("close");
            keepAlive |= options.isToken("keep-alive");
        }
    }

    /** Expect = #expectation; none but 100-continue can be met, so others are not parsed. */
    private void addExpect(ListReader expectations) {
        while (expectations.next() && !expectsOther) {
            expectsContinue = expectations.isAtElementEnd() && expectations.isToken("100-continue");
            expectsOther = !expectsContinue;
        }
    }

    /** Content-Length = 1*DIGIT (RFC 9110 §8.6), here at most 18. */
    void addContentLength(byte[] bytes, int from, int to) {
        REPEATED_CONTENT_LENGTH.refuseIf(contentLength);
        contentLength = true;
        BAD_CONTENT_LENGTH.refuseUnless(to > from && to - from <= 18 && endOf(DIGIT, bytes, from, to) == to);
        bodyLength = number(bytes, from, to, 10);
    }

    /**
     * Transfer-Encoding = #transfer-coding, transfer-coding = token *( OWS ";" OWS transfer-parameter ) (RFC
     * 9110 §10.1.4). Empty elements are refused on purpose, although RFC 9110 §5.6.1.2 has a recipient
     * ignore them: they serve to smuggle requests.
     */
    void addTransferEncoding(ListReader codings) {
        coded = true;
        do {
            BAD_CODING.refuseUnless(codings.readToken());
            codingAfterChunked |= chunked;
            chunked = codings.isToken("chunked");
            unknownCoding |= !chunked;
            int parameters = codings.readParameters(true);
            BAD_CODING.refuseUnless(parameters >= 0 && codings.isAtElementEnd());
            CHUNKED_PARAMETER.refuseIf(chunked && parameters > 0);
        } while (codings.read(','));
    }

    /** chunk-size [ chunk-ext ] CRLF, chunk-size = 1*HEXDIG (RFC 9112 §7.1) */
    static long parseChunkSize(byte[] bytes, int from, int end) {
        int sizeEnd = endOf(HEXDIG, bytes, from, end);
        BAD_CHUNK_SIZE.refuseUnless(sizeEnd > from && "\r; \t".indexOf(bytes[sizeEnd]) >= 0);
        // chunk-ext = *( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] ) (RFC 9112 §7.1.1)
        var extensions = new ListReader(bytes, sizeEnd, end);
        BAD_CHUNK_EXTENSION.refuseUnless(extensions.readParameters(false) >= 0 && extensions.isAtEnd());
        return number(bytes, from, sizeEnd, 16);
    }

    /** Judges the section as a whole, and returns whether the connection may persist. */
    boolean complete(String method, boolean http10) {
        MISSING_HOST.refuseUnless(host || http10);
        LENGTH_AND_CODING.refuseIf(coded && contentLength);
        CODING_IN_HTTP_1_0.refuseIf(coded && http10);
        // the end of such a body is unknown
        CHUNKED_NOT_LAST.refuseIf(coded && !chunked || codingAfterChunked);
        UNKNOWN_CODING.refuseIf(unknownCoding);
        TRACE_WITH_BODY.refuseIf(hasBody() && method.equals("TRACE"));
        // HTTP/1.0 has no expectations, so they are ignored (RFC 9110 §10.1.1)
        UNKNOWN_EXPECTATION.refuseIf(expectsOther && !http10);
        expectsContinue &= hasBody() && !http10;
        // "close" wins; 1.1 persists, 1.0 only if asked (RFC 9112 §9.3)
        return !close && (keepAlive || !http10);
    }

    boolean hasBody() { return coded || bodyLength > 0; }
}
