package org.microhttp.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.microhttp.compare.ArchiveComparison;
import org.microhttp.compare.FileComparison;
import org.microhttp.compare.ServerComparison;
import org.microhttp.measure.ResultFile;

/**
 * Puts what was measured where it is read: between the markers of pages, and in charts. No
 * figure is typed by hand. With {@code --check} it changes nothing, and ends with 1 if something is not as it
 * would be made now.
 */
public final class Report {

    private static final String PAGE = "README.md";

    /** As the page names the folder. */
    static final String RESULTS = "results/";

    private final Path folder;

    /** Each file, and what should be in it. */
    private final Map<Path, String> files = new LinkedHashMap<>();

    private Report(Path folder) { this.folder = folder; }

    public static void main(String[] args) throws IOException {
        boolean check = args.length == 2 && args[1].equals("--check");
        if (args.length != 1 && !check) {
            System.err.println("usage: Report PROJECT [--check]");
            System.exit(2);
        }
        Path project = Path.of(args[0]);
        Report report = new Report(project.resolve("src/jmh"));
        report.make();
        int changed = 0;
        for (Map.Entry<Path, String> made : report.files.entrySet()) {
            Path file = made.getKey();
            if (Files.exists(file) && Files.readString(file).equals(made.getValue())) continue;
            changed++;
            if (!check) Files.writeString(file, made.getValue());
            String state = check ? " is not what the results say" : " is new";
            System.out.println(project.relativize(file) + state);
        }
        System.exit(check && changed > 0 ? 1 : 0);
    }

    private void make() throws IOException {
        take("comparison.tsv", result -> {
            var comparison = new ServerComparison();
            Figures figures = new Figures(result, comparison);
            for (Metric metric : Metric.values()) {
                for (Theme theme : Theme.values()) {
                    files.put(folder.resolve(RESULTS + metric.name + "-" + theme.name + ".svg"),
                            new BarChart(comparison, figures, metric, theme).svg());
                }
            }
            fill(PAGE, ServerTables.of(comparison, figures));
        });
        take("jmh.csv", result -> fill(PAGE, Map.of("benchmarks", new BenchmarkTable(result).text())));
        take("response-server.tsv", result ->
                fill(PAGE, Map.of("response-server", new ResponseServerTable(result).text())));
        take("files.tsv", result -> {
            var comparison = new FileComparison();
            var tables = new FileTables(comparison, new Figures(result, comparison));
            fill(RESULTS + "files.md", tables.tables());
        });
        take("archive.tsv", result -> {
            var comparison = new ArchiveComparison();
            var tables = new ArchiveTables(comparison, new Figures(result, comparison));
            fill(RESULTS + "archive.md", tables.tables());
        });
    }

    private interface Result { void show(ResultFile result) throws IOException; }

    /** What has not been measured is not shown. */
    private void take(String file, Result what) throws IOException {
        Path results = folder.resolve(RESULTS).resolve(file);
        if (Files.exists(results)) what.show(ResultFile.read(results));
    }

    /** Puts each table between the comments {@code <!-- name -->} and {@code <!-- /name -->} of a page. */
    private void fill(String file, Map<String, String> tables) throws IOException {
        Path path = folder.resolve(file);
        String page = files.containsKey(path) ? files.get(path) : Files.readString(path);
        for (Map.Entry<String, String> table : tables.entrySet()) {
            String begin = "<!-- " + table.getKey() + " -->\n", end = "<!-- /" + table.getKey() + " -->\n";
            int from = page.indexOf(begin), to = page.indexOf(end);
            if (from < 0 || to < from) throw new IOException(file + " has no place for " + begin.strip());
            page = page.substring(0, from) + begin + "\n" + table.getValue() + page.substring(to);
        }
        files.put(path, page);
    }

    /** The heading of a part of a page. */
    static String heading(String text) {
        return "## " + Character.toUpperCase(text.charAt(0)) + text.substring(1) + "\n\n";
    }
}
