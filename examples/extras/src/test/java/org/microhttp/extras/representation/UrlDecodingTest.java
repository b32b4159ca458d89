package org.microhttp.extras.representation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Tier;

/** The examples' class {@code UrlDecoding}: text and paths, each with what comes of it. */
@Tier.Program
final class UrlDecodingTest {

    private static final String BROKEN =
            " is a % without two hexadecimal digits behind it; allowed: %25 for a % itself";

    @Test
    void decodesText() {
        decodes("", "");
        decodes("a-b.c_d~e!$&'()*,;=:@", "a-b.c_d~e!$&'()*,;=:@");
        decodes("caf%C3%A9", "caf\u00E9");
        decodes("caf%c3%a9", "caf\u00E9");
        decodes("%E2%82%AC%F0%9F%99%82", "\u20AC\uD83D\uDE42");
        decodes("100%25", "100%");
        decodes("%2541", "%41");
        decodes("%25%34%31", "%41");
        decodes("a%2Fb%5Cc", "a/b\\c");
        decodes("%00", "\0");
        decodes("a%0D%0Ab%7F", "a\r\nb\u007F");
        // neither a mark of the order of bytes nor the replacement character is special
        decodes("%EF%BB%BFa", "\uFEFFa");
        decodes("%EF%BF%BD", "\uFFFD");
    }

    @Test
    void aPlusIsNoSpace() {
        decodes("a+b%20c%2B", "a+b c+");
    }

    @Test
    void refusesBrokenEscapes() {
        for (String text : List.of("%", "%4", "%zz", "%4z", "%z4", "%%", "%%41", "% 41", "%+1", "%-1",
                "%u0041", "%0x41", "%4%41", "%c", "%\r\n")) {
            refuses(text, 0, BROKEN);
            refuses("ab%C3%A9" + text, 8, BROKEN);
        }
        refuses("%41%", 3, BROKEN);
        refuses("%41%4", 3, BROKEN);
    }

    @Test
    void invalidUtf8IsRefused() {
        refusesBytes("80", 0);
        refusesBytes("BF", 0);
        refusesBytes("61 80", 1);
        // overlong forms of U+0000, of a slash, of U+07FF, of U+FFFF
        refusesBytes("C0 80", 0);
        refusesBytes("C0 AF", 0);
        refusesBytes("C1 BF", 0);
        refusesBytes("E0 80 AF", 0);
        refusesBytes("E0 9F BF", 0);
        refusesBytes("F0 80 80 AF", 0);
        refusesBytes("F0 8F BF BF", 0);
        // surrogates, alone and as a pair
        refusesBytes("ED A0 80", 0);
        refusesBytes("ED BF BF", 0);
        refusesBytes("61 ED A0 BD ED B9 82", 1);
        // above U+10FFFF, and bytes that are in no character
        refusesBytes("F4 90 80 80", 0);
        refusesBytes("F8 88 80 80 80", 0);
        refusesBytes("FE", 0);
        refusesBytes("FF", 0);
        // cut off, at the end and by another character
        refusesBytes("C3", 0);
        refusesBytes("C3 A9 E2 82", 2);
        refusesBytes("E2", 0);
        refusesBytes("F0 9F 99", 0);
        refusesBytes("C3 41", 0);
        refusesBytes("E2 82 41", 0);
        refusesBytes("41 F0 9F 41", 1);
    }

    @Test
    void positionsCountEncodedCharacters() {
        refuses("a%C3%A9b%FF", 8, " is %FF, which begins no character of UTF-8; allowed: whole characters");
        refuses("%E2%82x", 0, " is %E2, which begins no character of UTF-8; allowed: whole characters");
    }

    @Test
    void charactersOutsideAsciiAreRefused() {
        String reason = " is a character that is not ASCII; allowed: its UTF-8, percent-encoded";
        refuses("caf\u00E9", 3, reason);
        refuses("\u0080", 0, reason);
        refuses("%41\u20AC", 3, reason);
        refuses("a\uD83D", 1, reason);
    }

