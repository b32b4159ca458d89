package org.microhttp;

/**
 * A field value that is a list (RFC 9110 §5.6.1), read in place from its start to its end: each octet is
 * looked at once or twice, and no object is made of an element. {@link #next} moves on to an element, and the
 * methods after it read that: a token, its parameters, its end.
 */
final class FieldList {

    private final byte[] bytes;
    private final int end;
    private int at, tokenFrom, tokenEnd, commas, elements;

    /** How many octets were looked at so far. */
    private int work;

    FieldList(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.end = end;
        at = from;
    }

    /** Passes over white space and commas; true if an element begins there. */
    boolean next() {
        int from = at;
        while (at < end && (bytes[at] == ',' || isSpace())) {
            if (bytes[at] == ',') commas++;
            at++;
        }
        work += at - from;
        boolean found = at < end;
        if (found) elements++;
        return found;
    }

    /** Whether there was nothing between two commas, at an end, or at all: what senders must not make. */
    boolean hadEmptyElement() { return commas != elements - 1; }

    /** Reads a token; false if there is none. */
    boolean readToken() {
        tokenFrom = at;
        tokenEnd = Syntax.endOf(Syntax.TOKEN, bytes, at, end);
        at = tokenEnd;
        work += at - tokenFrom;
        return at > tokenFrom;
    }

    /** Compares the token with a text in lower case. */
    boolean isToken(String lower) {
        work += Math.min(lower.length(), tokenEnd - tokenFrom);
        return Syntax.equalsLower(bytes, tokenFrom, tokenEnd, lower);
    }

    int work() { return work; }

    /** The token as text. */
    String token() { return Syntax.text(bytes, tokenFrom, tokenEnd); }

    /** Whether a parameter follows, as far as its semicolon says. */
    boolean hasParameter() {
        skipSpace();
        return at < end && bytes[at] == ';';
    }

    /** Reads parameters as {@link Syntax#endOfParameters} does; false if they break its grammar. */
    boolean readParameters() {
        int parametersEnd = Syntax.endOfParameters(bytes, at, end, true);
        work += Math.max(parametersEnd, at) - at;
        if (parametersEnd < 0) return false;
        at = parametersEnd;
        return true;
    }

    /** Reads white space; true if the element ends behind it. */
    boolean readElementEnd() {
        skipSpace();
        return at == end || bytes[at] == ',';
    }

    private void skipSpace() {
        int from = at;
        at = Syntax.endOf(Syntax.SPACE, bytes, at, end);
        work += at - from;
    }

    private boolean isSpace() { return Syntax.SPACE[bytes[at] & 0xFF]; }
}
