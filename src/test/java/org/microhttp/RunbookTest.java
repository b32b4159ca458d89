package org.microhttp;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.protocol.Refusal;
import org.microhttp.testing.Readme;

/** The page on what to do names options, events and numbers that there are, and each warning. */
final class RunbookTest {

    private static final String PAGE = Readme.read(Readme.PAGES.resolve("operating.md"));

    private static final String GONE = "The runbook names what the library does not have. Correct the name.";

    /** Methods of Stats that return no number, or all. */
    private static final Set<String> NO_NUMBERS = Set.of("numbers", "toString", "hashCode");

    private static List<String> firstColumn(String title) {
        List<List<String>> rows = Readme.table(PAGE, title);
        rows.forEach(row -> row.forEach(cell -> assertTrue(!cell.isEmpty(), () -> "" + row)));
        return rows.stream().flatMap(row -> Stream.of(row.get(0).split(", "))).toList();
    }

    private static Set<String> names(String title) {
        return Readme.table(title).stream().map(row -> row.get(0)).collect(toCollection(TreeSet::new));
    }

    private static List<String> numbers() {
        return Arrays.stream(Stats.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0)
                .map(Method::getName).filter(name -> !NO_NUMBERS.contains(name)).toList();
    }

    @Test
    void namesEventsThatThereAre() {
        Set<String> known = names("event");
        assertEquals(List.of(), firstColumn("event in the log").stream()
                .filter(event -> !known.contains(event)).toList(), GONE);
    }

    /** A word with a capital letter inside is an option or a number of Stats. */
    @Test
    void namesOptionsThatThereAre() {
        Set<String> known = names("option");
        known.addAll(numbers());
        List<String> named = Pattern.compile("`([a-z]+[A-Z]\\w*)`").matcher(PAGE).results()
                .map(match -> match.group(1)).toList();
        assertTrue(named.contains("maxPendingRequests"), named::toString);
        assertEquals(List.of(), named.stream().filter(name -> !known.contains(name)).toList(), GONE);
    }

    @Test
    void saysWhatToDoAtEachWarning() {
        List<String> told = firstColumn("event in the log");
        Set<String> warnings = Stream.of(Event.values())
                .filter(event -> event.level == System.Logger.Level.WARNING)
                .map(event -> event.text).collect(toSet());
        Set<String> rows = Set.copyOf(told.subList(0, told.size() - 4));
        assertEquals(warnings, rows, "A warning is for an operator to act on: say in the runbook what to do,"
                + " before the last four events, which are no warnings.");
    }

    @Test
    void saysWhatToDoAtEachSymptom() {
        assertTrue(firstColumn("symptom").size() > 5, "The runbook has lost its table of symptoms.");
    }

    @Test
    void saysWhatIsNormalOfEachNumber() {
        assertEquals(numbers().stream().sorted().toList(),
                firstColumn("number of `Stats`").stream().sorted().toList(),
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
