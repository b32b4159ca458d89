package org.microhttp.checks.documents;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.testing.Readme;

/**
 * A line of the page on conformance: what an RFC asks of an origin server, and what becomes of it here.
 *
 * @param paragraph the RFC, the section, and which paragraph of it, as in {@code 9112 2.2 ¶4 b}
 * @param here      begins with a {@link Kind}
 * @param test      a class and a method, or "-"
 */
record Requirement(String paragraph, String level, String asked, String here, String test) {

    static final Path PAGE = Readme.PAGES.resolve("conformance.md");

    /** What becomes of a requirement, by the word that its line begins with. */
    enum Kind {
        KEPT("kept"), HANDLERS("the handler's"), NOT_OURS("not ours"), CHOICE("choice");

        final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /** All of the page, in its order. */
    static List<Requirement> all() {
        List<Requirement> all = new ArrayList<>();
        for (String rfc : List.of("9110", "9112", "9931")) {
            for (List<String> row : Readme.table(Readme.read(PAGE), "RFC " + rfc)) {
                String paragraph = rfc + " " + row.get(0);
                all.add(new Requirement(paragraph, row.get(1), row.get(2), row.get(3), row.get(4)));
            }
        }
        return all;
    }

    Kind kind() {
        for (Kind kind : Kind.values()) {
            if (here.startsWith(kind.word + ": ")) return kind;
        }
        throw new AssertionError(paragraph + " is of no kind: " + here);
    }
}
