package org.microhttp;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.RecordComponent;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.Readme;

/** The page on what to do names options, events and numbers that there are, and each warning. */
final class RunbookTest {

    private static final String PAGE = Readme.read(Readme.PAGES.resolve("runbook.md"));

    private static final String GONE = "The runbook names what the library does not have. Correct the name.";

    private static List<String> firstColumn(String title) {
        List<List<String>> rows = Readme.table(PAGE, title);
        rows.forEach(row -> row.forEach(cell -> assertTrue(!cell.isEmpty(), () -> "" + row)));
        return rows.stream().flatMap(row -> Stream.of(row.get(0).split(", "))).toList();
    }

    @Test
    void namesOptionsAndEventsThatThereAre() {
        assertEquals(List.of(), others("what can be set", "option"), GONE);
        assertEquals(List.of(), others("event in the log", "event"), GONE);
    }

    /** What one table names and the other does not. */
    private static List<String> others(String title, String known) {
        List<String> names = Readme.table(known).stream().map(row -> row.get(0)).toList();
        return firstColumn(title).stream().filter(name -> !names.contains(name)).toList();
    }

    @Test
    void saysWhatToDoAtEachWarning() {
        Set<String> told = Readme.table(PAGE, "event in the log").stream()
                .filter(row -> !row.get(1).equals("nothing")).map(row -> row.get(0))
                .collect(toCollection(TreeSet::new));
        assertEquals(List.of(), SystemLogger.WARNINGS.stream().filter(event -> !told.contains(event))
                .toList(), "A warning is for an operator to act on: say in the runbook what to do.");
    }

    @Test
    void saysWhatIsNormalOfEachNumber() {
        assertEquals(Arrays.stream(Stats.class.getRecordComponents()).map(RecordComponent::getName)
                .sorted().toList(), firstColumn("number of `Stats`").stream().sorted().toList(),
                "An operator looks at each number of Stats: say in the runbook what is normal.");
    }

    /** A word with an underscore in it is a code or an event, or the kernel's and the name of a protocol. */
    @Test
    void namesNoCodeThatThereIsNot() {
        Set<String> known = Arrays.stream(Refusal.values()).map(why -> why.code)
                .collect(toCollection(TreeSet::new));
        Readme.table("event").forEach(row -> known.add(row.get(0)));
        List<String> others = Pattern.compile("`((?!tcp_)[a-z]+(?:_[a-z]+)+)`").matcher(PAGE).results()
                .map(match -> match.group(1)).filter(code -> !known.contains(code)).toList();
        assertEquals(List.of(), others, GONE);
    }
}
