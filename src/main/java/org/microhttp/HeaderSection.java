package org.microhttp;

import static org.microhttp.Refusal.*;
import static org.microhttp.Syntax.SPACE;

/**
 * What the header section of one request says to the server: takes each field as it is read, and judges them
 * together when the section is complete. Of a field nothing is kept but what it says. Host and Content-Type
 * must not be repeated, for different servers read that differently.
 */
final class HeaderSection {

    /** The names that matter, each at the index of its length: most fields are passed over by that alone. */
    private static final String[] NAMES = {null, null, null, null, "host", null, "expect", null, null, null,
        "connection", null, "content-type", null, "content-length", null, null, "transfer-encoding"};

    final Framing framing = new Framing();
    private boolean host, contentType;

    /** What Connection and Expect ask for. */
    private boolean close, keepAlive, expectsContinue, expectsOther;

    /** Takes one field: its name goes up to the colon, its value from there to the end of the line. */
    void add(byte[] bytes, int from, int colon, int lineEnd) throws RefusalException {
        int length = colon - from;
        String name = length < NAMES.length ? NAMES[length] : null;
        if (name == null || !Syntax.equalsLower(bytes, from, colon, name)) return;
        int value = Syntax.endOf(SPACE, bytes, colon + 1, lineEnd);
        int end = Syntax.trimSpace(bytes, value, lineEnd);
        switch (length) {
            case 4 -> host(bytes, value, end);
            case 6 -> expect(new FieldList(bytes, value, end));
            case 10 -> connection(new FieldList(bytes, value, end));
            case 12 -> {
                REPEATED_CONTENT_TYPE.when(contentType);
                contentType = true;
            }
            case 14 -> framing.contentLength(bytes, value, end);
            default -> framing.transferEncoding(new FieldList(bytes, value, end));
        }
    }

    private void host(byte[] bytes, int from, int to) throws RefusalException {
        REPEATED_HOST.when(host);
        host = RequestTarget.isAuthority(bytes, from, to);
        BAD_HOST.unless(host);
    }

    /** Connection = #connection-option, connection-option = token; empty elements may be (RFC 9110 §7.6.1) */
    private void connection(FieldList options) throws RefusalException {
        while (options.next()) {
            BAD_CONNECTION.unless(options.readToken() && options.readElementEnd());
            close |= options.isToken("close");
            keepAlive |= options.isToken("keep-alive");
        }
    }

    /** Expect = #expectation; what is not 100-continue is not looked into, for it cannot be met. */
    private void expect(FieldList expectations) {
        while (expectations.next() && !expectsOther) {
            boolean token = expectations.readToken() && expectations.readElementEnd();
            expectsContinue = token && expectations.isToken("100-continue");
            expectsOther = !expectsContinue;
        }
    }

    /** Judges the section as a whole. */
    void complete(String method, boolean http10) throws RefusalException {
        MISSING_HOST.unless(host || http10);
        framing.complete(http10);
        TRACE_WITH_BODY.when(framing.hasBody() && method.equals("TRACE"));
        // 1.0 knows no expectations: they are ignored (RFC 9110 §10.1.1)
        UNKNOWN_EXPECTATION.when(expectsOther && !http10);
    }

    /** Whether the client may wait for an interim answer before it sends the body (RFC 9110 §10.1.1). */
    boolean expectsContinue(boolean http10) { return framing.hasBody() && expectsContinue && !http10; }

    /** "close" wins; 1.1 persists, 1.0 only if asked (RFC 9112 §9.3). */
    boolean isPersistent(boolean http10) { return !close && (keepAlive || !http10); }
}
