package org.microhttp.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;
import org.microhttp.report.Table.Column;

/**
 * The JMH benchmarks as a table: what each class asks, in the words of its own comment, and for each of its
 * methods time and allocation. Reads JMH's CSV, behind lines {@code # key: value} that say where it ran.
 */
final class BenchmarkTable {

    /** The first sentence of a class comment, or the part before a list. */
    private static final Pattern QUESTION = Pattern.compile("(?s)\n/\\*\\*\\s+\\* (.*?)[:?]");
    private static final Pattern NAME = Pattern.compile("(?:.*[.])?(\\w+)Benchmark[.](\\w+)(:.*)?");

    /** What the profiler measures, as JMH names it. */
    private static final String ALLOCATED = ":gc.alloc.rate.norm";

    private final ResultFile result;
    private final Path sources;

    /** Of each benchmark its time, and what it allocates. */
    private final Map<String, Row> times = new LinkedHashMap<>(), allocated = new LinkedHashMap<>();

    BenchmarkTable(ResultFile result, Path sources) {
        this.result = result;
        this.sources = sources;
        for (Row row : result.rows()) {
            Matcher name = NAME.matcher(row.text("Benchmark"));
            if (!name.matches()) throw new IllegalArgumentException("no name of a benchmark: " + row);
            String title = "`" + name.group(1) + "." + name.group(2) + "`" + parameters(row);
            if (row.text("Benchmark").endsWith(ALLOCATED)) allocated.put(title, row);
            if (name.group(3) != null) continue;
            if (!row.text("Unit").equals("ns/op")) throw new IllegalArgumentException("not ns/op: " + row);
            times.put(title, row.set("type", "%s", name.group(1)));
        }
    }

    private static String parameters(Row row) {
        StringBuilder text = new StringBuilder();
        row.values().forEach((column, value) -> {
            boolean given = column.startsWith("Param: ") && !value.isEmpty();
            if (given) text.append(", ").append(column.substring(7)).append(" = ").append(value);
        });
        return text.toString();
    }

    String text() {
        List<String> titles = List.copyOf(times.keySet());
        String table = Table.of("benchmark", titles, title -> title, List.of(
                new Column<>("question", title -> question(titles, title)),
                new Column<>("time per operation", title -> time(times.get(title))),
                new Column<>("allocated", title -> {
                    Row row = allocated.get(title);
                    return row == null ? "–" : Math.round(row.number("Score")) + " B";
                })));
        return table.replaceFirst("---:", "---") + result.measured("by `" + result.fact("command") + "`")
                + "All that was measured: [jmh.csv](" + Report.RESULTS + "jmh.csv).\n\n";
    }

    /** Of the first of a class. */
    private String question(List<String> titles, String title) {
        int at = titles.indexOf(title);
        String type = times.get(title).text("type");
        if (at > 0 && times.get(titles.get(at - 1)).text("type").equals(type)) return "";
        try {
            Matcher question = QUESTION.matcher(Files.readString(sources.resolve(type + "Benchmark.java")));
            if (!question.find()) throw new IllegalArgumentException(type + "Benchmark asks no question");
            return question.group(1).replaceAll("\\s*\n \\* ", " ") + "?";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String time(Row row) {
        double nanos = row.number("Score"), error = row.number("Score Error (99.9%)");
        double unit = nanos < 9_999.5 ? 1 : 1000;
        return Range.text(nanos / unit) + (Double.isNaN(error) ? "" : " ± " + Range.text(error / unit))
                + (unit == 1 ? " ns" : " µs");
    }
}
