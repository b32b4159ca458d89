package org.microhttp;

import static org.microhttp.Syntax.*;

/**
 * A field value that is a list (RFC 9110 §5.6.1), read in place from its start to its end: each octet is
 * looked at once or twice, white space before a comma once more, and no object is made of an element.
 * {@link #next} or {@link #readComma} moves on to an element, and the methods after them read that: a token,
 * its parameters, its end.
 */
final class FieldList {

    private static final boolean[] SPACE_OR_COMMA = table("\t\t  ,,");

    private final byte[] bytes;
    private final int end;
    private int at, tokenFrom, tokenEnd;

    FieldList(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.end = end;
        at = from;
    }

    /** Passes over white space and commas, so over empty elements; true if an element begins there. */
    boolean next() {
        at = endOf(SPACE_OR_COMMA, bytes, at, end);
        return at < end;
    }

    /** Passes over the one comma at which an element ends; false if it was the last element. */
    boolean readComma() {
        if (at == end) return false;
        at++;
        return true;
    }

    /** Reads a token, and white space before it; false if there is none. */
    boolean readToken() {
        tokenFrom = endOf(SPACE, bytes, at, end);
        tokenEnd = endOf(TOKEN, bytes, tokenFrom, end);
        at = tokenEnd;
        return at > tokenFrom;
    }

    /** Compares the token with a text in lower case. */
    boolean isToken(String lower) { return matches(bytes, tokenFrom, tokenEnd, lower, ANY_CASE); }

    /** Reads parameters as {@link Syntax#endOfParameters} does; false, for good, if they break its rules. */
    boolean readParameters() {
        at = endOfParameters(bytes, at, end, true);
        return at >= 0;
    }

    /** Reads white space; true if the element ends behind it. */
    boolean readElementEnd() {
        at = endOf(SPACE, bytes, at, end);
        return at == end || bytes[at] == ',';
    }

    /** Whether there was more than white space between the token and the end of the element. */
    boolean hadParameter() { return endOf(SPACE, bytes, tokenEnd, at) < at; }
}
