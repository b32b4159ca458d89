import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The table that sets the example ResponseServer beside others: its CPU time for a request over theirs in the
 * same round, how long each takes from its start to the first answer, and how much memory it takes. Of the
 * result file's lines, {@code # key: value} say what was measured on what, and each other is one figure.
 */
final class ReportResponseServer {

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

    private final Map<String, String> facts = new LinkedHashMap<>();
    private final List<Figure> figures = new ArrayList<>();

    ReportResponseServer(Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            String[] fact = line.substring(Math.min(2, line.length())).split(": ", 2);
            if (line.startsWith("# ") && fact.length == 2) facts.put(fact[0], fact[1]);
            else if (!line.equals(Figure.COLUMNS)) figures.add(Figure.parse(line));
        }
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
        return table + "\nMeasured " + facts.get("date") + " at commit " + facts.get("commit") + ", rounds: "
                + facts.get("rounds") + ".\nMachine: " + facts.get("machine") + ", " + facts.get("kernel")
                + ",\n" + facts.get("jdk") + ".\nPrograms: " + facts.get("programs")
                + ".\nEvery round and command: [response-server.tsv](" + Report.RESPONSE_SERVER + ").\n";
    }

    /** Of our own the time, of another the ratio. */
    private String cost(String server, String name, int threads) {
        Map<Integer, Double> ours = values(OURS, name, threads), theirs = values(server, name, threads);
        if (theirs.isEmpty()) return " |";
        double[] ratios = theirs.entrySet().stream().filter(round -> ours.containsKey(round.getKey()))
                .mapToDouble(round -> ours.get(round.getKey()) / round.getValue()).toArray();
        double[] times = theirs.values().stream().mapToDouble(Double::doubleValue).toArray();
        var range = ReportFigures.Range.of(server.equals(OURS) ? times : ratios);
        return " " + text(range, 2) + (server.equals(OURS) ? " µs |" : " |");
    }

    private String extremes(String server, String name) {
        double[] values =
                values(server, name, 1).values().stream().mapToDouble(Double::doubleValue).toArray();
        return values.length == 0 ? " |" : " " + text(ReportFigures.Range.of(values), 0) + " |";
    }

    private static String text(ReportFigures.Range range, int digits) {
        return ReportFigures.text(range.median(), digits) + " (" + ReportFigures.text(range.least(), digits)
                + "–" + ReportFigures.text(range.most(), digits) + ")";
    }

    /** By round. */
    private Map<Integer, Double> values(String server, String name, int threads) {
        return figures.stream()
                .filter(f -> f.server.equals(server) && f.name.equals(name) && f.threads == threads)
                .collect(Collectors.toMap(Figure::round, Figure::value));
    }
}
