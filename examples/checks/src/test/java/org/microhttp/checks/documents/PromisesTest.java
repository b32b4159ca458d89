package org.microhttp.checks.documents;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.AnnotationSupport;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** The page of the tests names every promise, with tests that exist, every long program and every package. */
@Tier.Gate
final class PromisesTest {

    private static final int PROMISES = 38;
    private static final List<String> TIERS = List.of("quick", "gate", "full");
    private static final Map<String, String> SOURCES = Readme.testsByName();
    private static final Path PAGE = Readme.ROOT.resolve("src/test/README.md");
    private static final Path ROOMS = Readme.ROOT.resolve("src/test/java/org/microhttp");

    /** Where a class comment begins with the promises it holds. */
    private static final Pattern HOLDS =
            Pattern.compile("\n/\\*\\*(?:\n \\*)? (R\\d+[abc]?(?:, R\\d+[abc]?)*)");

    private static List<List<String>> table(String title) {
        return Readme.table(Readme.read(PAGE), title);
    }

    /** For each promise the classes that hold it. */
    private static Map<String, Set<String>> promises() {
        return table("promise").stream().collect(toMap(row -> row.get(0),
                row -> TIERS.stream().flatMap(tier -> holders(row, tier)).collect(toSet())));
    }

    /** The classes of one tier: the columns behind the promise and its text. */
    private static Stream<String> holders(List<String> row, String tier) {
        return Stream.of(row.get(2 + TIERS.indexOf(tier)).split(", ")).filter(name -> !name.isEmpty());
    }

    /** A class without a tag is quick, even if some of its methods have one. */
    private static String tier(String name) {
        Matcher folder = Pattern.compile("(?m)^package (.*);").matcher(SOURCES.get(name));
        assertTrue(folder.find(), name);
        try {
            Class<?> type = Class.forName(folder.group(1) + "." + name);
            return AnnotationSupport.findRepeatableAnnotations(type, Tag.class).stream().map(Tag::value)
                    .findFirst().orElse("quick");
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyHolderIsInTheColumnOfItsTier() {
        Set<String> programs = longPrograms();
        for (List<String> row : table("promise")) {
            for (String tier : TIERS) {
                holders(row, tier).forEach(name -> assertEquals(
                        programs.contains(name) ? "full" : tier(name), tier, row.get(0) + " has " + name
                        + " in the column of another tier. The column says which command checks a promise: "
                        + "move the name."));
            }
        }
    }

    @Test
    void everyPromiseIsListedOnce() {
        List<String> all = Stream.concat(IntStream.rangeClosed(1, PROMISES).mapToObj(i -> "R" + i),
                Stream.of("R4a", "R4b", "R4c")).sorted().toList();
        assertEquals(all, table("promise").stream().map(row -> row.get(0)).sorted().toList(),
                "The page of the tests is where each promise finds its test: give it one row.");
    }

    @Test
    void everyPromiseIsHeldByATestThatThereIs() {
        Set<String> programs = longPrograms();
        promises().forEach((promise, holders) -> {
            assertTrue(holders.stream().anyMatch(name -> name.endsWith("Test")), promise);
            for (String name : holders) {
                assertTrue(SOURCES.containsKey(name) || programs.contains(name), promise
                        + " names " + name + ", which is not there. Name the test that holds it now.");
                assertTrue(name.endsWith("Test") || programs.contains(name), promise + ": " + name);
            }
        });
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

    /** Also those that Maven does not run, which say so in the same way. */
    @Test
    void whatSaysThatItHoldsAPromiseIsListedThere() {
        Map<String, Set<String>> promises = promises();
        SOURCES.forEach((name, source) -> {
            Matcher comment = HOLDS.matcher(source);
            if (comment.find()) {
                for (String promise : comment.group(1).split(", ")) {
                    assertTrue(promises.get(promise).contains(name), name + " says that it holds " + promise
                            + ": name it in that row of the page of the tests.");
                }
            }
        });
    }

    private static Set<String> longPrograms() {
        return table("mode").stream().map(row -> row.get(0)).collect(toCollection(TreeSet::new));
    }

    @Test
    void everyModeIsListedWhereItIsDescribedAndWhereItIsRun() {
        String script = Readme.read(Readme.ROOT.resolve("examples/checks/full"));
        Matcher list = Pattern.compile("(?m)^all=\\(([\\w\\s]+)\\)$").matcher(script);
        assertTrue(list.find());
        var modes = new TreeSet<>(Set.of(list.group(1).split("\\s+")));
        assertEquals(modes, longPrograms(), "The page of the tests says what each mode does.");
        modes.forEach(mode -> assertTrue(Pattern.compile("(?m)^#   " + mode + " ").matcher(script).find(),
                "The comment of examples/checks/full does not name " + mode + ". Say what it does."));
    }

    @Test
    void everyPackageIsListedAndSaysWhatIsInIt() {
        Set<Path> packages = Readme.sources("src/test/java").stream().map(Path::getParent).collect(toSet());
        Set<Path> listed = Readme.links(PAGE).stream().map(link -> PAGE.resolveSibling(link).normalize())
                .collect(toSet());
        for (Path folder : packages) {
            assertTrue(Files.exists(folder.resolve("package-info.java")), folder + " has no package comment");
            boolean ofARoom = folder.endsWith("tools") && !folder.getParent().equals(ROOMS);
            assertTrue(listed.contains(folder) || folder.equals(ROOMS) || ofARoom, folder
                    + " is not on the page of the tests, where one looks for a test. Add a link to it.");
        }
    }
}
