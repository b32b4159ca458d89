package org.microhttp.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.measure.ResultFile;

/**
 * The JMH benchmarks as a table: what each class asks, in the words of its own comment, and for each of its
 * methods time and allocation. Reads JMH's CSV, behind lines {@code # key: value} that say where it ran.
 */
final class BenchmarkTable {

    /** The first sentence of a class comment, or the part before a list. */
    private static final Pattern QUESTION = Pattern.compile("(?s)\n/\\*\\*\\s+\\* (.*?)[:?]");
    private static final Pattern NAME = Pattern.compile("(.*[.])?(\\w+)Benchmark[.](\\w+)(:.*)?");

    /** What the profiler measures, as JMH names it. */
    private static final String ALLOCATED = ":gc.alloc.rate.norm";

    private record Row(String type, String title, double nanos, double error) { }

    private final Map<String, String> facts;
    private final Map<String, Row> times = new LinkedHashMap<>();
    private final Map<String, Double> allocated = new LinkedHashMap<>();
    private final Path sources;

    BenchmarkTable(Path file, Path sources) throws IOException {
        this.sources = sources;
        ResultFile result = ResultFile.read(file);
        facts = result.facts();
        String[] columns = null;
        for (String row : result.rows()) {
            // no value has a comma, or a quote
            String[] fields = row.replace("\"", "").split(",", -1);
            if (columns == null) {
                columns = fields;
            } else {
                add(columns, fields);
            }
        }
    }

    private void add(String[] columns, String[] fields) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < columns.length; i++) row.put(columns[i], fields[i]);
        String name = row.get("Benchmark"), parameters = parameters(row);
        double score = Double.parseDouble(row.get("Score"));
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) throw new IllegalArgumentException("no name of a benchmark: " + name);
        String key = parts.group(2) + "." + parts.group(3) + parameters;
        if (name.endsWith(ALLOCATED)) allocated.put(key, score);
        if (parts.group(4) != null) return;
        if (!row.get("Unit").equals("ns/op")) throw new IllegalArgumentException("not in ns/op: " + name);
        String title = "`" + parts.group(2) + "." + parts.group(3) + "`" + parameters;
        double error = Double.parseDouble(row.get("Score Error (99.9%)"));
        times.put(key, new Row(parts.group(2), title, score, error));
    }

    private static String parameters(Map<String, String> row) {
        StringBuilder text = new StringBuilder();
        row.forEach((column, value) -> {
            boolean given = column.startsWith("Param: ") && !value.isEmpty();
            if (given) text.append(", ").append(column.substring(7)).append(" = ").append(value);
        });
        return text.toString();
    }

    String text() throws IOException {
        StringBuilder text = new StringBuilder("| benchmark | question | time per operation | allocated |\n");
        text.append("|---|---|---:|---:|\n");
        String last = "";
        for (Map.Entry<String, Row> entry : times.entrySet()) {
            Row row = entry.getValue();
            Double bytes = allocated.get(entry.getKey());
            text.append("| ").append(row.title).append(" |")
                    .append(row.type.equals(last) ? "" : " " + question(row.type)).append(" | ")
                    .append(time(row)).append(" | ").append(bytes == null ? "–" : Math.round(bytes) + " B")
                    .append(" |\n");
            last = row.type;
        }
        return text + "\n" + measured();
    }

    private String measured() {
        return ResultFile.measured(facts, "by `" + ResultFile.fact(facts, "command") + "`")
                + "All that was measured: [jmh.csv](" + Report.BENCHMARKS + ").\n";
    }

    private String question(String type) throws IOException {
        String source = Files.readString(sources.resolve(type + "Benchmark.java"));
        Matcher question = QUESTION.matcher(source);
        if (!question.find()) throw new IOException(type + "Benchmark asks no question");
        return question.group(1).replaceAll("\\s*\n \\* ", " ") + "?";
    }

    private static String time(Row row) {
        double unit = row.nanos < 9_999.5 ? 1 : 1000;
        String error = Double.isNaN(row.error) ? "" : " ± " + Figures.text(row.error / unit);
        return Figures.text(row.nanos / unit) + error + (unit == 1 ? " ns" : " µs");
    }
}
