package org.microhttp.protocol;

import java.lang.invoke.*;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.*;

/** Character classes of RFC 9110 §5.6 as tables by byte, and the searches and comparisons that use them. */
public final class Syntax {

    private static final String[] WORDS =
            {"GET", "HTTP/1.1", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"};

    public static final boolean[] DIGIT = table("09"), HEXDIG = table("09AFaf"), SPACE = table("\t\t  "),
            TOKEN = table("09AZaz!!#'*+-.^`||~~"), VISIBLE = table("!~"),
            TEXT = table("\t\t ~\u0080\u00ff");

    /** The bit to ignore in a comparison: a lower-case letter has 0x20, which its capital lacks. */
    static final int EXACTLY = 0, ANY_CASE = 0x20;

    private static final VarHandle EIGHT =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Patterns by their text. */
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    /** Makes a table of ranges, each given by its first and its last character. */
    static boolean[] table(String ranges) {
        var table = new boolean[256];
        for (int i = 0; i < ranges.length(); i += 2) {
            Arrays.fill(table, ranges.charAt(i), ranges.charAt(i + 1) + 1, true);
        }
        return table;
    }

    /** Returns a matcher, for rare texts. A pattern is compiled when it is first needed. */
    public static Matcher matcher(String pattern, String text) {
        return PATTERNS.computeIfAbsent(pattern, Pattern::compile).matcher(text);
    }

    /** Returns where the run of bytes that are in the table ends. */
    public static int endOf(boolean[] table, byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && table[bytes[i] & 0xFF]) {
            i++;
        }
        return i;
    }

    /**
     * Does the same as {@link #endOf} with {@link #TEXT}, but eight bytes at a time: most input is field
     * values.
     */
    static int endOfText(byte[] bytes, int from, int to) {
        int i = from;
        while (i <= to - 8 && isText((long) EIGHT.get(bytes, i))) {
            i += 8;
        }
        return endOf(TEXT, bytes, i, to);
    }

    /** Says whether no byte is below 0x20 or equal to 0x7F; false if in doubt, as with a tab. */
    private static boolean isText(long eight) {
        // a byte below 0x20 goes below 0, and 0x7F goes up to 0x80: both get the highest bit
        long moved = eight - 0x2020202020202020L | eight + 0x0101010101010101L;
        return (moved & ~eight & 0x8080808080808080L) == 0;
    }

    /** Returns where bytes end without the white space at their end. */
    static int trimmedEnd(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && SPACE[bytes[end - 1] & 0xFF]) {
            end--;
        }
        return end;
    }

    /** Returns the number of these digits. It cannot overflow: from 2^59 on, further digits are ignored. */
    static long number(byte[] bytes, int from, int to, int radix) {
        long number = 0;
        for (int i = from; i < to && number < 1L << 59; i++) {
            number = number * radix + Character.digit(bytes[i], radix);
        }
        return number;
    }

    public static boolean isAll(boolean[] table, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0xFF || !table[c]) return false;
        }
        return true;
    }

    /** Compares bytes with a text. With {@link #ANY_CASE} the text may have only a-z, 0-9 and "-". */
    static boolean matches(byte[] bytes, int from, int to, String expected, int letterCase) {
        if (to - from != expected.length()) return false;
        for (int i = from; i < to; i++) {
            if ((bytes[i] | letterCase) != expected.charAt(i - from)) return false;
        }
        return true;
    }

    /** Escapes the characters that could forge a line of a log: all but visible ASCII and the space. */
    public static String escaped(String text) {
        var line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7F) {
                line.append(c);
            } else {
                line.append("\\u").append(Integer.toHexString(0x1_0000 | c).substring(1));
            }
        }
        return line.toString();
    }

    /** Makes each byte the character of its number (ISO-8859-1); the platform's charset is never used. */
    public static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** Returns a method or version; the usual ones cost no new string. */
    static String word(byte[] bytes, int from, int to) {
        for (String word : WORDS) {
            if (matches(bytes, from, to, word, EXACTLY)) return word;
        }
        return text(bytes, from, to);
    }

    public static String text(byte[] bytes) { return text(bytes, 0, bytes.length); }

    public static byte[] bytes(String text) { return text.getBytes(StandardCharsets.ISO_8859_1); }
}
