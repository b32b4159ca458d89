package org.microhttp.checks.documents;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.checks.documents.Requirement.Kind;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** Each requirement has a line, with a test that there is; the page on conformance has the same sums. */
@Tier.Gate
final class RequirementsTest {

    private static final Set<String> LEVELS = Set.of("MUST", "MUST NOT", "SHOULD", "SHOULD NOT");
    private static final Pattern PARAGRAPH = Pattern.compile("9(110|112|931) [0-9.]+ ¶[0-9]+( [b-z])?");
    private static final Pattern COUNT = Pattern.compile("(?m)^\\| ([^|]+) \\| ([0-9]+) \\|");
    private static final String PAGE = Readme.read(Readme.PAGES.resolve("conformance.md"));

    private final List<Requirement> all = Requirement.all();

    @Test
    void everyLineIsWhole() {
        for (Requirement line : all) {
            assertTrue(PARAGRAPH.matcher(line.paragraph()).matches(), line::toString);
            assertTrue(LEVELS.contains(line.level()), line::toString);
            assertTrue(!line.asked().isBlank() && !line.how().isBlank(), line::toString);
        }
        Map<String, Long> times = all.stream().collect(groupingBy(Requirement::paragraph, counting()));
        assertEquals(List.of(), times.keySet().stream().filter(line -> times.get(line) > 1).toList());
    }

    /** What is kept, or otherwise by choice, is shown by a test. */
    @Test
    void everyTestIsThere() {
        Map<String, String> sources = Readme.testsByName();
        for (Requirement line : all) {
            boolean shown = line.kind() == Kind.KEPT || line.kind() == Kind.CHOICE;
            if (!shown && line.test().equals("-")) continue;
            String[] names = line.test().split("\\.");
            assertEquals(2, names.length, line::toString);
            String source = sources.getOrDefault(names[0], "");
            assertTrue(Pattern.compile("@(?:Test|ParameterizedTest|TestFactory)\\b(?:[^;{}]|\\{[^{}]*})*\\s"
                    + names[1] + "\\(").matcher(source).find(), () -> "In requirements.tsv "
                    + line.paragraph() + " has no test that is there. Name the one that shows it now.");
        }
    }

    /** What is kept names the class that keeps it; those of one word may be fields. */
    @Test
    void everyClassIsThere() {
        Set<String> classes = Readme.sourcesByName("src/main/java", "examples").keySet();
        Pattern name = Pattern.compile("\\b(?:[A-Z][a-z]+){2,}\\b");
        assertEquals(List.of(), all.stream().filter(line -> line.kind() == Kind.KEPT)
                .flatMap(line -> name.matcher(line.how()).results()).map(MatchResult::group)
                .filter(named -> !classes.contains(named)).toList(), "The file requirements.tsv names classes"
                + " that are not there. Name those that keep the requirement now.");
    }

    /** What is kept has a fault that breaks it, and nothing else has. */
    @Test
    void everyKeptLineHasAFaultToPlant() {
        List<Requirement> kept = all.stream().filter(line -> line.kind() == Kind.KEPT).toList();
        assertEquals(kept.stream().map(Requirement::paragraph).toList(),
                PlantedFault.all().stream().map(PlantedFault::name).toList(), "planted.txt has one fault"
                + " for each requirement that is kept, in that order. Add it there, or take it away.");
    }

    @Test
    void thePageHasTheSums() {
        Map<String, Integer> sums = new TreeMap<>(Map.of("all", all.size()));
        all.forEach(line -> sums.merge(line.kind().word, 1, Integer::sum));
        Map<String, Integer> page = new TreeMap<>();
        COUNT.matcher(PAGE).results()
                .forEach(row -> page.put(row.group(1), Integer.valueOf(row.group(2))));
        assertEquals(sums, page, "The page on conformance has other sums than requirements.tsv. Correct it.");
    }

    @Test
    void thePageHasEveryChoice() {
        List<String> page = PARAGRAPH.matcher(PAGE).results().map(MatchResult::group).toList();
        List<Requirement> choices = all.stream().filter(line -> line.kind() == Kind.CHOICE).toList();
        assertEquals(choices.stream().map(Requirement::paragraph).toList(), page, "The page on conformance"
                + " says why a requirement is not followed: give each choice a line, in their order.");
    }

    @Test
    void everyFaultHasItsPlace() {
        var files = Stream.of(PlantedFault.all(), PlantedFault.ofStreams(), PlantedFault.ofUploads(),
                PlantedFault.ofUpgrades());
        var faults = files.flatMap(List::stream);
        assertAll(faults.map(fault -> () -> assertDoesNotThrow(fault::source,
                () -> "The fault \"" + fault.name() + "\" has no place any more. It shows that a test notices"
                + " when a requirement or promise is broken. In planted.txt or its sisters choose"
                + " the class, the method and the place where the rule is checked now.")));
    }
}
