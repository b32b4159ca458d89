package org.microhttp.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.microhttp.archives.ArchiveComparison;
import org.microhttp.compare.Comparison;
import org.microhttp.files.FileComparison;

/**
 * Puts what was measured where it is read: into src/jmh/README.md, between its markers, and into charts. No
 * figure is typed by hand. With {@code --check} it changes nothing, and ends with 1 if something is not as it
 * would be made now.
 */
public final class Report {

    private static final String FOLDER = "src/jmh", PAGE = "README.md";

    /** As the page names them, from its folder. */
    static final String RESULTS = "results";
    static final String COMPARISON = RESULTS + "/comparison.tsv";
    static final String BENCHMARKS = RESULTS + "/jmh.csv";
    static final String RESPONSE_SERVER = RESULTS + "/response-server.tsv";

    static final String FILES = RESULTS + "/files.tsv";
    static final String FILES_PAGE = RESULTS + "/files.md";

    static final String ARCHIVE = RESULTS + "/archive.tsv";
    static final String ARCHIVE_PAGE = RESULTS + "/archive.md";

    private Report() { }

    public static void main(String[] args) throws IOException {
        boolean check = args.length == 2 && args[1].equals("--check");
        if (args.length != 1 && !check) {
            System.err.println("usage: Report PROJECT [--check]");
            System.exit(2);
        }
        Path project = Path.of(args[0]);
        int changed = 0;
        for (Map.Entry<Path, String> made : make(project.resolve(FOLDER)).entrySet()) {
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
    private static Map<Path, String> make(Path folder) throws IOException {
        Map<Path, String> files = new LinkedHashMap<>();
        Figures figures = new Figures(Comparison.read(folder.resolve(COMPARISON)));
        for (Metric metric : Metric.values()) {
            for (Theme theme : Theme.values()) {
                String chart = RESULTS + "/" + metric.name + "-" + theme.name + ".svg";
                files.put(folder.resolve(chart), new Chart(figures, metric, theme).svg());
            }
        }
        Path file = folder.resolve(PAGE);
        String page = replace(Files.readString(file), "comparison", new ComparisonTables(figures).text());
        Path benchmarks = folder.resolve(BENCHMARKS);
        if (Files.exists(benchmarks)) {
            var table = new BenchmarkTable(benchmarks, folder.resolve("java/org/microhttp"));
            page = replace(page, "benchmarks", table.text());
        }
        Path responseServer = folder.resolve(RESPONSE_SERVER);
        if (Files.exists(responseServer)) {
            page = replace(page, "response-server", new ResponseServerTable(responseServer).text());
        }
        Path servers = folder.resolve(FILES);
        if (Files.exists(servers)) {
            FileFigures fileFigures = new FileFigures(FileComparison.read(servers));
            page = replace(page, "files", new FileTables(fileFigures).text());
            files.put(folder.resolve(FILES_PAGE), new FilePage(fileFigures).text());
        }
        Path archives = folder.resolve(ARCHIVE);
        if (Files.exists(archives)) {
            ArchiveFigures archiveFigures = new ArchiveFigures(ArchiveComparison.read(archives));
            page = replace(page, "archive", new ArchiveTables(archiveFigures).text());
            files.put(folder.resolve(ARCHIVE_PAGE), new ArchivePage(archiveFigures).text());
        }
        files.put(file, page);
        return files;
    }

    /** Replaces what is between {@code <!-- name -->} and {@code <!-- /name -->}. */
    private static String replace(String text, String name, String made) throws IOException {
        String begin = "<!-- " + name + " -->\n", end = "<!-- /" + name + " -->\n";
        int from = text.indexOf(begin), to = text.indexOf(end);
        if (from < 0 || to < from) throw new IOException(PAGE + " has no place for " + begin.strip());
        return text.substring(0, from) + begin + "\n" + made + "\n" + text.substring(to);
    }
}
