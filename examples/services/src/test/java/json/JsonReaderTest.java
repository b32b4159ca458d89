package json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.routing.RequestException;
import org.microhttp.tools.reporting.Json;

/** JSON as RFC 8259 has it is read, and nothing else. */
final class JsonReaderTest {

    private static Object read(String text) {
        return JsonReader.read(text.getBytes(UTF_8));
    }

    /** What is read, written again. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "null | null", "true | true", "` \t\n\r false \t\n\r ` | false",
        "0 | 0", "-0 | 0", "-1 | -1", "1234567890 | 1234567890", "0.5 | 0.5", "1e2 | 100.0", "1E+2 | 100.0",
        "-1.5e-3 | -0.0015", "1e-999 | 0.0",
        "9223372036854775807 | 9223372036854775807", "-9223372036854775808 | -9223372036854775808",
        "9223372036854775808 | 9.223372036854776E18",
        "100000000000000000000 | 1.0E20",
        "`\"\"` | `\"\"`", "`\"a b\"` | `\"a b\"`",
        "`\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"` | `\"\\\"\\\\/\\u0008\\u000c\\u000a\\u000d\\u0009\"`",
        "`\"\\u00e9\\u00E9\\ud83d\\uDE00\"` | `\"\\u00e9\\u00e9\\ud83d\\ude00\"`",
        "`\"\u00e9\uD83D\uDE00\u007f\u2028\"` | `\"\\u00e9\\ud83d\\ude00\\u007f\\u2028\"`",
        "`\"\\u0000\"` | `\"\\u0000\"`",
        "[] | []", "[ ] | []", "[1 , [2,null ] ] | [1,[2,null]]",
        "{} | {}", "{ } | {}", "`{\"a\" : {\"\":[]} , \"b\":1}` | `{\"a\":{\"\":[]},\"b\":1}`"})
    void validJsonIsRead(String text, String written) {
        assertEquals(written, Json.text(read(text)));
        assertEquals(read(text), read(Json.text(read(text))));
    }

    /** The position is that of what is wrong. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "`` | 0", "` ` | 1", "x | 0", "nul | 0", "nullx | 4", "NULL | 0", "truefalse | 4", "1 2 | 2",
        "NaN | 0", "Infinity | 0", "-Infinity | 0", "+1 | 0",
        "01 | 1", "-01 | 2", "- | 0", ".5 | 0", "1. | 1",
        "1.e1 | 1", "1e | 1", "1e+ | 1", "0x10 | 1", "1e999 | 0", "-1e999 | 0", "1_000 | 1", "\u0661 | 0",
        "`\"` | 1", "`\"a` | 2", "`\"\t\"` | 1", "`\"\n\"` | 1", "'a' | 0",
        "`\"\\` | 2", "`\"\\x\"` | 2", "`\"\\0\"` | 2", "`\"\\u12\"` | 5",
        "`\"\\u00g0\"` | 5", "`\"\\U0041\"` | 2",
        "`\"\\u000\u0661\"` | 6", "`\"\\ud83d\"` | 2",
        "`\"\\ude00\"` | 2", "`\"\\ud83d\\ud83d\"` | 2",
        "`\"\\ud83dx\"` | 2", "`\"\\ud83d\\u\"` | 9",
        "[ | 1", "] | 0", "[1 | 2", "[1,] | 3", "[,1] | 1", "[1 2] | 3", "[1] ] | 4",
        "{ | 1", "} | 0", "{a:1} | 1", "{1:1} | 1", "`{\"a\"}` | 4", "`{\"a\":}` | 5", "`{\"a\":1` | 6",
        "`{\"a\":1,}` | 7", "`{\"a\":1 \"b\":2}` | 7", "`{\"a\":1,\"a\":1}` | 7",
        "`{\"a\":1,\"\\u0061\":1}` | 7",
        "// | 0", "/**/1 | 0", "[1]// | 3", "\uFEFF1 | 0", "\u00A01 | 0", "1\u00A0 | 1"})
    void invalidJsonIsRefusedWithItsPosition(String text, int position) {
        var refused = assertThrows(RequestException.class, () -> read(text));
        String message = refused.getMessage();
        assertTrue(message.startsWith("the JSON is wrong at position " + position + "; allowed: "), message);
        assertTrue(message.chars().allMatch(c -> c >= ' ' && c < 0x7F), message);
    }

    /** Some of which a table would lose. */
    @Test
    void refusesControlCharacters() {
        for (char c = 0; c < ' '; c++) {
            String string = "\"" + c + "\"";
            assertThrows(RequestException.class, () -> read(string), string);
            String space = "1" + c;
            if ("\t\n\r".indexOf(c) < 0) {
                assertThrows(RequestException.class, () -> read(space), space);
            }
        }
    }

    /** Overlong, cut, a surrogate, above U+10FFFF, and not of UTF-8 at all. */
    @ParameterizedTest
    @ValueSource(strings = {"\"\u00C0\u00AF\"", "\"\u00C3\"", "\"\u00ED\u00A0\u0080\"",
        "\"\u00F4\u0090\u0080\u0080\"", "\"\u00FF\"", "\u00FE\u00FF\u00001"})
    void invalidUtf8IsRefused(String bytes) {
        var refused = assertThrows(RequestException.class,
                () -> JsonReader.read(bytes.getBytes(ISO_8859_1)));
        assertEquals("the JSON is not encoded in UTF-8", refused.getMessage());
    }

    @Test
    void nestsToItsLimitAndNoDeeper() {
        int most = JsonReader.MAX_DEPTH;
        Object value = read("[".repeat(most) + "]".repeat(most));
        for (int i = 1; i < most; i++) {
            value = ((List<?>) value).get(0);
        }
        assertEquals(List.of(), value);
        for (String level : List.of("[", "{\"a\":")) {
            var refused = assertThrows(RequestException.class, () -> read(level.repeat(1_000_000)));
            String position = "at position " + most * level.length() + ";";
            assertTrue(refused.getMessage().contains(position), refused.getMessage());
        }
    }

    /** A reader that copied, or looked twice, would take hours for these. */
    @Test
    void takesTimeInProportionToTheText() {
        int size = 1_000_000;
        assertEquals(size, ((String) read('"' + "\\u0041".repeat(size) + '"')).length());
        assertEquals(size, ((List<?>) read("[" + "0,".repeat(size - 1) + "0]")).size());
        assertThrows(RequestException.class, () -> read("1" + "0".repeat(size)));
        assertEquals(0.0, read("0." + "0".repeat(size) + "e-999999999"));
        var names = new StringBuilder("{\"x\":0");
        // names with one hash code: each two letters are "Aa" or "BB"
        for (int i = 0; i < 1 << 16; i++) {
            names.append(",\"");
            for (int bit = 1; bit < 1 << 16; bit <<= 1) {
                names.append((i & bit) == 0 ? "Aa" : "BB");
            }
            names.append("\":0");
        }
        assertEquals(1 + (1 << 16), ((Map<?, ?>) read(names + "}")).size());
    }

    @Test
    void readValuesAreImmutable() {
        assertThrows(UnsupportedOperationException.class, () -> ((List<?>) read("[1]")).clear());
        assertThrows(UnsupportedOperationException.class, () -> ((Map<?, ?>) read("{\"a\":1}")).clear());
    }

    @Test
    void infiniteNumbersAreRefused() {
        for (Number number : List.of(Double.NaN, Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY)) {
            assertThrows(IllegalArgumentException.class, () -> Json.text(List.of(number)));
        }
    }
}
