package org.microhttp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** The character classes, byte by byte, and the small grammars. */
class SyntaxTest {

    private static void assertTable(boolean[] table, IntPredicate expected) {
        assertEquals(256, table.length);
        for (int value = 0; value < 256; value++) {
            assertEquals(expected.test(value), table[value], "byte " + value);
        }
    }

    private static boolean isAlphanumeric(int value) {
        return value >= '0' && value <= '9' || value >= 'A' && value <= 'Z' || value >= 'a' && value <= 'z';
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    @Test
    void knowsTheClassesOfTheGrammar() {
        assertTable(Syntax.DIGIT, c -> c >= '0' && c <= '9');
        assertTable(Syntax.HEXDIG, c -> "0123456789abcdefABCDEF".indexOf(c) >= 0);
        assertTable(Syntax.TOKEN, c -> isAlphanumeric(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
        assertTable(Syntax.SPACE, c -> c == ' ' || c == '\t');
        assertTable(Syntax.VISIBLE, c -> c > 0x20 && c < 0x7F);
        assertTable(Syntax.TEXT, c -> c == '\t' || c >= 0x20 && c != 0x7F);
    }

    /** Every byte at every place of a run, between bytes that are in the table's first and last places. */
    @Test
    void findsTheSameEndsEightBytesAtATime() {
        for (char filler : new char[] {'!', 'a', '~'}) {
            byte[] bytes = bytes(("" + filler).repeat(27));
            for (int at = 0; at < bytes.length; at++) {
                for (int value = 0; value < 256; value++) {
                    bytes[at] = (byte) value;
                    for (int from : new int[] {0, 1, 3}) {
                        for (int to : new int[] {at, at + 1, bytes.length}) {
                            if (from > to) continue;
                            assertEquals(Syntax.endOf(Syntax.TEXT, bytes, from, to),
                                    Syntax.endOfText(bytes, from, to));
                        }
                    }
                }
                bytes[at] = (byte) filler;
            }
        }
    }

    @Test
    void charactersAbove255BelongToNoClass() {
        assertTrue(Syntax.isAll(Syntax.TEXT, "a \u00ff"));
        assertFalse(Syntax.isAll(Syntax.TEXT, "\u0100"));
        assertFalse(Syntax.isAll(Syntax.TEXT, "\u0161"));
        assertTrue(Syntax.isAll(Syntax.TOKEN, ""));
    }
}
