package org.microhttp.tools.testing;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import java.nio.file.Path;
import java.util.*;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.microhttp.testing.Readme;

/** The long names of a tool's flags: as the pages of the examples have them, and as its help shows them. */
public final class ToolFlags {

    private static final Pattern NAME = Pattern.compile("--[a-z-]+");

    private ToolFlags() {
    }

    /** Compares the flags of a help with those of the tables whose first columns have these titles. */
    public static void assertWritten(String help, String... titles) {
        String tables = Stream.of(titles).map(title -> "\"" + title + "\" of "
                + Readme.ROOT.relativize(page(title))).collect(joining(", "));
        Readme.assertSame(shown(help), written(titles), "Users look up a flag in the help and in the tables "
                + tables + ". Give each flag of the help a row there, and no other.");
    }

    private static Set<String> written(String... titles) {
        return Stream.of(titles).flatMap(title -> Readme.table(Readme.read(page(title)), title).stream())
                .flatMap(row -> NAME.matcher(row.get(0)).results())
                .map(MatchResult::group).collect(toCollection(TreeSet::new));
    }

    /** The page of the examples comes first, for other documents have tables of flags, too. */
    private static Path page(String title) {
        return Stream.concat(Stream.of(Readme.EXAMPLES), Readme.documents().stream())
                .filter(page -> !Readme.table(Readme.read(page), title).isEmpty()).findFirst()
                .orElseThrow(() -> new AssertionError("no document has a table of " + title));
    }

    /** Those with which lines of the help begin. */
    private static Set<String> shown(String help) {
        return help.lines().filter(line -> line.matches("  [- ].*"))
                .flatMap(line -> NAME.matcher(line).results().limit(1))
                .map(MatchResult::group).collect(toCollection(TreeSet::new));
    }
}
