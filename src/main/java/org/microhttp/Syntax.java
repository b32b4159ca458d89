package org.microhttp;

import java.lang.invoke.*;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.*;

/**
 * Character classes of RFC 9110 §5.6 as tables by octet, and the small grammars that several places share.
 */
final class Syntax {

    static final boolean[] DIGIT = table("09"), HEXDIG = table("09AFaf"), SPACE = table("\t\t  "),
            TOKEN = table("09AZaz!!#'*+-.^`||~~"), VISIBLE = table("!~"),
            TEXT = table("\t\t ~\u0080\u00ff");

    /** How to compare: 0x20 is what a lower case letter has that its capital lacks. */
    static final int EXACTLY = 0, ANY_CASE = 0x20;

    private static final VarHandle EIGHT =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Patterns by their text. */
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    /** Of what is in these ranges, each given by its first and its last. */
    static boolean[] table(String ranges) {
        var table = new boolean[256];
        for (int i = 0; i < ranges.length(); i += 2) {
            Arrays.fill(table, ranges.charAt(i), ranges.charAt(i + 1) + 1, true);
        }
        return table;
    }

    /** For rare texts: a pattern is compiled when it is first needed, for a server needs none to start. */
    static Matcher matcher(String pattern, String text) {
        return PATTERNS.computeIfAbsent(pattern, Pattern::compile).matcher(text);
    }

    /** Says where the run of octets that are in the table ends. */
    static int endOf(boolean[] table, byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && table[bytes[i] & 0xFF]) {
            i++;
        }
        return i;
    }

    /** The same for {@link #TEXT}, eight octets at a time: most of what is received is field values. */
    static int endOfText(byte[] bytes, int from, int to) {
        int i = from;
        while (i <= to - 8 && isText((long) EIGHT.get(bytes, i))) {
            i += 8;
        }
        return endOf(TEXT, bytes, i, to);
    }

    /** Whether none of eight octets is below 0x20 or 0x7F; where in doubt, as with a tab, false. */
    private static boolean isText(long octets) {
        // what is below 0x20 goes below 0, and 0x7F above itself: both get the highest bit
        long moved = octets - 0x2020202020202020L | octets + 0x0101010101010101L;
        return (moved & ~octets & 0x8080808080808080L) == 0;
    }

    static boolean isAll(boolean[] table, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0xFF || !table[c]) return false;
        }
        return true;
    }

    /** Compares with a text; with {@link #ANY_CASE} with one in lower case. */
    static boolean matches(byte[] bytes, int from, int to, String expected, int letterCase) {
        if (to - from != expected.length()) return false;
        for (int i = from; i < to; i++) {
            if ((bytes[i] | letterCase) != expected.charAt(i - from)) return false;
        }
        return true;
    }

    /**
     * ISO-8859-1, so that each octet becomes the character of that number, and never the platform's charset.
     */
    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    static String text(byte[] bytes) { return text(bytes, 0, bytes.length); }

    static byte[] octets(String text) { return text.getBytes(StandardCharsets.ISO_8859_1); }

    /**
     * Says where parameters end, *( OWS ";" OWS token OWS "=" OWS ( token / quoted-string ) ), which may be
     * at once; -1 if what follows a semicolon is none. With {@code valued} false a name alone is one, too.
     */
    static int endOfParameters(byte[] bytes, int from, int to, boolean valued) {
        int end = from;
        while (true) {
            int at = endOf(SPACE, bytes, end, to);
            if (at == to || bytes[at] != ';') return end;
            int name = endOf(SPACE, bytes, at + 1, to);
            end = endOf(TOKEN, bytes, name, to);
            if (end == name) return -1;
            int equals = endOf(SPACE, bytes, end, to);
            boolean value = equals < to && bytes[equals] == '=';
            if (value) end = endOfValue(bytes, endOf(SPACE, bytes, equals + 1, to), to);
            if (end < 0 || valued && !value) return -1;
        }
    }

    /** Says where a token or a quoted string ends (RFC 9110 §5.6.4); -1 if there is none. */
    private static int endOfValue(byte[] bytes, int from, int to) {
        if (from == to || bytes[from] != '"') {
            int end = endOf(TOKEN, bytes, from, to);
            return end > from ? end : -1;
        }
        for (int i = from + 1; i < to; i++) {
            if (bytes[i] == '"') return i + 1;
            if (bytes[i] == '\\') i++;
        }
        return -1;
    }
}
