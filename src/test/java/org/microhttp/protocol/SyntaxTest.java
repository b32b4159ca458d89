package org.microhttp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** The character classes, octet by octet, and the small grammars. */
class SyntaxTest {

    private static void assertTable(boolean[] table, IntPredicate expected) {
        assertEquals(256, table.length);
        for (int octet = 0; octet < 256; octet++) {
            assertEquals(expected.test(octet), table[octet], "octet " + octet);
        }
    }

    private static boolean isAlphanumeric(int octet) {
        return octet >= '0' && octet <= '9' || octet >= 'A' && octet <= 'Z' || octet >= 'a' && octet <= 'z';
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

    @Test
    void findsWhereARunEnds() {
        byte[] text = bytes("abc def");
        assertEquals(3, Syntax.endOf(Syntax.TOKEN, text, 0, 7));
        assertEquals(2, Syntax.endOf(Syntax.TOKEN, text, 0, 2));
        assertEquals(3, Syntax.endOf(Syntax.TOKEN, text, 3, 7));
        assertEquals(7, Syntax.endOf(Syntax.TOKEN, text, 4, 7));
        assertEquals(7, Syntax.endOf(Syntax.TOKEN, text, 7, 7));
    }

    /** Every octet at every place of a run, between octets that are in the table's first and last places. */
    @Test
    void findsTheSameEndsEightOctetsAtATime() {
        for (char filler : new char[] {'!', 'a', '~'}) {
            byte[] bytes = bytes(("" + filler).repeat(27));
            for (int at = 0; at < bytes.length; at++) {
                for (int octet = 0; octet < 256; octet++) {
                    bytes[at] = (byte) octet;
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
    void knowsTheCurrentVersionFromAnyOther() {
        String version = "HTTP/1.1";
        assertTrue(Syntax.matches(bytes(" " + version + "\r\n"), 1, 9, version, Syntax.EXACTLY));
        assertFalse(Syntax.matches(bytes(version + "1"), 0, 9, version, Syntax.EXACTLY));
        assertFalse(Syntax.matches(bytes(version), 0, 7, version, Syntax.EXACTLY));
        for (int at = 0; at < 8; at++) {
            for (int octet = 0; octet < 256; octet++) {
                byte[] other = bytes(version);
                other[at] = (byte) octet;
                boolean matches = Syntax.matches(other, 0, 8, version, Syntax.EXACTLY);
                assertEquals(octet == version.charAt(at), matches);
            }
        }
    }

    @Test
    void knowsCharactersAboveOctetsAsNone() {
        assertTrue(Syntax.isAll(Syntax.TEXT, "a \u00ff"));
        assertFalse(Syntax.isAll(Syntax.TEXT, "\u0100"));
        assertFalse(Syntax.isAll(Syntax.TEXT, "\u0161"));
        assertTrue(Syntax.isAll(Syntax.TOKEN, ""));
    }

    @Test
    void comparesWithLowerCaseWhateverTheCase() {
        for (String text : List.of("host", "HOST", "hOsT")) {
            assertTrue(Syntax.matches(bytes(text), 0, 4, "host", Syntax.ANY_CASE), text);
        }
        for (String text : List.of("hos", "hosts", "hoste", "ghost", "h st")) {
            assertFalse(Syntax.matches(bytes(text), 0, text.length(), "host", Syntax.ANY_CASE), text);
        }
        assertTrue(Syntax.matches(bytes("xGETx"), 1, 4, "GET", Syntax.EXACTLY));
        assertFalse(Syntax.matches(bytes("get"), 0, 3, "GET", Syntax.EXACTLY));
    }

    @Test
    void doesNotTakeAControlCharacterForADashWhateverTheCase() {
        // 0x0D | 0x20 is a dash, but no CR gets into a token
        assertFalse(Syntax.TOKEN['\r']);
        assertTrue(Syntax.matches(bytes("Content-Length"), 0, 14, "content-length", Syntax.ANY_CASE));
    }

    @Test
    void readsOctetsAsTheCharactersOfTheirNumbers() {
        var all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        String text = Syntax.text(all, 0, 256);
        for (int i = 0; i < 256; i++) {
            assertEquals(i, text.charAt(i));
        }
        assertEquals("\u0001\u0002", Syntax.text(all, 1, 3));
    }
}
