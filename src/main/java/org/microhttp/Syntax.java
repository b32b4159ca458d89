package org.microhttp;

import java.lang.invoke.*;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.*;

/**
 * Character classes of RFC 9110 §5.6 as tables by byte, and what is done with them.
 */
final class Syntax {

    private static final String[] WORDS =
            {"GET", "HTTP/1.1", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"};

    static final boolean[] DIGIT = table("09"), HEXDIG = table("09AFaf"), SPACE = table("\t\t  "),
            TOKEN = table("09AZaz!!#'*+-.^`||~~"), VISIBLE = table("!~"),
            TEXT = table("\t\t ~\u0080\u00ff");

    /** How to compare: 0x20 is the bit that a lower case letter has and its capital lacks. */
    static final int EXACTLY = 0, ANY_CASE = 0x20;

    private static final VarHandle EIGHT =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Patterns by their text. */
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    /** A table of these ranges, each given by its first and its last character. */
    static boolean[] table(String ranges) {
        var table = new boolean[256];
        for (int i = 0; i < ranges.length(); i += 2) {
            Arrays.fill(table, ranges.charAt(i), ranges.charAt(i + 1) + 1, true);
        }
        return table;
    }

    /** For rare texts. A pattern is compiled when it is first needed. */
    static Matcher matcher(String pattern, String text) {
        return PATTERNS.computeIfAbsent(pattern, Pattern::compile).matcher(text);
    }

    /** Where the run of bytes that are in the table ends. */
    static int endOf(boolean[] table, byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && table[bytes[i] & 0xFF]) {
            i++;
        }
        return i;
    }

    /** The same for {@link #TEXT}, eight bytes at a time: most of what is received is field values. */
    static int endOfText(byte[] bytes, int from, int to) {
        int i = from;
        while (i <= to - 8 && isText((long) EIGHT.get(bytes, i))) {
            i += 8;
        }
        return endOf(TEXT, bytes, i, to);
    }

    /** Whether no byte is below 0x20 or equal to 0x7F; false if in doubt, as with a tab. */
    private static boolean isText(long eight) {
        // a byte below 0x20 goes below 0, and 0x7F goes up to 0x80: both get the highest bit
        long moved = eight - 0x2020202020202020L | eight + 0x0101010101010101L;
        return (moved & ~eight & 0x8080808080808080L) == 0;
    }

    /** The number that these digits write. It cannot overflow: from 2^59 on, further digits are ignored. */
    static long number(byte[] bytes, int from, int to, int radix) {
        long number = 0;
        for (int i = from; i < to && number < 1L << 59; i++) {
            number = number * radix + Character.digit(bytes[i], radix);
        }
        return number;
    }

    static boolean isAll(boolean[] table, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0xFF || !table[c]) return false;
        }
        return true;
    }

    /** Compares with a text, which is in lower case with {@link #ANY_CASE}. */
    static boolean matches(byte[] bytes, int from, int to, String expected, int letterCase) {
        if (to - from != expected.length()) return false;
        for (int i = from; i < to; i++) {
            if ((bytes[i] | letterCase) != expected.charAt(i - from)) return false;
        }
        return true;
    }

    /** In ISO-8859-1 each byte becomes the character of that number; the platform's charset is never used. */
    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** A method or version; no string is made for the usual ones. */
    static String word(byte[] bytes, int from, int to) {
        for (String word : WORDS) {
            if (matches(bytes, from, to, word, EXACTLY)) return word;
        }
        return text(bytes, from, to);
    }

    static String text(byte[] bytes) { return text(bytes, 0, bytes.length); }

    static byte[] octets(String text) { return text.getBytes(StandardCharsets.ISO_8859_1); }
}
