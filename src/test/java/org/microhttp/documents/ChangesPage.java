package org.microhttp.documents;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.microhttp.testing.Readme;

/** The changes by version, the newest first: all are dated, but the first may be pending. */
record ChangesPage(List<Section> sections) {

    /**
     * What differs in one version.
     *
     * @param state "pending", or a date
     */
    record Section(String version, String state, String text) {

        boolean isPending() {
            return state.equals("pending");
        }
    }

    private static final Pattern HEADING =
            Pattern.compile("(?m)^## (\\d+\\.\\d+\\.\\d+) \\((pending|\\d{4}-\\d{2}-\\d{2})\\)$");

    static ChangesPage read() {
        return parse(Readme.read(Readme.PAGES.resolve("changes.md")));
    }

    static ChangesPage parse(String text) {
        List<MatchResult> headings = HEADING.matcher(text).results().toList();
        return new ChangesPage(IntStream.range(0, headings.size()).mapToObj(i -> {
            MatchResult heading = headings.get(i);
            int end = i + 1 < headings.size() ? headings.get(i + 1).start() : text.length();
            return new Section(heading.group(1), heading.group(2), text.substring(heading.end(), end));
        }).toList());
    }

    Section top() {
        return sections.get(0);
    }

    /** The last release; the one that is to come, if it is the first. */
    String released() {
        return sections.get(top().isPending() && sections.size() > 1 ? 1 : 0).version;
    }
}
