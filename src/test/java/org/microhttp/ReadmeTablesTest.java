package org.microhttp;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
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
import org.microhttp.tools.Readme;

/** Compares the tables of the README, and the reading tour, with the sources they describe. */
final class ReadmeTablesTest {

    /** A refusal as the sources have it: a status, where it stands beside it, and the code and its rule. */
    private static final Pattern REFUSAL =
            Pattern.compile("(?:(\\d{3}),\\s*)?\"([a-z][a-z0-9_]*): ((?:\\\\.|[^\"\\\\])*)");
    private static final Pattern SECTION = Pattern.compile("RFC \\d+ §[0-9.]*\\d");

    @Test
    void optionsTableNamesEverySetter() {
        assertEquals(setters().keySet(), firstColumn("option"));
    }

    /** The default of the table is handed to the setter, which then must change nothing. */
    @Test
    void optionsTableNamesTheDefaults() throws ReflectiveOperationException {
        for (List<String> row : Readme.table("option")) {
            Method setter = setters().get(row.get(0));
            Options given = new Options();
            setter.invoke(given, value(row.get(1), setter.getParameterTypes()[0]));
            for (Field field : Options.class.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) continue;
                assertEquals(field.get(new Options()), field.get(given), row.get(0));
            }
        }
    }

    @Test
    void theProgramWithEveryOptionSetsEach() {
        String program = Readme.blocks("java").get(1);
        List<String> set = Pattern.compile("\\.with(\\w+)\\(").matcher(program).results()
                .map(m -> lower(m.group(1))).toList();
        assertEquals(Readme.table("option").stream().map(row -> row.get(0)).toList(), set);
    }

    @Test
    void codesTableNamesEveryRefusal() {
        Set<String> codes = refusals().map(r -> r.group(2)).collect(toCollection(TreeSet::new));
        assertTrue(codes.size() > 40, codes.toString());
        assertEquals(codes, firstColumn("code"));
    }

    @Test
    void codesTableNamesStatusAndSection() {
        Map<String, List<String>> rows =
                Readme.table("code").stream().collect(toMap(row -> row.get(0), row -> row));
        refusals().forEach(refusal -> {
            List<String> row = rows.getOrDefault(refusal.group(2), List.of("", "no row", ""));
            if (refusal.group(1) != null) assertEquals(refusal.group(1), row.get(1), refusal.group(2));
            SECTION.matcher(refusal.group(3)).results().forEach(section ->
                    assertTrue(row.get(2).contains("(" + section.group() + ")"), refusal.group()));
        });
    }

    /** Every method of the log is called, with every code where it takes a refusal. */
    @Test
    void eventsTableNamesEveryEventAndItsEntries() throws ReflectiveOperationException {
        Map<String, Set<String>> reported = new TreeMap<>();
        var log = new EventLog(new Recorder(reported));
        for (Method method : EventLog.class.getDeclaredMethods()) {
            if (Modifier.isPrivate(method.getModifiers()) || method.isSynthetic()) continue;
            List<MatchResult> refusals = refusals().toList();
            boolean refused = Arrays.asList(method.getParameterTypes()).contains(HttpError.class);
            for (MatchResult refusal : refused ? refusals : refusals.subList(0, 1)) {
                method.invoke(log, Arrays.stream(method.getParameterTypes())
                        .map(type -> argument(type, refusal)).toArray());
            }
        }
        Map<String, Set<String>> written = new TreeMap<>();
        Pattern separator = Pattern.compile("[,;] ");
        for (List<String> row : Readme.table("event")) {
            written.put(row.get(0), separator.splitAsStream(row.get(1)).filter(key -> !key.isEmpty())
                    .collect(toCollection(LinkedHashSet::new)));
        }
        // as text, for the order of the entries counts
        assertEquals(lines(reported), lines(written));
    }

    @Test
    void examplesTableNamesEveryProgram() {
        Set<String> programs =
                Readme.sources("examples").stream().filter(file -> Readme.read(file).contains(" void main("))
                        .map(Readme::name).collect(toCollection(TreeSet::new));
        Pattern link = Pattern.compile("\\[(\\w+)]\\(\\S+\\.java\\)");
        List<String> named = Readme.table(Readme.read(Readme.EXAMPLES), "program").stream()
                .map(row -> link.matcher(row.get(0)).replaceAll("$1")).toList();
        assertEquals(programs.size(), named.size());
        assertEquals(programs, new TreeSet<>(named));
    }

    @Test
    void theTourNamesEveryFile() {
        Path tour = Readme.ROOT.resolve("src/main/java/org/microhttp/package-info.java");
        Set<String> files = Readme.sources("src/main/java").stream().map(Readme::name)
                .filter(name -> !name.endsWith("-info")).collect(toCollection(TreeSet::new));
        Set<String> named = Pattern.compile("\\b[A-Z][A-Za-z]+\\b").matcher(Readme.read(tour)).results()
                .map(MatchResult::group).collect(toCollection(TreeSet::new));
        named.retainAll(files);
        assertEquals(files, named);
        Set<String> coded = Pattern.compile("\\{@code ([A-Z]\\w+)").matcher(Readme.read(tour)).results()
                .map(m -> m.group(1)).collect(toCollection(TreeSet::new));
        assertEquals(files, coded);
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
        if (text.startsWith("\"")) return text.substring(1, text.length() - 1);
        if (type == boolean.class) return Boolean.valueOf(text);
        if (text.equals("none")) return type == Duration.class ? null : Integer.MAX_VALUE;
        String[] words = text.split(" ");
        long number = Long.parseLong(words[0]);
        if (type == Duration.class) {
            return switch (words[1]) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "min" -> Duration.ofMinutes(number);
                default -> throw new AssertionError(text);
            };
        }
        long factor = words.length == 1 ? 1 : Map.of("KiB", 1L << 10, "MiB", 1L << 20).get(words[1]);
        return type == long.class ? (Object) (number * factor) : (Object) Math.toIntExact(number * factor);
    }

    private static Stream<MatchResult> refusals() {
        return Readme.sources("src/main/java").stream()
                .flatMap(file -> REFUSAL.matcher(Readme.read(file)).results());
    }

    private static Object argument(Class<?> type, MatchResult refusal) {
        if (type == long.class) return 1L;
        if (type == int.class) return 1;
        if (type == Object.class || type == String.class) return "x";
        if (type == Throwable.class || type == Exception.class) return new IllegalStateException();
        if (type == Request.class) {
            return new Request("GET", "/", "HTTP/1.1", new byte[0], new byte[0], null);
        }
        if (type == Response.class) return new Response(200, "OK", List.of(), new byte[0]);
        if (type == Exchange.class) {
            var exchange = new Exchange(null);
            exchange.response = new Response(200, "OK", List.of(), new byte[0]);
            new ResponseEncoder().start(exchange, false, false, true, 0);
            return exchange;
        }
        if (type == HttpError.class) {
            int status = refusal.group(1) == null ? 400 : Integer.parseInt(refusal.group(1));
            return new HttpError(status, refusal.group(2) + ": " + refusal.group(3));
        }
        throw new AssertionError("no argument of type " + type);
    }

    private static String lines(Map<String, Set<String>> events) {
        List<String> lines = new ArrayList<>();
        events.forEach((event, keys) -> lines.add(event + " " + keys));
        return String.join("\n", lines);
    }

    /** Collects what keys each event has. */
    private record Recorder(Map<String, Set<String>> events) implements Logger {

        @Override public boolean enabled() { return true; }

        @Override public boolean messages() { return true; }

        @Override
        public void log(LogEntry... entries) {
            assertEquals("event", entries[0].key());
            Set<String> keys = events.computeIfAbsent(entries[0].value(), event -> new LinkedHashSet<>());
            Arrays.stream(entries).skip(1).map(LogEntry::key).forEach(keys::add);
        }

        @Override public void log(Exception e, LogEntry... entries) { log(entries); }
    }
}