    @Test
    void decodesEveryCharacter() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                decodes(escapes(Character.toString(c).getBytes(UTF_8)), Character.toString(c));
            }
        }
    }

    /** Java's own decoder, which replaces what is malformed, says which two bytes are UTF-8. */
    @Test
    void acceptsExactlyTheTwoBytesThatAreUtf8() {
        for (int pair = 0; pair <= 0xFFFF; pair++) {
            byte[] bytes = {(byte) (pair >> 8), (byte) pair};
            String text = new String(bytes, UTF_8);
            if (text.indexOf('\uFFFD') < 0) {
                decodes(escapes(bytes), text);
            } else {
                assertThrows(IllegalArgumentException.class, () -> UrlDecoding.decode(escapes(bytes)));
            }
        }
    }

    @Test
    void splitsAPathBeforeItDecodes() {
        splits("/", "");
        splits("/a", "a");
        splits("/a/b", "a", "b");
        splits("/a%2Fb/c", "a/b", "c");
        splits("/a%2fb%252Fc", "a/b%2Fc");
        splits("/a+b/c;d=e,f", "a+b", "c;d=e,f");
        splits("/caf%C3%A9/%20", "caf\u00E9", " ");
    }

    @Test
    void keepsEmptySegmentsAndDots() {
        splits("//", "", "");
        splits("/a/", "a", "");
        splits("//a///b", "", "a", "", "", "b");
        splits("/./a/../..", ".", "a", "..", "..");
        splits("/%2e%2E/%2e/.%2e/...", "..", ".", "..", "...");
        splits("/..%2F..%2Fetc%2Fpasswd", "../../etc/passwd");
        splits("/..%5C..%00", "..\\..\0");
    }

    /** Of characters and escapes that only together would be whole, over a slash. */
    @Test
    void decodesEachSegmentByItself() {
        refusesPath("/a/%C3/%A9", "at position 3 of the path is %C3, which begins no character of UTF-8; "
                + "allowed: whole characters");
        refusesPath("/a/%2/F", "at position 3 of the path" + BROKEN);
        refusesPath("/a/b%", "at position 4 of the path" + BROKEN);
    }

    @Test
    void refusesAPathWithoutASlashAtItsFront() {
        for (String path : List.of("", "*", "a/b", "%2Fa", "http://x/a")) {
            refusesPath(path,
                    "at position 0 of the path is no slash; allowed: a path that begins with one");
        }
        refusesPath("/\u00E9", "at position 1 of the path is a character that is not ASCII; "
                + "allowed: its UTF-8, percent-encoded");
    }

    @Test
    void segmentsCannotBeChanged() {
        List<String> segments = UrlDecoding.segments("/a");
        assertThrows(UnsupportedOperationException.class, () -> segments.add("b"));
    }

    /** What takes seconds if work is in proportion to the length, and else days. */
    @Test
    void takesLongTexts() {
        int count = 1_000_000;
        decodes("%C3%A9".repeat(count), "\u00E9".repeat(count));
        assertEquals(count, UrlDecoding.segments("/%2F".repeat(count)).size());
        refuses("%C3%A9".repeat(count) + "%C3", 6 * count,
                " is %C3, which begins no character of UTF-8; allowed: whole characters");
    }

    private static void decodes(String text, String decoded) {
        assertEquals(decoded, UrlDecoding.decode(text));
    }

    private static void splits(String path, String... segments) {
        assertEquals(List.of(segments), UrlDecoding.segments(path));
    }

    private static void refuses(String text, int position, String reason) {
        var refused = assertThrows(IllegalArgumentException.class, () -> UrlDecoding.decode(text), text);
        assertEquals("at position " + position + " of the text" + reason, refused.getMessage());
    }

    private static void refusesPath(String path, String message) {
        var refused = assertThrows(IllegalArgumentException.class, () -> UrlDecoding.segments(path), path);
        assertEquals(message, refused.getMessage());
    }

    /** Whole, and behind another character, from the byte of that number on. */
    private static void refusesBytes(String bytes, int number) {
        String text = "%" + bytes.replace(" ", "%");
        String escape = text.substring(3 * number, 3 * number + 3);
        String reason = " is " + escape + ", which begins no character of UTF-8; allowed: whole characters";
        refuses(text, 3 * number, reason);
        refuses("a%C3%A9" + text, 7 + 3 * number, reason);
    }

    private static String escapes(byte[] bytes) {
        return HexFormat.of().withPrefix("%").formatHex(bytes);
    }
}
