package org.microhttp.checks.documents;

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
    private static final Set<String> MODES = table("mode").stream().map(row -> row.get(0)).collect(toSet());

    private static List<List<String>> table(String title) {
        return Readme.table(Readme.read(PAGE), title);
    }

    /** A class without a tag is quick, even if some of its methods have one. */
    private static String tier(String name) throws ClassNotFoundException {
        Matcher folder = Pattern.compile("(?m)^package (.*);").matcher(SOURCES.getOrDefault(name, ""));
        assertTrue(folder.find(), name + " is not there. Name the test that holds the promise now.");
        Class<?> type = Class.forName(folder.group(1) + "." + name);
        return AnnotationSupport.findRepeatableAnnotations(type, Tag.class).stream().map(Tag::value)
                .findFirst().orElse("quick");
    }

    @Test
    void everyPromiseIsListedOnce() {
        List<String> all = Stream.concat(IntStream.rangeClosed(1, PROMISES).mapToObj(i -> "R" + i),
                Stream.of("R4a", "R4b", "R4c")).sorted().toList();
        assertEquals(all, table("promise").stream().map(row -> row.get(0)).sorted().toList(),
                "The page of the tests is where each promise finds its test: give it one row.");
    }

    /** The columns behind the promise and its text say which command checks it. */
    @Test
    void everyPromiseIsHeldByATestOfItsTier() throws Exception {
        for (List<String> row : table("promise")) {
            assertTrue(String.join(" ", row.subList(2, row.size())).contains("Test"), row::toString);
            for (String tier : TIERS) {
                for (String name : row.get(2 + TIERS.indexOf(tier)).split(", ")) {
                    if (name.isEmpty()) continue;
                    assertEquals(tier, MODES.contains(name) ? "full" : tier(name), row.get(0) + " has " + name
                            + " in the column of another tier: move the name.");
                }
            }
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
    void everyModeIsListedWhereItIsDescribedAndWhereItIsRun() {
        String script = Readme.read(Readme.ROOT.resolve("examples/checks/full"));
        Matcher list = Pattern.compile("(?m)^all=\\(([\\w\\s]+)\\)$").matcher(script);
        assertTrue(list.find());
        var modes = new TreeSet<>(Set.of(list.group(1).split("\\s+")));
        assertEquals(modes, new TreeSet<>(MODES), "The page of the tests says what each mode does.");
        modes.forEach(mode -> assertTrue(Pattern.compile("(?m)^#   " + mode + " ").matcher(script).find(),
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
