package org.microhttp;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.microhttp.testing.Readme.assertSame;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.protocol.Refusal;
import org.microhttp.testing.Readme;

/**
 * Compares the tables of the documents and the reading tour with the library. Not among the
 * tests of the documents, for it asks package-private classes what there is.
 */
final class ReadmeTablesTest {

    /** The part of the guide for operators that says what to do about alarms. */
    private static final String ALARMS = Readme.read(Readme.PAGES.resolve("operating.md"))
            .replaceFirst("(?s)^.*\n## Numbers\n", "");

    @Test
    void optionsTableNamesEverySetter() {
        assertSame(setters().keySet(), firstColumn("option"), "Users know the options by this table of the"
                + " documents: give each setter of Options a row, and no other.");
    }

    /** The default of the table is handed to the setter, which then must change nothing. */
    @Test
    void optionsTableNamesTheDefaults() throws ReflectiveOperationException {
        for (List<String> row : Readme.table("option")) {
            Method setter = setters().get(row.get(0));
            Object given = setter.invoke(new Options(), value(row.get(1), setter.getParameterTypes()[0]));
            assertEquals("Options[]", given.toString(), "The table of options has another default than"
                    + " Options. Correct the row of " + row.get(0));
        }
    }

    @Test
    void theProgramWithEveryOptionSetsEach() {
        String programs = String.join("",
                Readme.blocks(Readme.read(Readme.PAGES.resolve("options.md")), "java"));
        Set<String> set = Pattern.compile("\\.with(\\w+)\\(").matcher(programs).results()
                .map(m -> lower(m.group(1))).collect(toCollection(TreeSet::new));
        assertSame(setters().keySet(), set, "The program on the page of options shows how each is set, and"
                + " is compiled and run: add a line for each setter of Options.");
    }

    @Test
    void codesTableIsTheListOfRefusals() {
        Stream<String> refusals = Arrays.stream(Refusal.values())
                .map(why -> why.code + ", " + why.status + ", " + why.rule(0).replace(" 0 ", " N "));
        assertSame(refusals.toList(),
                Readme.table("code").stream().map(row -> String.join(", ", row)).toList(),
                "Clients read these codes. Give each Refusal a row with its code, its status and its rule.");
    }

    @Test
    void eventsTableNamesEveryEventAndItsEntries() {
        Stream<String> events = Arrays.stream(Event.values())
                .map(event -> event.text + event.keys.subList(1, event.keys.size()));
        Stream<String> written = Readme.table("event").stream().map(row -> row.get(0)
                + Pattern.compile("[,;] ").splitAsStream(row.get(1)).filter(key -> !key.isEmpty()).toList());
        assertSame(events.toList(), written.toList(), "Operators read the log by the table of events: give"
                + " each Event a row with its entries, in the order in which they are logged.");
    }

    /** The page of the services is made of what was measured; the README has some of its figures. */
    @Test
    void theReadmesFiguresAreThoseOfTheServices() {
        String measured = Readme.read(Readme.ROOT.resolve("src/jmh/services/README.md")).replace("**", "");
        List<List<String>> table = Readme.tableWithTitles(Readme.text(), "figure");
        for (List<String> row : table.subList(1, table.size())) {
            for (int i = 1; i < row.size(); i++) {
                String server = "| " + table.get(0).get(i) + " |";
                String figure = " " + row.get(i) + " ";
                boolean same = measured.lines()
                        .anyMatch(line -> line.startsWith(server) && line.contains(figure));
                assertTrue(same, () -> "The README has another figure than the page of the services, which is"
                        + " what was measured. Copy it: " + row.get(0) + ", " + server + ", not " + figure);
            }
        }
    }

    @Test
    void examplesTableNamesEveryProgram() {
        Pattern link = Pattern.compile("\\[(\\w+)]\\(\\S+\\.java\\)");
        Map.of("short program", "examples/services/src/main/java/\\w+.java",
                "tool", "examples/\\w+/src/main/java/.*/\\w+.java").forEach((table, pattern) -> {
            Set<String> programs = Readme.sources("examples").stream()
                    .filter(file -> Readme.ROOT.relativize(file).toString().matches(pattern))
                    .filter(file -> Readme.read(file).contains(" void main("))
                    .map(Readme::name).collect(toCollection(TreeSet::new));
            List<String> named = Readme.table(Readme.read(Readme.EXAMPLES), table).stream()
                    .map(row -> link.matcher(row.get(0)).replaceAll("$1")).toList();
            assertEquals(List.copyOf(programs), named.stream().sorted().toList(),
                    "A reader finds a program by the tables of examples: give each a row.");
        });
    }

