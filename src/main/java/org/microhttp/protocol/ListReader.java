package org.microhttp.protocol;

import static org.microhttp.protocol.Syntax.*;

/**
 * Reads a field value that is a list (RFC 9110 §5.6.1), in place, from start to end. It reads each byte a few
 * times at most, and makes no object for an element. Chunk extensions are read as parameters of an element
 * are (RFC 9110 §5.6.6).
 */
final class ListReader {

    private static final boolean[] SPACE_OR_COMMA = table("\t\t  ,,");

    private final byte[] bytes;
    private final int end;
    private int at, tokenFrom;

    ListReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.end = end;
        at = from;
    }

    /**
     * Skips white space and commas, and so empty elements, and reads the token at the beginning of the next
     * element, if there is one; returns false if there is no element.
     */
    boolean next() {
        at = endOf(SPACE_OR_COMMA, bytes, at, end);
        return readToken() || at < end;
    }

    /** Reads white space and a mark; if there is no such mark, returns false and reads nothing. */
    boolean read(char mark) {
        int found = endOf(SPACE, bytes, at, end);
        if (found >= end || bytes[found] != mark) return false;
        at = found + 1;
        return true;
    }

    /** Reads a token, and white space before it; returns false if there is no token. */
    boolean readToken() {
        tokenFrom = endOf(SPACE, bytes, at, end);
        at = endOf(TOKEN, bytes, tokenFrom, end);
        return at > tokenFrom;
    }

    /** Compares the token that was just read with a text in lower case. */
    boolean isToken(String lower) { return matches(bytes, tokenFrom, at, lower, ANY_CASE); }

    /**
     * Reads *( OWS ";" OWS token [ OWS "=" OWS ( token / quoted-string ) ] ) and returns how many parameters
     * there are; -1 if no parameter follows a semicolon. With {@code valued}, a name alone is no parameter.
     */
    int readParameters(boolean valued) {
        int count = 0;
        while (read(';')) {
            boolean valid = readToken() && (read('=') ? readValue() : !valued);
            if (!valid) return -1;
            count++;
        }
        return count;
    }

    /** Reads a token or a quoted string (RFC 9110 §5.6.4); returns false if there is neither. */
    private boolean readValue() {
        if (!read('"')) return readToken();
        while (at < end && bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        return read('"');
    }

    /** Says whether the element ends here, or after white space. */
    boolean isAtElementEnd() {
        int next = endOf(SPACE, bytes, at, end);
        return next == end || bytes[next] == ',';
    }

    /** Says whether everything is read. */
    boolean isAtEnd() { return at == end; }
}
