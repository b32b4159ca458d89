package org.microhttp;

import static org.microhttp.Syntax.*;

/**
 * What the fields of one request say about where its body ends and whether the connection persists (RFC 9112
 * §6.3, §9.3). Takes each field as it is read, and judges them together when the header section is complete.
 * Also judges the singletons Host and Content-Type, whose repetition is read differently by different
 * servers. Of a field nothing is kept but what it says.
 */
final class Framing {

    /** The names that matter, each at the index of its length: most fields are passed over by that alone. */
    private static final String[] NAMES = {null, null, null, null, "host", null, "expect", null, null, null,
        "connection", null, "content-type", null, "content-length", null, null, "transfer-encoding"};

    /** What {@link #complete} decides; the length is -1 when none was declared. */
    boolean persistent, continueExpected, chunked;
    long length = -1;

    private boolean host, contentType;

    /** How many octets of values were looked at so far. */
    private long work;

    /** What Connection and Expect ask for. */
    private boolean close, keepAlive, expectsContinue, expectsOther;

    /** What Transfer-Encoding has: any coding, one that is not chunked, one behind chunked. */
    private boolean coded, unknownCoding, codingBehindChunked;

    /** Takes one field: name from {@code from} to the colon, value from there to the end. */
    void field(byte[] bytes, int from, int colon, int lineEnd) throws HttpError {
        int length = colon - from;
        String name = length < NAMES.length ? NAMES[length] : null;
        if (name == null || !equalsLower(bytes, from, colon, name)) return;
        int value = endOf(SPACE, bytes, colon + 1, lineEnd);
        int end = trimSpace(bytes, value, lineEnd);
        work += lineEnd - colon;
        switch (length) {
            case 4 -> host(bytes, value, end);
            case 6 -> expect(new FieldList(bytes, value, end));
            case 10 -> connection(new FieldList(bytes, value, end));
            case 12 -> contentType();
            case 14 -> length(bytes, value, end);
            default -> transferEncoding(new FieldList(bytes, value, end));
        }
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

    /**
     * Content-Length = 1*DIGIT (RFC 9110 §8.6); 18 of them fit a long. Long.parseLong alone would take a
     * sign.
     */
    private void length(byte[] bytes, int from, int to) throws HttpError {
        refuseIf(length >= 0, 400, "repeated_content_length: more than one Content-Length (RFC 9112 §6.3)");
        boolean valid = to > from && to - from <= 18 && endOf(DIGIT, bytes, from, to) == to;
        refuseIf(!valid, 400, "bad_content_length: not 1 to 18 digits (RFC 9110 §8.6)");
        length = Long.parseLong(text(bytes, from, to));
    }

    /** Connection = #connection-option, connection-option = token; empty elements may be (RFC 9110 §7.6.1) */
    private void connection(FieldList options) throws HttpError {
        while (options.next()) {
            boolean valid = options.readToken() && options.readElementEnd();
            refuseIf(!valid, 400, "bad_connection: Connection is not a list of tokens (RFC 9110 §7.6.1)");
            close |= options.isToken("close");
            keepAlive |= options.isToken("keep-alive");
        }
        work += options.work();
    }

    /** Expect = #expectation; what is not 100-continue is not looked into, for it cannot be met. */
    private void expect(FieldList expectations) {
        while (expectations.next() && !expectsOther) {
            boolean token = expectations.readToken() && expectations.readElementEnd();
            expectsOther = !token || !expectations.isToken("100-continue");
            expectsContinue |= !expectsOther;
        }
        work += expectations.work();
    }

    /**
     * Transfer-Encoding = #transfer-coding, transfer-coding = token *( OWS ";" OWS transfer-parameter ) (RFC
     * 9110 §10.1.4). Empty elements, which RFC 9110 §5.6.1.2 lets a recipient ignore, are where smuggling
     * hides: refused.
     */
    private void transferEncoding(FieldList codings) throws HttpError {
        boolean valid = true;
        while (valid && codings.next()) {
            valid = codings.readToken();
            codingBehindChunked |= chunked;
            boolean chunkedHere = codings.isToken("chunked");
            boolean parameters = valid && codings.hasParameter();
            chunked |= chunkedHere;
            unknownCoding |= !chunkedHere;
            valid = valid && codings.readParameters() && codings.readElementEnd();
            refuseIf(valid && chunkedHere && parameters, 400,
                    "chunked_parameter: chunked with a parameter (RFC 9112 §7.1)");
        }
        valid = valid && !codings.hadEmptyElement();
        refuseIf(!valid, 400, "bad_coding: Transfer-Encoding is not a list of codings (RFC 9112 §6.1)");
        coded = true;
        work += codings.work();
    }

    long work() { return work; }

    /** Judges the section as a whole. */
    void complete(String method, boolean http10) throws HttpError {
        refuseIf(!host && !http10, 400, "missing_host: HTTP/1.1 without a Host field (RFC 9112 §3.2)");
        refuseIf(coded && length >= 0, 400, "length_and_coding: Content-Length and a coding (RFC 9112 §6.3)");
        refuseIf(coded && http10, 400, "coding_in_http_1_0: Transfer-Encoding in HTTP/1.0 (RFC 9112 §6.1)");
        // nobody could say where such a body ends
        boolean endless = coded && !chunked || codingBehindChunked;
        refuseIf(endless, 400, "chunked_not_last: chunked is not last, or twice (RFC 9112 §6.3)");
        refuseIf(unknownCoding, 501, "unknown_coding: not chunked (RFC 9112 §6.1)");
        boolean body = coded || length > 0;
        refuseIf(body && method.equals("TRACE"), 400, "trace_with_body: TRACE with a body (RFC 9110 §9.3.8)");
        // 1.0 knows no expectations: they are ignored (RFC 9110 §10.1.1)
        boolean unmet = expectsOther && !http10;
        refuseIf(unmet, 417, "unknown_expectation: other than 100-continue (RFC 9110 §10.1.1)");
        continueExpected = body && expectsContinue && !http10;
        // "close" wins; 1.1 persists, 1.0 only if asked (RFC 9112 §9.3)
        persistent = !close && (keepAlive || !http10);
    }
}
