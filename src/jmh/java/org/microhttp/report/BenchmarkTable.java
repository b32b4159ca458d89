package org.microhttp.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;
import org.microhttp.report.Table.Column;

/** The JMH benchmarks as a table: time and allocation of each. Reads JMH's CSV, behind lines of facts. */
final class BenchmarkTable {

    /** What the profiler measures, as JMH names it. */
    private static final String ALLOCATED = ":gc.alloc.rate.norm";

    private final ResultFile result;
    private final Map<String, Row> rows = new LinkedHashMap<>();

    BenchmarkTable(ResultFile result) {
        this.result = result;
        for (Row row : result.rows()) {
            String name = row.text("Benchmark").replaceFirst("(.*[.])?(\\w+)Benchmark[.]", "$2.");
            String[] parts = name.split(":", 2);
            String kind = name.substring(parts[0].length());
            rows.put("`" + parts[0] + "`" + parameters(row) + kind, row);
        }
    }

    private static String parameters(Row row) {
        return row.values().entrySet().stream()
                .filter(one -> one.getKey().startsWith("Param: ") && !one.getValue().isEmpty())
                .map(one -> ", " + one.getKey().substring(7) + " = " + one.getValue())
                .collect(Collectors.joining());
    }

    String text() {
        List<String> titles = rows.keySet().stream().filter(title -> !title.contains(":")).toList();
        return Table.of("benchmark", titles, title -> title, List.of(
                new Column<>("time per operation", title -> time(rows.get(title))),
                new Column<>("allocated", title -> allocated(rows.get(title + ALLOCATED)))))
                + result.measured("by `" + result.fact("command") + "`")
                + "All that was measured: [jmh.csv](" + Report.RESULTS + "jmh.csv).\n\n";
    }

    private static String allocated(Row row) {
        return row == null ? "–" : Math.round(row.number("Score")) + " B";
    }

    private static String time(Row row) {
        if (!row.text("Unit").equals("ns/op")) throw new IllegalArgumentException("not ns/op: " + row);
        double nanos = row.number("Score"), error = row.number("Score Error (99.9%)");
        double unit = nanos < 9_999.5 ? 1 : 1000;
        return Range.text(nanos / unit) + (Double.isNaN(error) ? "" : " ± " + Range.text(error / unit))
                + (unit == 1 ? " ns" : " µs");
    }
}
