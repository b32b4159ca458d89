package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.microhttp.testing.Readme;

/**
 * A line of {@code requirements.tsv}: what an RFC asks of an origin server, and what becomes of it here.
 *
 * @param paragraph the RFC, the section, and which paragraph of it, as in {@code 9112 2.2 ¶4 b}
 * @param test      a class and a method, or "-"
 */
record Requirement(String paragraph, String level, String asked, Kind kind, String how, String test) {

    private static final Path FILE = Readme.ROOT.resolve("src/test/resources/requirements.tsv");

    /** What becomes of a requirement, by the word that the file has for it. */
    enum Kind {
        KEPT("kept"), HANDLERS("the handler's"), NOT_OURS("not ours"), CHOICE("choice");

        final String word;

        Kind(String word) {
            this.word = word;
        }

        private static Kind of(String word) {
            return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst()
                    .orElseThrow(() -> new AssertionError("requirements.tsv has no kind \"" + word + '"'));
        }
    }

    /** All of the file, in its order. */
    static List<Requirement> all() {
        return Readme.read(FILE).lines().skip(1).map(Requirement::of).toList();
    }

    private static Requirement of(String line) {
        String[] cells = line.split("\t", -1);
        assertEquals(6, cells.length, line);
        return new Requirement(cells[0], cells[1], cells[2], Kind.of(cells[3]), cells[4], cells[5]);
    }
}
