package org.microhttp;

import static org.microhttp.Refusal.*;

/** Where the body of one request ends (RFC 9112 §6.3), by its Content-Length or its Transfer-Encoding. */
final class Framing {

    /** The length that was declared; -1 when none was. */
    long length = -1;

    /** Whether a coding is chunked, and, when the section is complete, the last. */
    boolean chunked;

    /** What Transfer-Encoding has: any coding, one that is not chunked, one behind chunked. */
    private boolean coded, unknownCoding, codingBehindChunked;

    /** Content-Length = 1*DIGIT (RFC 9110 §8.6); 18 of them fit a long, and parseLong alone takes a sign. */
    void contentLength(byte[] bytes, int from, int to) throws RefusalException {
        REPEATED_CONTENT_LENGTH.when(length >= 0);
        boolean digits = to > from && Syntax.endOf(Syntax.DIGIT, bytes, from, to) == to;
        BAD_CONTENT_LENGTH.unless(digits && to - from <= 18);
        length = Long.parseLong(Syntax.text(bytes, from, to));
    }

    /**
     * Transfer-Encoding = #transfer-coding, transfer-coding = token *( OWS ";" OWS transfer-parameter ) (RFC
     * 9110 §10.1.4). Empty elements, which RFC 9110 §5.6.1.2 lets a recipient ignore, are where smuggling
     * hides: refused.
     */
    void transferEncoding(FieldList codings) throws RefusalException {
        coded = true;
        while (codings.next()) {
            BAD_CODING.unless(codings.readToken());
            codingBehindChunked |= chunked;
            boolean isChunked = codings.isToken("chunked");
            chunked |= isChunked;
            unknownCoding |= !isChunked;
            boolean hasParameter = codings.hasParameter();
            BAD_CODING.unless(codings.readParameters() && codings.readElementEnd());
            CHUNKED_PARAMETER.when(isChunked && hasParameter);
        }
        BAD_CODING.when(codings.hadEmptyElement());
    }

    boolean hasBody() { return coded || length > 0; }

    /** Judges both fields together, when the header section is complete. */
    void complete(boolean http10) throws RefusalException {
        LENGTH_AND_CODING.when(coded && length >= 0);
        CODING_IN_HTTP_1_0.when(coded && http10);
        // nobody could say where such a body ends
        CHUNKED_NOT_LAST.when(coded && !chunked || codingBehindChunked);
        UNKNOWN_CODING.when(unknownCoding);
    }
}
