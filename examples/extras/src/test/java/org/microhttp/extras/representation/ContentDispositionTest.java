package org.microhttp.extras.representation;

import static org.junit.jupiter.api.Assertions.*;

import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.Response;
import org.microhttp.testing.Tier;

/** Names of files in a field, as clients read them. */
@Tier.Gate
final class ContentDispositionTest {

    /** The grammar of RFC 6266 §4.1, of what is written here. */
    private static final Pattern VALUE = Pattern.compile(
            "attachment; filename=\"([ !#$&-\\[\\]-~]+)\""
            + "(?:; filename\\*=UTF-8''((?:[\\w.~-]|%[0-9A-F]{2})+))?");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "a.txt | \"a.txt\" |", "`a b (1)'; x=y.txt` | `\"a b (1)'; x=y.txt\"` |", ".. | \"..\" |",
        "na\u00efve.txt | \"na_ve.txt\" | na%C3%AFve.txt", "\u20ac 5 | \"_ 5\" | %E2%82%AC%205",
        "\ud83d\ude00.png | \"_.png\" | %F0%9F%98%80.png", "\ud83d.png | \"_.png\" | %3F.png",
        "a\"b | \"a_b\" | a%22b", "100%.txt | \"100_.txt\" | 100%25.txt", "a%22b | \"a_22b\" | a%2522b",
        "../../etc/passwd | \".._.._etc_passwd\" |", "C:\\a.txt | \"C:_a.txt\" |",
        "a\0\t\u007f\u0085b | \"a____b\" |", "`a\r\nSet-Cookie: x=y` | \"a__Set-Cookie: x=y\" |",
        "a\u202egpj.exe | \"a_gpj.exe\" |", "\u061c\u200f\u2066x | \"___x\" |",
        "\u00e9'*(!# | \"_'*(!#\" | %C3%A9%27%2A%28%21%23"})
    void aNameIsPlainOrGivenTwice(String name, String plain, String encoded) {
        String more = encoded == null ? "" : "; filename*=UTF-8''" + encoded;
        assertEquals("attachment; filename=" + plain + more, ContentDisposition.attachment(name));
    }

    @Test
    void aNameMayBeEmptyButNotNull() {
        assertEquals("attachment", ContentDisposition.attachment(""));
        assertThrows(NullPointerException.class, () -> ContentDisposition.attachment(null));
    }

    /** Whatever a client has sent as a name, the value is one of the grammar, and not too long. */
    @Test
    void randomNamesKeepTheGrammar() {
        var random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            var name = new StringBuilder();
            for (int j = random.nextInt(20); j >= 0; j--) {
                int bound = random.nextBoolean() ? 0x80 : random.nextBoolean() ? 0x3000 : 0x10000;
                name.append((char) random.nextInt(bound));
            }
            String value = ContentDisposition.attachment("" + name);
            Matcher parts = VALUE.matcher(value);
            assertTrue(parts.matches(), value);
            assertTrue(value.length() <= 10 * name.length() + 50, value);
            assertEquals(value, Response.of(200).withHeader("Content-Disposition", value)
                    .header("Content-Disposition"));
            if (parts.group(2) != null) {
                // half of a surrogate pair is a question mark in UTF-8
                String decoded = UrlDecoding.decode(parts.group(2)).replaceAll("[^ -~]|[\"%?]", "_");
                assertEquals(parts.group(1).replace('?', '_'), decoded, value);
            }
        }
    }
}
