package org.microhttp.checks.documents;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** Every promise has tests that exist, every long program a comment, and every package, too. */
@Tier.Gate
final class PromisesTest {

    private static final int PROMISES = 38;
    private static final Map<String, String> SOURCES = Readme.testsByName();
    private static final String SCRIPT = Readme.read(Readme.ROOT.resolve("examples/checks/full"));

    /** A paragraph of the file: number and promise, then the names of its tests. */
    private record Promise(String number, List<String> tests) { }

    private static List<Promise> promises() {
        String text = Readme.read(Readme.ROOT.resolve("src/test/resources/promises.txt"));
        Pattern paragraph = Pattern.compile("(?m)^(R\\w+) .*\n(?:\\S.*\n)*((?: +\\S.*\n)*)");
        return paragraph.matcher(text).results()
                .map(match -> new Promise(match.group(1), List.of(match.group(2).strip().split("\\s+"))))
                .toList();
    }

    private static Set<String> modes() {
        Matcher list = Pattern.compile("(?m)^all=\\(([\\w\\s]+)\\)$").matcher(SCRIPT);
        assertTrue(list.find());
        return Set.of(list.group(1).split("\\s+"));
    }

    @Test
    void everyPromiseIsListedOnce() {
        List<String> all = Stream.concat(IntStream.rangeClosed(1, PROMISES).mapToObj(i -> "R" + i),
                Stream.of("R4a", "R4b", "R4c")).sorted().toList();
        assertEquals(all, promises().stream().map(Promise::number).sorted().toList(),
                "promises.txt is where each promise finds its tests: give it one paragraph.");
    }

    @Test
    void everyPromiseIsCheckedByTestsThatThereAre() {
        Set<String> modes = modes();
        for (Promise promise : promises()) {
            List<String> missing = promise.tests.stream()
                    .filter(name -> !modes.contains(name) && !SOURCES.containsKey(name)).toList();
            assertEquals(List.of(), missing, promise.number + " names tests that are not there.");
            assertTrue(promise.tests.stream().anyMatch(name -> name.endsWith("Test")),
                    promise.number + " has no test that Maven runs.");
        }
    }

    @Test
    void whatUsersAskForIsShownByTestsThatThereAre() {
        String page = Readme.read(Readme.ROOT.resolve("examples/extras/README.md"));
        for (List<String> row : Readme.table(page, "users ask for")) {
            String shown = row.get(2);
            boolean there = shown.equals("-") || SOURCES.containsKey(shown)
                    || Files.isExecutable(Readme.ROOT.resolve(shown));
            assertTrue(there, row.get(0) + " names " + shown + ", which is not there");
        }
    }

    @Test
    void everyModeIsDescribedWhereItIsRun() {
        modes().forEach(mode -> assertTrue(Pattern.compile("(?m)^#   " + mode + " ").matcher(SCRIPT).find(),
                "The comment of examples/checks/full does not name " + mode + ". Say what it does."));
    }

    @Test
    void everyPackageSaysWhatIsInIt() {
        Set<Path> packages = Readme.sources("src/test/java").stream().map(Path::getParent).collect(toSet());
        for (Path folder : packages) {
            assertTrue(Files.exists(folder.resolve("package-info.java")), folder + " has no package comment");
        }
    }
}
