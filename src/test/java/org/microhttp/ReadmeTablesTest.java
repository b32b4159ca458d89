package org.microhttp;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.microhttp.testing.Readme.assertSame;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RefusalException;
import org.microhttp.protocol.RequestHead;
import org.microhttp.testing.Readme;

/**
 * Compares the tables of the documents, and the reading tour, with the sources they describe. Not among the
 * tests of the documents, for it asks the library's own log and refusals what there is.
 */
final class ReadmeTablesTest {

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
    void theReadmesOptionsAreOfTheTable() {
        Map<String, String> defaults = column("option", 1);
        column("setting", 1).forEach((option, value) -> assertEquals(defaults.get(option), value,
                "The README has another default than the page of options. Correct its row of " + option));
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

    /** Every method of the log is called, with every code where it takes a refusal. */
    @Test
    void eventsTableNamesEveryEventAndItsEntries() throws Exception {
        Map<String, Set<String>> reported = new TreeMap<>();
        var log = new EventLog(new Recorder(reported));
        for (Method method : EventLog.class.getDeclaredMethods()) {
            if (Modifier.isPrivate(method.getModifiers()) || method.isSynthetic()) continue;
            if (method.getName().equals("report")) continue;
            // two answers are no refusals, and have events of their own
            List<Refusal> refusals = new ArrayList<>(List.of(Refusal.values()));
            refusals.removeAll(List.of(Refusal.HANDLER_ERROR, Refusal.OVERLOAD));
            boolean refused = Arrays.asList(method.getParameterTypes()).contains(RefusalException.class);
            for (Refusal refusal : refused ? refusals : refusals.subList(0, 1)) {
                method.invoke(log, arguments(method, refusal));
            }
        }
        Map<String, Set<String>> listed = new TreeMap<>();
        for (Event event : Event.values()) {
            listed.put(event.text, new LinkedHashSet<>(event.keys.subList(1, event.keys.size())));
        }
        for (MatchResult report : reports()) {
            reportAs(report.group(2), Event.valueOf(report.group(1)), log);
        }
        for (Event failure : List.of(Event.READ_ERROR, Event.WRITE_ERROR, Event.CONNECTION_ERROR)) {
            reportAs("id", failure, log);
        }
        Map<String, Set<String>> written = new TreeMap<>();
        Pattern separator = Pattern.compile("[,;] ");
        for (List<String> row : Readme.table("event")) {
            written.put(row.get(0), separator.splitAsStream(row.get(1)).filter(key -> !key.isEmpty())
                    .collect(toCollection(LinkedHashSet::new)));
        }
        assertSame(lines(reported), lines(written), "Operators read the log by the table of events: give"
                + " each Event a row with its entries, in the order in which they are logged.");
        assertSame(lines(reported), lines(listed), "An event is reported with other entries than its keys in"
                + " Event: give a value for each, or remove the key.");
    }

    /** Where the sources report an event: its name, and what follows, which says of whom it is. */
    private static List<MatchResult> reports() throws IOException {
        Set<String> all = Arrays.stream(Event.values()).map(Event::name).collect(toCollection(TreeSet::new));
        // these are reported by methods of their own, but a timeout may be of no request
        all.remove("EXCHANGE");
        Stream.of(Refusal.values()).map(refusal -> Event.of(refusal).name())
                .filter(name -> !name.equals("SOCKET_TIMEOUT")).forEach(all::remove);
        Pattern report = Pattern.compile("\\w\\((?:[\\w.]+, )*?(?:Event\\.)?(" + String.join("|", all)
                + ")\\b(?:, ([\\w.]+))?");
        List<MatchResult> found = new ArrayList<>();
        for (Path file : Readme.sources("src/main/java")) {
            report.matcher(Readme.read(file)).results().forEach(found::add);
        }
        Set<String> names = found.stream().map(match -> match.group(1)).collect(toCollection(TreeSet::new));
        // these are chosen where a failure is reported
        all.removeAll(Set.of("READ_ERROR", "WRITE_ERROR", "CONNECTION_ERROR"));
        assertSame(all, names, "An event of the library is reported nowhere. Report it, or remove it.");
        return found;
    }

    private static void reportAs(String subject, Event event, EventLog log) throws IOException {
        if (subject == null || subject.equals("id") || subject.endsWith(".id")) {
            boolean hasValue = event.keys.size() == List.of("event", "id", "value").size();
            log.report(event, 1, hasValue ? "x" : null);
        } else if (Set.of("null", "cause").contains(subject)) {
            log.report(event, 1, "x", "x", "x", null);
        } else {
            log.report(event, "x");
        }
    }

    /** The benchmarks' page is made of what was measured; the README has some of its figures. */
    @Test
    void theReadmesFiguresAreThoseOfTheBenchmarks() {
        Map<String, Map<String, String>> figures = Map.of(
                "CPU time of a small GET on a kept connection, over the floor's", overFloor("keep-alive"),
                "CPU time of such a GET, 16 at a time, over the floor's", overFloor("pipelined"),
                "memory that the library allocates for a small GET",
                Map.of("microhttp", column("benchmark", 2).get("Connection.hello")));
        List<List<String>> table = Readme.tableWithTitles(Readme.text(), "figure");
        List<String> servers = table.get(0);
        assertSame(figures.keySet(), table.stream().skip(1).map(row -> row.get(0)).toList(),
                "This test knows where these figures of the README are measured, and no others.");
        for (List<String> row : table.subList(1, table.size())) {
            for (int i = 1; i < row.size(); i++) {
                String measured = figures.get(row.get(0)).getOrDefault(servers.get(i), "");
                assertEquals(measured, row.get(i), "The README has another figure than the benchmarks' page,"
                        + " which is what was measured. Copy it: " + row.get(0) + ", " + servers.get(i));
            }
        }
    }

    /** The ratios of a column of the benchmarks' page, by server. */
    private static Map<String, String> overFloor(String load) {
        List<List<String>> table = Readme.tableWithTitles(
                Readme.read(Readme.ROOT.resolve("src/jmh/README.md")), "CPU time per request, µs");
        int column = table.get(0).indexOf(load);
        return table.stream().skip(1).collect(toMap(row -> row.get(0).replace("*", ""),
                row -> row.get(column).replaceFirst(".*; ", "")));
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

    private static Map<String, Method> setters() {
        return Arrays.stream(Options.class.getMethods()).filter(method -> method.getName().startsWith("with"))
                .collect(toMap(m -> lower(m.getName().substring(4)), m -> m, (a, b) -> b, TreeMap::new));
    }

    private static String lower(String name) {
        return name.substring(0, 1).toLowerCase() + name.substring(1);
    }

    /** The cells of a column, by those of the first. */
    private static Map<String, String> column(String table, int index) {
        return Readme.table(table).stream()
                .collect(toMap(row -> row.get(0), row -> row.get(index), (a, b) -> b, TreeMap::new));
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

    private static Object[] arguments(Method method, Refusal refusal) throws IOException {
        var arguments = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            arguments.add(argument(type, refusal));
        }
        return arguments.toArray();
    }

    private static Object argument(Class<?> type, Refusal refusal) throws IOException {
        if (type == long.class) return 1L;
        if (type == int.class) return 1;
        if (type == boolean.class) return true;
        if (type == Integer.class) return 200;
        if (type == SocketAddress.class) return new InetSocketAddress(80);
        if (type == RequestHead.class) return Exchanges.head("");
        if (type == Event.class) return Event.EXCHANGE;
        if (type == Object.class || type == String.class) return "x";
        if (type == Throwable.class || type == Exception.class) return new IllegalStateException();
        if (type == Request.class) {
            return Inside.request(Exchanges.head(""), new byte[0], null);
        }
        if (type == ExchangeSummary.class) {
            return new ExchangeSummary(1, new InetSocketAddress(80), "GET", "/", "HTTP/1.1", List.of(), 400,
                    1, Duration.ZERO, true, "code");
        }
        if (type == Response.class) return new Response(200, "OK", List.of(), new byte[0]);
        if (type == RefusalException.class) return new RefusalException(refusal, 0);
        throw new AssertionError("no argument of type " + type);
    }

    /** As text, for the order of the entries counts. */
    private static List<String> lines(Map<String, Set<String>> events) {
        return events.entrySet().stream().map(event -> event.getKey() + " " + event.getValue()).toList();
    }

    /** Collects what keys each event has. */
    private record Recorder(Map<String, Set<String>> events) implements Logger {

        @Override
        public void log(Exception cause, LogEntry... entries) {
            assertEquals("event", entries[0].key());
            Set<String> keys = events.computeIfAbsent(entries[0].value(), event -> new LinkedHashSet<>());
            Arrays.stream(entries).skip(1).map(LogEntry::key).forEach(keys::add);
        }
    }
}
