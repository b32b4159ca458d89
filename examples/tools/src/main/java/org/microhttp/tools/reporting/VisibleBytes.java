package org.microhttp.tools.reporting;

import java.util.ArrayList;
import java.util.List;

/** Bytes, each of them a character, made visible. */
public final class VisibleBytes {

    private static final int WIDTH = 16;

    /** Offset, colon, a space and four digits for each pair of bytes, and two spaces. */
    private static final int TEXT_COLUMN = 8 + 1 + 5 * WIDTH / 2 + 2;

    private static final String DIGITS = "0123456789abcdef";

    private VisibleBytes() {
    }

    /**
     * Dumps bytes in lines as {@code xxd} does: the offset, sixteen bytes in hexadecimal, and as characters
     * what of them is printable.
     */
    public static List<String> dump(String bytes) {
        List<String> lines = new ArrayList<>();
        for (int at = 0; at < bytes.length(); at += WIDTH) {
            lines.add(line(at, bytes.substring(at, Math.min(at + WIDTH, bytes.length()))));
        }
        return lines;
    }

    private static String line(int offset, String bytes) {
        var line = new StringBuilder(TEXT_COLUMN + WIDTH);
        append(line, offset, 8);
        line.append(':');
        for (int i = 0; i < bytes.length(); i++) {
            append(line.append(i % 2 == 0 ? " " : ""), bytes.charAt(i), 2);
        }
        line.append(" ".repeat(TEXT_COLUMN - line.length()));
        bytes.chars().forEach(value -> line.append(isPrintable(value) ? (char) value : '.'));
        return line.toString();
    }

    public static String hexadecimal(String bytes) {
        var text = new StringBuilder();
        bytes.chars().forEach(value -> append(text, value, 2));
        return text.toString();
    }

    /** Replaces what is not printable by its number, as in {@code \x0d}. A backslash stays as it is. */
    public static String printable(String bytes) {
        var text = new StringBuilder(bytes.length());
        for (char value : bytes.toCharArray()) {
            if (isPrintable(value)) {
                text.append(value);
            } else {
                append(text.append("\\x"), value, 2);
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, int value, int digits) {
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            text.append(DIGITS.charAt(value >> shift & 0xF));
        }
    }

    private static boolean isPrintable(int value) {
        return value >= ' ' && value < 0x7F;
    }
}
