package org.microhttp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Character classes of RFC 9110 §5.6 as tables by octet, and the small grammars that several places share.
 */
final class Syntax {

    static final boolean[] ALNUM = join(range('0', '9'), range('A', 'Z'), range('a', 'z'));
    static final boolean[] DIGIT = range('0', '9');
    static final boolean[] HEXDIG = join(range('0', '9'), range('A', 'F'), range('a', 'f'));
    static final boolean[] TOKEN = join(ALNUM, of("!#$%&'*+-.^_`|~"));
    static final boolean[] SPACE = of(" \t");
    static final boolean[] VISIBLE = range('!', '~');
    static final boolean[] TEXT = join(SPACE, VISIBLE, range(0x80, 0xFF));

    private Syntax() { }

    static boolean[] of(String characters) {
        var table = new boolean[256];
        characters.chars().forEach(c -> table[c] = true);
        return table;
    }

    static boolean[] range(int first, int last) {
        var table = new boolean[256];
        Arrays.fill(table, first, last + 1, true);
        return table;
    }

    static boolean[] join(boolean[]... tables) {
        var joined = new boolean[256];
        for (int c = 0; c < 256; c++) {
            for (boolean[] table : tables) joined[c] |= table[c];
        }
        return joined;
    }

    /** Says where the run of octets that are in the table ends. */
    static int endOf(boolean[] table, byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && table[bytes[i] & 0xFF]) i++;
        return i;
    }

    static boolean isAll(boolean[] table, String text) {
        return text.chars().allMatch(c -> c <= 0xFF && table[c]);
    }

    static int trimSpace(byte[] bytes, int from, int to) {
        int i = to;
        while (i > from && SPACE[bytes[i - 1] & 0xFF]) i--;
        return i;
    }

    static boolean equals(byte[] bytes, int from, int to, String expected) {
        return equals(bytes, from, to, expected, 0);
    }

    /** Compares without regard to case: 0x20 is what lower case letters have that others lack. */
    static boolean equalsLower(byte[] bytes, int from, int to, String expected) {
        return equals(bytes, from, to, expected, 0x20);
    }

    private static boolean equals(byte[] bytes, int from, int to, String expected, int added) {
        boolean equal = to - from == expected.length();
        for (int i = from; equal && i < to; i++) equal = (bytes[i] | added) == expected.charAt(i - from);
        return equal;
    }

    /**
     * ISO-8859-1, so that each octet becomes the character of that number, and never the platform's charset.
     */
    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** Splits a list at its commas; elements are trimmed, and empty ones left for the caller to judge. */
    static List<String> list(String value) {
        return Arrays.stream(value.split(",", -1)).map(String::strip).toList();
    }

    /** Takes field lines apart that were validated before: name ":" OWS value OWS CRLF (RFC 9112 §5). */
    static List<Header> headers(byte[] lines) {
        var headers = new ArrayList<Header>();
        for (int from = 0, end; from < lines.length; from = end + 2) {
            int colon = endOf(TOKEN, lines, from, lines.length);
            end = endOf(TEXT, lines, colon, lines.length);
            int value = endOf(SPACE, lines, colon + 1, end);
            headers.add(new Header(text(lines, from, colon), text(lines, value, trimSpace(lines, value, end))));
        }
        return List.copyOf(headers);
    }
}
