package org.microhttp.wire.model;

import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A mistake in a file of vectors is reported with its line, and a set makes several vectors. */
class VectorFileTest {

    private static List<String> parse(String text) {
        return VectorFile.parse("file", text, paragraph -> {
            var all = new StringBuilder(paragraph.section() + " " + paragraph.name());
            paragraph.forEach(line -> {
                if (line.mark() != '>') throw new IllegalArgumentException("unknown mark");
                all.append(' ').append(Escapes.expand(line.text()));
            });
            return all.toString();
        });
    }

    @ParameterizedTest
    @CsvSource({">GET, 'no mark, then a space: >GET'", "xx GET, 'no mark, then a space: xx GET'",
        "? GET, unknown mark: ? GET", "> a\\q, unknown escape \\q: > a\\q", "> {ab, a brace is not closed",
        "> {ab}, no * and number in {ab}: > {ab}"})
    void mistakeIsReportedWithItsLine(String line, String expected) {
        String text = "# a comment\n\n## section\n\nname\n> good\n" + line + "\n";
        var thrown = assertThrows(IllegalArgumentException.class, () -> parse(text));
        assertTrue(thrown.getMessage().matches("file line (5|7): .*"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(expected), thrown.getMessage());
    }

    @Test
    void setMakesAVectorForEachMember() {
        assertEquals(List.of("s n (\\x61) a-a", "s n (\\x62) b-b", "s m (GET) GET /", "s m (PUT) PUT /"),
                parse("## s\n\nn\n> {any ab}-{any}\n\nm\n> {each GET PUT} /\n"));
    }
}
