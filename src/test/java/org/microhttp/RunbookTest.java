package org.microhttp;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.Readme;

/** The page on what to do leaves nothing out of what can be set, is told, and is counted. */
final class RunbookTest {

    private static final String PAGE = Readme.read(Readme.PAGES.resolve("runbook.md"));

    private static List<String> firstColumn(String title) {
        List<List<String>> rows = Readme.table(PAGE, title);
        rows.forEach(row -> row.forEach(cell -> assertTrue(!cell.isEmpty(), () -> "" + row)));
        return rows.stream().flatMap(row -> Stream.of(row.get(0).split(", "))).toList();
    }

    @Test
    void saysWhatCallsForEachOption() {
        assertEquals(Readme.table("option").stream().map(row -> row.get(0)).toList(),
                firstColumn("what can be set"));
    }

    @Test
    void saysWhatToDoAtEachEvent() {
        assertEquals(Readme.table("event").stream().map(row -> row.get(0)).toList(),
                firstColumn("event in the log"));
    }

    /** What is a warning is for somebody to look at. */
    @Test
    void noWarningIsForNothing() {
        Set<String> nothing = Readme.table(PAGE, "event in the log").stream()
                .filter(row -> row.get(1).equals("nothing")).map(row -> row.get(0))
                .collect(toCollection(TreeSet::new));
        assertTrue(SystemLogger.WARNINGS.stream().noneMatch(nothing::contains), nothing::toString);
    }

    @Test
    void saysWhatIsNormalOfEachNumber() {
        assertEquals(Arrays.stream(Stats.class.getRecordComponents()).map(RecordComponent::getName).toList(),
                firstColumn("number of `Stats`"));
    }

    /** A word with an underscore in it is a code or an event; those of the kernel have no other letters. */
    @Test
    void namesNoCodeThatThereIsNot() {
        Set<String> known = Arrays.stream(Refusal.values()).map(why -> why.code)
                .collect(toCollection(TreeSet::new));
        Readme.table("event").forEach(row -> known.add(row.get(0)));
        String ours = PAGE.substring(0, PAGE.indexOf("## The kernel"));
        Pattern.compile("`([a-z]+(?:_[a-z]+)+)`").matcher(ours).results().map(match -> match.group(1))
                .forEach(code -> assertTrue(known.contains(code), code));
    }
}
