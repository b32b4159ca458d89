package org.microhttp.examples.tools;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.*;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.microhttp.tools.Readme;

/** The long names of a tool's flags: as the pages of the examples have them, and as its help shows them. */
public final class ToolFlags {

    private static final Pattern NAME = Pattern.compile("--[a-z-]+");

    private ToolFlags() {
    }

    /** Compares the flags of a help with those of the tables whose first columns have these titles. */
    public static void assertWritten(String help, String... titles) {
        assertEquals(shown(help), written(titles), () -> "The help and the tables of " + List.of(titles)
                + " have different flags, and people look them up in both: add rows to the tables, or"
                + " remove some.");
    }

    private static Set<String> written(String... titles) {
        return Stream.of(titles).flatMap(title -> rows(title).stream())
                .flatMap(row -> NAME.matcher(row.get(0)).results())
                .map(MatchResult::group).collect(toCollection(TreeSet::new));
    }

    /** The page of the examples is looked at first, for other documents have tables of flags, too. */
    private static List<List<String>> rows(String title) {
        List<List<String>> rows = Readme.table(Readme.read(Readme.EXAMPLES), title);
        return rows.isEmpty() ? Readme.table(title) : rows;
    }

    /** Those with which lines of the help begin. */
    private static Set<String> shown(String help) {
        return help.lines().filter(line -> line.matches("  [- ].*"))
                .flatMap(line -> NAME.matcher(line).results().limit(1))
                .map(MatchResult::group).collect(toCollection(TreeSet::new));
    }
}
