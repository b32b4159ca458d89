package org.microhttp;

import static org.microhttp.HttpError.refuseIf;
import static org.microhttp.Syntax.equalsLower;

import java.util.List;

/**
 * What the fields of one request say about where its body ends and whether the connection persists (RFC 9112
 * §6.3, §9.3). Takes each field as it is read, and judges them together when the header section is complete.
 * Also judges the singletons Host and Content-Type, whose repetition is read differently by different
 * servers.
 */
final class Framing {

    /** What {@link #complete} decides; the length is -1 when none was declared. */
    boolean persistent, continueExpected, chunked;
    long length = -1;

    private boolean host, contentType, close, keepAlive, otherExpected, coded, chunkedNotLast, codingUnknown;

    /** Takes one field: name from {@code from} to the colon, value without surrounding white space. */
    void field(byte[] bytes, int from, int colon, int value, int end) throws HttpError {
        switch (colon - from) {
            case 4 -> { if (equalsLower(bytes, from, colon, "host")) host(bytes, value, end); }
            case 6 -> { if (equalsLower(bytes, from, colon, "expect")) expect(list(bytes, value, end)); }
            case 10 -> { if (equalsLower(bytes, from, colon, "connection")) connect(list(bytes, value, end)); }
            case 12 -> { if (equalsLower(bytes, from, colon, "content-type")) contentType(); }
            case 14 -> { if (equalsLower(bytes, from, colon, "content-length")) length(bytes, value, end); }
            case 17 -> { if (equalsLower(bytes, from, colon, "transfer-encoding")) code(list(bytes, value, end)); }
            default -> { }
        }
    }

    private static List<String> list(byte[] bytes, int from, int to) {
        return Syntax.list(Syntax.text(bytes, from, to));
    }

    private void host(byte[] bytes, int from, int to) throws HttpError {
        refuseIf(host, 400, "repeated_host: more than one Host field (RFC 9112 §3.2)");
        host = RequestTarget.isAuthority(bytes, from, to);
        refuseIf(!host, 400, "bad_host: the Host field is not host [ \":\" port ] (RFC 9110 §7.2)");
    }

    private void contentType() throws HttpError {
        refuseIf(contentType, 400, "repeated_content_type: more than one Content-Type field (RFC 9110 §8.3)");
        contentType = true;
    }

    private void expect(List<String> expectations) {
        for (String expectation : expectations) {
            if (expectation.equalsIgnoreCase("100-continue")) continueExpected = true;
            else otherExpected |= !expectation.isEmpty();
        }
    }

    private void connect(List<String> options) {
        close |= options.stream().anyMatch("close"::equalsIgnoreCase);
        keepAlive |= options.stream().anyMatch("keep-alive"::equalsIgnoreCase);
    }

    /**
     * Content-Length = 1*DIGIT (RFC 9110 §8.6); 18 of them fit a long. Long.parseLong alone would take a
     * sign.
     */
    private void length(byte[] bytes, int from, int to) throws HttpError {
        refuseIf(length >= 0, 400, "repeated_content_length: more than one Content-Length (RFC 9112 §6.3)");
        boolean valid = to > from && to - from <= 18 && Syntax.endOf(Syntax.DIGIT, bytes, from, to) == to;
        refuseIf(!valid, 400, "bad_content_length: not 1 to 18 digits (RFC 9110 §8.6)");
        length = Long.parseLong(Syntax.text(bytes, from, to));
    }

    /**
     * Empty elements, which RFC 9110 §5.6.1.2 lets a recipient ignore, are where smuggling hides: refused.
     */
    private void code(List<String> codings) throws HttpError {
        coded = true;
        for (String coding : codings) {
            boolean valid = !coding.isEmpty() && Syntax.isAll(Syntax.TOKEN, coding);
            refuseIf(!valid, 400, "bad_coding: Transfer-Encoding is not a list of tokens (RFC 9112 §6.1)");
            chunkedNotLast |= chunked;
            chunked |= coding.equalsIgnoreCase("chunked");
            codingUnknown |= !coding.equalsIgnoreCase("chunked");
        }
    }

    /** Judges the section as a whole. */
    void complete(String method, boolean http10) throws HttpError {
        refuseIf(!host && !http10, 400, "missing_host: HTTP/1.1 without a Host field (RFC 9112 §3.2)");
        refuseIf(coded && length >= 0, 400, "length_and_coding: Content-Length and a coding (RFC 9112 §6.3)");
        refuseIf(coded && http10, 400, "coding_in_http_1_0: Transfer-Encoding in HTTP/1.0 (RFC 9112 §6.1)");
        refuseIf(chunkedNotLast, 400, "chunked_not_last: chunked is not last, or twice (RFC 9112 §6.3)");
        refuseIf(codingUnknown, 501, "unknown_coding: a coding other than chunked (RFC 9112 §6.1)");
        boolean body = coded || length > 0;
        refuseIf(body && method.equals("TRACE"), 400, "trace_with_body: TRACE with a body (RFC 9110 §9.3.8)");
        // 1.0 knows no expectations: they are ignored (RFC 9110 §10.1.1)
        refuseIf(otherExpected && !http10, 417, "unknown_expectation: not 100-continue (RFC 9110 §10.1.1)");
        continueExpected &= !http10 && body;
        // "close" wins; 1.1 persists, 1.0 only if asked (RFC 9112 §9.3)
        persistent = !close && (keepAlive || !http10);
    }
}
