package org.microhttp.protocol;

import static org.microhttp.protocol.Syntax.*;

/**
 * Reads a field value that is a list (RFC 9110 §5.6.1), in place, from start to end. It reads each byte a few
 * times at most, and makes no object for an element, unless {@link #readElement} is called. Chunk extensions
 * are read as parameters of an element are (RFC 9110 §5.6.6).
 */
public final class ListReader {

    private static final boolean[] SPACE_OR_COMMA = table("\t\t  ,,"), NO_COMMA = table("\0+-\u00ff");

    private final byte[] bytes;
    private final int end;
    private int at, tokenFrom;

    ListReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.end = end;
        at = from;
    }

    public ListReader(String list) { this(bytes(list), 0, list.length()); }

    /** Says whether a list has an element, case-insensitive. */
    public static boolean has(String list, String element) {
        var elements = new ListReader(list);
        while (elements.next()) {
            int length = elements.readToComma() - elements.tokenFrom;
            boolean same = list.regionMatches(true, elements.tokenFrom, element, 0, length);
            if (same && length == element.length()) return true;
        }
        return false;
    }

    /** Reads the rest of the element, which need not be a token, and returns the whole element. */
    public String readElement() {
        int elementEnd = readToComma();
        return text(bytes, tokenFrom, elementEnd);
    }

    /** Reads the rest of the element, and returns where it ends, without the white space before the comma. */
    private int readToComma() {
        at = endOf(NO_COMMA, bytes, at, end);
        return trimmedEnd(bytes, tokenFrom, at);
    }

    /**
     * Skips white space and commas, and so empty elements, and reads the token at the beginning of the next
     * element, if it begins with one; returns false if there is no element.
     */
    public boolean next() {
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

    boolean isAtEnd() { return at == end; }
}
