package org.microhttp.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.microhttp.compare.Comparison;

/**
 * Puts what was measured where it is read: into the page about benchmarks, between its markers, and into charts. No figure
 * is typed by hand. With {@code --check} it changes nothing, and ends with 1 if something is not as it would
 * be made now.
 */
public final class Report {

    static final String RESULTS = "src/jmh/results";
    static final String COMPARISON = RESULTS + "/comparison.tsv", BENCHMARKS = RESULTS + "/jmh.csv";
    static final String RESPONSE_SERVER = RESULTS + "/response-server.tsv";

    private Report() { }

    public static void main(String[] args) throws IOException {
        boolean check = args.length == 2 && args[1].equals("--check");
        if (args.length != 1 && !check) {
            System.err.println("usage: Report PROJECT [--check]");
            System.exit(2);
        }
        Path project = Path.of(args[0]);
        int changed = 0;
        for (Map.Entry<Path, String> made : make(project).entrySet()) {
            Path file = made.getKey();
            if (Files.exists(file) && Files.readString(file).equals(made.getValue())) continue;
            changed++;
            if (!check) Files.writeString(file, made.getValue());
            String state = check ? " is not what the results say" : " is new";
            System.out.println(project.relativize(file) + state);
        }
        System.exit(check && changed > 0 ? 1 : 0);
    }

    /** Each file, and what should be in it. */
    private static Map<Path, String> make(Path project) throws IOException {
        Map<Path, String> files = new LinkedHashMap<>();
        Figures figures = new Figures(Comparison.read(project.resolve(COMPARISON)));
        for (Metric metric : Metric.values()) {
            for (Theme theme : Theme.values()) {
                String chart = RESULTS + "/" + metric.name + "-" + theme.name + ".svg";
                files.put(project.resolve(chart), new Chart(figures, metric, theme).svg());
            }
        }
        Path file = project.resolve("README.md");
        Path benchmarks = project.resolve(BENCHMARKS);
        String readme = replace(Files.readString(file), "comparison", new ComparisonTables(figures).text());
        if (Files.exists(benchmarks)) {
            var table = new BenchmarkTable(benchmarks, project.resolve("src/jmh/java/org/microhttp"));
            readme = replace(readme, "benchmarks", table.text());
        }
        Path endpoints = project.resolve(RESPONSE_SERVER);
        if (Files.exists(endpoints)) {
            readme = replace(readme, "response-server", new ResponseServerTable(endpoints).text());
        }
        files.put(file, readme);
        return files;
    }

    /** Replaces what is between {@code <!-- name -->} and {@code <!-- /name -->}. */
    private static String replace(String text, String name, String made) throws IOException {
        String begin = "<!-- " + name + " -->\n", end = "<!-- /" + name + " -->\n";
        int from = text.indexOf(begin), to = text.indexOf(end);
        if (from < 0 || to < from) throw new IOException("README.md has no place for " + begin.strip());
        return text.substring(0, from) + begin + "\n" + made + "\n" + text.substring(to);
    }
}
