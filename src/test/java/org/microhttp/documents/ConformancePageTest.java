package org.microhttp.documents;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.microhttp.documents.Requirement.Kind;
import org.microhttp.tools.Readme;
import org.microhttp.tools.Tier;

/** The page on conformance has for each requirement what becomes of it, and a test that there is. */
@Tier.Gate
final class ConformancePageTest {

    private static final Set<String> LEVELS = Set.of("MUST", "MUST NOT", "SHOULD", "SHOULD NOT");
    private static final Pattern PARAGRAPH = Pattern.compile("91(10|12) [0-9.]+ ¶[0-9]+( [b-z])?");

    private final List<Requirement> all = Requirement.all();

    @Test
    void everyLineIsWhole() {
        for (Requirement line : all) {
            assertTrue(PARAGRAPH.matcher(line.paragraph()).matches(), line::toString);
            assertTrue(LEVELS.contains(line.level()), line::toString);
            assertTrue(!line.asked().isEmpty() && line.here().length() > line.kind().word.length() + 2);
        }
        Map<String, Long> times = all.stream().collect(groupingBy(Requirement::paragraph, counting()));
        assertEquals(List.of(), times.keySet().stream().filter(line -> times.get(line) > 1).toList());
    }

    /** What is kept, or otherwise by choice, is shown by a test. */
    @Test
    void everyTestIsThere() {
        Map<String, String> sources = Readme.sources("src/test/java").stream()
                .filter(file -> !Readme.name(file).endsWith("-info"))
                .collect(toMap(Readme::name, Readme::read));
        for (Requirement line : all) {
            boolean shown = line.kind() == Kind.KEPT || line.kind() == Kind.CHOICE;
            if (!shown && line.test().equals("-")) continue;
            String[] names = line.test().split("\\.");
            assertEquals(2, names.length, line::toString);
            String source = sources.getOrDefault(names[0], "");
            assertTrue(Pattern.compile("@(?:Test|ParameterizedTest|TestFactory)\\b(?:[^;{}]|\\{[^{}]*})*\\s"
                    + names[1] + "\\(").matcher(source).find(), line::toString);
        }
    }

    /** The sources that a line names are there. */
    @Test
    void everyClassIsThere() {
        Set<String> classes = Readme.sources("src/main/java").stream().map(Readme::name)
                .collect(toCollection(TreeSet::new));
        Readme.sources("examples").forEach(file -> classes.add(Readme.name(file)));
        Matcher named = Pattern.compile("`([A-Z][a-z]\\w+)").matcher(Readme.read(Requirement.PAGE).lines()
                .filter(line -> line.contains(" | kept: ")).map(line -> line.split(" \\| ")[3])
                .reduce("", (text, line) -> text + line + "\n"));
        while (named.find()) {
            assertTrue(classes.contains(named.group(1)) || isFieldName(named.group(1)), named.group(1));
        }
    }

    private static boolean isFieldName(String word) {
        return Set.of("Host", "Date", "Connection", "Content", "Transfer", "Expect", "Allow", "Server",
                "Retry", "Upgrade").contains(word);
    }

    /** What is kept has a fault that breaks it, and nothing else has. */
    @Test
    void everyKeptLineHasAFaultToPlant() {
        List<Requirement> kept = all.stream().filter(line -> line.kind() == Kind.KEPT).toList();
        assertEquals(kept.stream().map(Requirement::paragraph).toList(),
                PlantedFault.all().stream().map(PlantedFault::paragraph).toList(), "planted.txt has one fault"
                + " for each line of the page that is kept, in that order. Add it there, or take it away.");
    }

    @Test
    void everyFaultHasItsPlace() {
        assertAll(PlantedFault.all().stream().map(fault -> () -> assertDoesNotThrow(fault::source,
                () -> "The fault of requirement " + fault.paragraph() + " has no place any more. It shows"
                + " that a test notices when the requirement is broken. In planted.txt choose the class,"
                + " the method and the place where the rule is checked now.")));
    }

    /** The sums of the page. */
    @Test
    void addsUp() {
        Map<Kind, Long> sums = all.stream().collect(groupingBy(Requirement::kind, counting()));
        Map<String, String> written = Readme.table(Readme.read(Requirement.PAGE), "what becomes of it")
                .stream().collect(toMap(row -> row.get(0), row -> row.get(1)));
        for (Kind kind : Kind.values()) {
            assertEquals("" + sums.getOrDefault(kind, 0L), written.get(kind.word), kind.word);
        }
        String summary = all.size() + " requirements";
        assertTrue(Readme.read(Readme.README).contains(summary), summary);
        assertTrue(Readme.read(Requirement.PAGE).contains(summary), summary);
    }
}
