package org.microhttp;

import static org.microhttp.Refusal.*;
import static org.microhttp.Syntax.*;

import java.util.*;

/**
 * What the header section of one request says to the server, above all where the body ends (RFC 9112 §6.3):
 * takes each field as it is read, and judges them together when the section is complete. Of a field nothing
 * is kept but what it says. Host and Content-Type must not be repeated, for different servers read that
 * differently. What may not stand in a trailer section is said here, too.
 */
final class HeaderSection {

    /**
     * Fields about framing, routing, authentication, or how to read the body (RFC 9110 §6.5.1). No Set.of:
     * how long that searches is drawn when the JVM starts.
     */
    private static final Set<String> NO_TRAILERS = new HashSet<>(List.of(("te,age,date,host,vary,range,expect"
            + ",pragma,expires,trailer,upgrade,warning,location,forwarded,keep-alive,retry-after,max-forwards"
            + ",cache-control,transfer-encoding,content-type,content-range,content-length,content-encoding"
            + ",content-language,content-location").split(",")));

    /** The length of the body that was declared; -1 when none was. */
    long declaredLength = -1;

    /** Whether the last coding is chunked. */
    boolean chunked;

    /** What Transfer-Encoding has: any coding, one that is not chunked, one behind chunked. */
    private boolean coded, unknownCoding, codingBehindChunked;
    private boolean host, contentType;

    /** What Connection and Expect ask for. */
    private boolean close, keepAlive, expectsOther;

    /** Whether, when the section is complete, the client may wait for an interim answer before the body. */
    boolean expectsContinue;

    /** Whether a field of that name, in any case, may stand in trailers: if so it is dropped. */
    static boolean isTrailer(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        // one character is in none of them; a flood of trailers has such names
        return lower.length() < 2 || !(NO_TRAILERS.contains(lower)
                || lower.startsWith("if-") || lower.startsWith("x-forwarded-")
                || lower.endsWith("connection") || lower.endsWith("cookie")
                || lower.endsWith("authorization") || lower.endsWith("authenticate"));
    }

    /** Takes one field: its name goes up to the colon, its value from there to the end of the line. */
    void add(byte[] bytes, int from, int colon, int lineEnd) {
        int length = colon - from;
        // the names that matter: most fields are passed over by the length alone
        String name = switch (length) {
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
        int end = lineEnd;
        while (end > value && SPACE[bytes[end - 1] & 0xFF]) {
            end--;
        }
        switch (length) {
            case 4 -> host(bytes, value, end);
            case 6 -> expect(new FieldList(bytes, value, end));
            case 10 -> connection(new FieldList(bytes, value, end));
            case 12 -> {
                REPEATED_CONTENT_TYPE.when(contentType);
                contentType = true;
            }
            case 14 -> contentLength(bytes, value, end);
            default -> transferEncoding(new FieldList(bytes, value, end));
        }
    }

    private void host(byte[] bytes, int from, int to) {
        REPEATED_HOST.when(host);
        host = RequestTarget.isAuthority(bytes, from, to);
        BAD_HOST.unless(host);
    }

    /** Connection = #connection-option, connection-option = token; empty elements may be (RFC 9110 §7.6.1) */
    private void connection(FieldList options) {
        while (options.next()) {
            BAD_CONNECTION.unless(options.readToken() && options.readElementEnd());
            close |= options.isToken("close");
            keepAlive |= options.isToken("keep-alive");
        }
    }

    /** Expect = #expectation; what is not 100-continue is not looked into, for it cannot be met. */
    private void expect(FieldList expectations) {
        while (expectations.next() && !expectsOther) {
            expectsContinue = expectations.readToken() && expectations.readElementEnd()
                    && expectations.isToken("100-continue");
            expectsOther = !expectsContinue;
        }
    }

    /** Content-Length = 1*DIGIT (RFC 9110 §8.6); 18 of them fit a long, and parseLong alone takes a sign. */
    void contentLength(byte[] bytes, int from, int to) {
        REPEATED_CONTENT_LENGTH.when(declaredLength >= 0);
        BAD_CONTENT_LENGTH.unless(to > from && to - from <= 18 && endOf(DIGIT, bytes, from, to) == to);
        declaredLength = Long.parseLong(text(bytes, from, to));
    }

    /**
     * Transfer-Encoding = #transfer-coding, transfer-coding = token *( OWS ";" OWS transfer-parameter ) (RFC
     * 9110 §10.1.4). Empty elements, which RFC 9110 §5.6.1.2 has a recipient ignore, are where smuggling
     * hides: refused, knowingly.
     */
    void transferEncoding(FieldList codings) {
        coded = true;
        do {
            BAD_CODING.unless(codings.readToken());
            codingBehindChunked |= chunked;
            chunked = codings.isToken("chunked");
            unknownCoding |= !chunked;
            BAD_CODING.unless(codings.readParameters() && codings.readElementEnd());
            CHUNKED_PARAMETER.when(chunked && codings.hadParameter());
        } while (codings.readComma());
    }

    /** Judges the section as a whole, and says whether the connection may persist. */
    boolean complete(String method, boolean http10) {
        MISSING_HOST.unless(host || http10);
        LENGTH_AND_CODING.when(coded && declaredLength >= 0);
        CODING_IN_HTTP_1_0.when(coded && http10);
        // nobody could say where such a body ends
        CHUNKED_NOT_LAST.when(coded && !chunked || codingBehindChunked);
        UNKNOWN_CODING.when(unknownCoding);
        TRACE_WITH_BODY.when(hasBody() && method.equals("TRACE"));
        // 1.0 knows no expectations: they are ignored (RFC 9110 §10.1.1)
        UNKNOWN_EXPECTATION.when(expectsOther && !http10);
        expectsContinue &= hasBody() && !http10;
        // "close" wins; 1.1 persists, 1.0 only if asked (RFC 9112 §9.3)
        return !close && (keepAlive || !http10);
    }

    boolean hasBody() { return coded || declaredLength > 0; }
}