    @Test
    void theTourNamesEveryFile() {
        String tours = Readme.sources("src/main/java").stream()
                .filter(file -> Readme.name(file).equals("package-info")).map(Readme::read)
                .collect(joining());
        Set<String> files = Readme.sources("src/main/java").stream().map(Readme::name)
                .filter(name -> !name.endsWith("-info")).collect(toCollection(TreeSet::new));
        Set<String> coded = Pattern.compile("\\{@code ([A-Z]\\w+)").matcher(tours).results()
                .map(m -> m.group(1)).collect(toCollection(TreeSet::new));
        assertSame(files, coded, "The tour in package-info.java leads to every class of the library:"
                + " name each there once, as {@code Name}.");
    }

    /** A word with a capital letter or an underscore inside; but the kernel's counters and a protocol. */
    @Test
    void alarmsNameWhatThereIs() {
        var known = new TreeSet<>(firstColumn("event"));
        known.addAll(setters().keySet());
        known.addAll(numbers());
        Stream.of(Refusal.values()).forEach(why -> known.add(why.code));
        Set<String> named = Pattern.compile("`((?!tcp_)[a-z]+(?:_[a-z]+|[A-Z]\\w*)+)`").matcher(ALARMS)
                .results().map(match -> match.group(1)).collect(toCollection(TreeSet::new));
        assertTrue(named.contains("maxPendingRequests") && named.contains("handler_error"), named::toString);
        named.removeAll(known);
        assertEquals(Set.of(), named, "The guide for operators names what the library does not have.");
    }

    @Test
    void eachWarningHasAnAction() {
        List<String> events = Readme.table(ALARMS, "event in the log").stream()
                .flatMap(row -> Stream.of(row.get(0).split(", "))).toList();
        List<String> warnings = Stream.of(Event.values())
                .filter(event -> event.level == System.Logger.Level.WARNING)
                .map(event -> event.text).toList();
        assertSame(warnings, events.subList(0, events.size() - 4), "A warning is for an operator to act on:"
                + " say in the guide what to do, before the last four events, which are no warnings.");
    }

    @Test
    void eachNumberHasItsNormalRange() {
        assertSame(numbers(), Readme.table(ALARMS, "number of `Stats`").stream()
                .flatMap(row -> Stream.of(row.get(0).split(", "))).toList(),
                "An operator looks at each number of Stats: say in the guide what is normal.");
    }

    private static List<String> numbers() {
        return Arrays.stream(Stats.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0)
                .map(Method::getName).filter(name -> !name.matches("numbers|toString|hashCode")).toList();
    }

    private static Map<String, Method> setters() {
        return Arrays.stream(Options.class.getMethods()).filter(method -> method.getName().startsWith("with"))
                .collect(toMap(m -> lower(m.getName().substring(4)), m -> m, (a, b) -> b, TreeMap::new));
    }

    private static String lower(String name) {
        return name.substring(0, 1).toLowerCase() + name.substring(1);
    }

    private static Set<String> firstColumn(String table) {
        List<String> names = Readme.table(table).stream().map(row -> row.get(0)).toList();
        Set<String> set = new TreeSet<>(names);
        assertEquals(set.size(), names.size(), "a row is there twice");
        return set;
    }

    /** Reads a default as the table has it. */
    private static Object value(String text, Class<?> type) {
        if (type == List.class) return List.of(text.split(", "));
        if (text.startsWith("\"")) return text.substring(1, text.length() - 1);
        if (type == boolean.class) return Boolean.valueOf(text);
        if (text.equals("none")) return type == long.class ? Long.MAX_VALUE : null;
        String[] words = text.split(" ");
        long number = Long.parseLong(words[0].replace(",", ""));
        if (type == Duration.class) {
            return switch (words[1]) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "min" -> Duration.ofMinutes(number);
                default -> throw new AssertionError(text);
            };
        }
        long factor = words.length == 1 ? 1
                : Map.of("KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30).get(words[1]);
        return type == long.class ? (Object) (number * factor) : (Object) Math.toIntExact(number * factor);
    }
}
