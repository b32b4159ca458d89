package org.microhttp.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.microhttp.measure.ResultFile;

/**
 * The table that sets the example ResponseServer beside others: its CPU time for a request over theirs in the
 * same round, how long each takes from its start to the first answer, and how much memory it takes. A row of
 * the result file is one figure.
 */
final class ResponseServerTable {

    /** CPU time is in µs of a request, start in ms, memory in MiB. */
    private record Figure(String name, int threads, int round, String server, double value) {

        static final String COLUMNS = String.join("\t", "figure", "threads", "round", "server", "value");

        static Figure parse(String line) {
            String[] fields = line.split("\t");
            if (fields.length != 5) throw new IllegalArgumentException("not five columns: " + line);
            return new Figure(fields[0], Integer.parseInt(fields[1]), Integer.parseInt(fields[2]), fields[3],
                    Double.parseDouble(fields[4]));
        }
    }

    private static final String OURS = "ResponseServer";

    private final Map<String, String> facts;
    private final List<Figure> figures;

    ResponseServerTable(Path file) throws IOException {
        ResultFile result = ResultFile.read(file);
        facts = result.facts();
        figures = result.rows().stream().filter(row -> !row.equals(Figure.COLUMNS)).map(Figure::parse)
                .toList();
    }

    String text() {
        var table = new StringBuilder("""
                | its CPU time over theirs | keep-alive | pipelined | keep-alive, 2 threads \
                | pipelined, 2 threads | start, ms | memory, MiB |
                |---|---:|---:|---:|---:|---:|---:|
                """);
        for (String server : figures.stream().map(Figure::server).distinct().toList()) {
            table.append(server.equals(OURS) ? "| **" + server + "** |" : "| " + server + " |")
                    .append(cost(server, "keep-alive", 1)).append(cost(server, "pipelined", 1))
                    .append(cost(server, "keep-alive", 2)).append(cost(server, "pipelined", 2))
                    .append(extremes(server, "start")).append(extremes(server, "memory")).append("\n");
        }
        return table + "\n"
                + ResultFile.measured(facts, "rounds: " + ResultFile.fact(facts, "rounds"))
                + "Programs: " + ResultFile.fact(facts, "programs")
                + ".\nEvery round and command: [response-server.tsv](" + Report.RESPONSE_SERVER + ").\n";
    }

    /** Of our own the time, of another the ratio. */
    private String cost(String server, String name, int threads) {
        Map<Integer, Double> ours = values(OURS, name, threads), theirs = values(server, name, threads);
        if (theirs.isEmpty()) return " |";
        double[] ratios = theirs.entrySet().stream().filter(round -> ours.containsKey(round.getKey()))
                .mapToDouble(round -> ours.get(round.getKey()) / round.getValue()).toArray();
        double[] times = theirs.values().stream().mapToDouble(Double::doubleValue).toArray();
        var range = Figures.Range.of(server.equals(OURS) ? times : ratios);
        return " " + text(range, 2) + (server.equals(OURS) ? " µs |" : " |");
    }

    private String extremes(String server, String name) {
        double[] values =
                values(server, name, 1).values().stream().mapToDouble(Double::doubleValue).toArray();
        return values.length == 0 ? " |" : " " + text(Figures.Range.of(values), 0) + " |";
    }

    private static String text(Figures.Range range, int digits) {
        return range.text(value -> Figures.text(value, digits));
    }

    /** By round. */
    private Map<Integer, Double> values(String server, String name, int threads) {
        return figures.stream()
                .filter(f -> f.server.equals(server) && f.name.equals(name) && f.threads == threads)
                .collect(Collectors.toMap(Figure::round, Figure::value));
    }
}
