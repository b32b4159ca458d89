package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** Whether what the page about benchmarks and its charts show is what was measured, and rightly computed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class ComparisonReportTest {

    private static final String FOLDER = "src/jmh/";
    private static final String PAGE = FOLDER + "README.md";
    private static final String RESULTS = FOLDER + "results/";
    private static final List<String> CHARTS =
            List.of("cpu-light.svg", "cpu-dark.svg", "throughput-light.svg", "throughput-dark.svg");

    /**
     * With columns for the eye: scenario, round, server, requests, seconds, CPU time in user mode and in the
     * kernel, errors, and the CPU time of the load generator and of others. A request costs the floor 10, 20
     * and 10 µs, and microhttp 15, 20 and 30: ratios of 1.5, 1 and 3.
     */
    private static final String MEASURED = """
            keep-alive 1 floor      100000  2.000  0.25  0.75 0 1.00 0.00
            keep-alive 1 microhttp  100000  2.000  0.50  1.00 0 1.00 0.00
            keep-alive 1 nginx      200000  4.000  2.00  2.00 0 1.00 0.00
            keep-alive 1 haproxy    100000  2.000  1.00  1.00 0 1.00 0.00
            keep-alive 1 lighttpd   100000  2.000  1.00  1.00 0 1.00 0.00
            keep-alive 2 microhttp  100000  4.000  1.00  1.00 0 1.00 0.00
            keep-alive 2 nginx      200000  4.000  2.00  2.00 0 1.00 0.00
            keep-alive 2 haproxy    100000  2.000  1.00  1.00 3 1.00 0.00
            keep-alive 2 lighttpd   100000  2.000  1.00  1.00 0 1.00 0.00
            keep-alive 2 floor      100000  2.000  0.50  1.50 0 1.00 0.00
            keep-alive 3 nginx      200000  4.000  2.00  2.00 0 1.00 0.00
            keep-alive 3 haproxy    100000  2.000  1.00  1.00 0 1.00 0.00
            keep-alive 3 floor      100000  2.000  0.50  0.50 0 1.00 0.00
            keep-alive 3 microhttp  100000  1.000  1.00  2.00 0 1.00 0.00
            post       1 floor     1000000  1.000  0.50  0.48 0 1.00 0.00
            post       1 jdk       1000000 20.000 10.00 10.00 0 1.00 0.00
            post       2 floor     1000000  1.000  0.50  0.48 0 1.00 0.00
            post       2 jdk       1000000 50.000 20.00 30.00 0 1.00 0.00
            """;

    private static final String COLUMNS =
            "scenario round server requests seconds user_s system_s errors generator_s others_s\n";

    private static final List<String> COST = List.of(
            "| CPU time per request, µs | keep-alive | post |", "|---|---:|---:|",
            "| JVM floor | 10.0 | 0.98 |", "| **microhttp** | 20.0; 1.50 (1.00–3.00) | – |",
            "| nginx | 20.0; 2.00 (1.00–2.00) | |", "| HAProxy | – | |", "| lighttpd | – | |",
            "| JDK HttpServer | – | 35.0; 35.7 (20.4–51.0) |");

    /** Of all rounds together: above the floor's user time nginx takes 5.83 µs, and microhttp 4.17. */
    private static final List<String> MODES = List.of(
            "| user + system, µs | keep-alive | post |", "|---|---:|---:|",
            "| JVM floor | 4.17 + 9.17 | 0.50 + 0.48 |", "| **microhttp** | 8.33 + 13.3; 1.00 | – |",
            "| nginx | 10.0 + 10.0; 1.40 | |", "| HAProxy | – | |", "| lighttpd | – | |",
            "| JDK HttpServer | – | 15.0 + 20.0 |");

    private static final List<String> RATE = List.of(
            "| requests per second, floor = 1 | keep-alive | post |", "|---|---:|---:|",
            "| JVM floor | 1* | 1 |", "| **microhttp** | 1.00 (0.50–2.00)* | – |",
            "| nginx | 1.00 (1.00–1.00) | |", "| HAProxy | – | |", "| lighttpd | – | |",
            "| JDK HttpServer | – | 0.04 (0.02–0.05) |");

    /** The value that a profiler measured may be missing. */
    private static final String BENCHMARKS = """
            # date: 2026-01-01T00:00Z
            "Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: entries"
            "org.microhttp.SomeBenchmark.first","avgt",1,15,123.456000,7.890000,"ns/op",
            "org.microhttp.SomeBenchmark.first:gc.alloc.rate","avgt",1,15,5.000000,1.000000,"MB/sec",
            "org.microhttp.SomeBenchmark.first:gc.alloc.rate.norm","avgt",1,15,247.600000,0.100000,"B/op",
            "org.microhttp.SomeBenchmark.second","avgt",1,15,12345.600000,NaN,"ns/op",100
            """;

    @TempDir
    private Path folder;

    private ReportedProject project;

    @BeforeEach
    void writeProject() throws IOException {
        project = ReportedProject.write(folder);
        project.writeResult("comparison.tsv", "# date: 2026-01-01T00:00Z\n# nginx: 1.2.3\n",
                COLUMNS + MEASURED);
    }

    @Test
    void pageAndChartsAreWhatTheResultsSay() throws Exception {
        new ReportedProject(Readme.ROOT).assertReports(0, "", "--check");
    }

    @Test
    void pageShowsTheChartsAsTheyAre() {
        String page = Readme.read(Readme.ROOT.resolve(PAGE));
        List<String> shown = Pattern.compile("(?:srcset|src)=\"([^\"]+)\"").matcher(page).results()
                .map(image -> FOLDER + image.group(1)).sorted().toList();
        assertEquals(CHARTS.stream().map(chart -> RESULTS + chart).sorted().toList(), shown);
    }

    @Test
    void pageNamesWhatIsThere() {
        String page = Readme.read(Readme.ROOT.resolve(PAGE));
        Pattern.compile("\\]\\(([^)#]*)(#[^)]+)?\\)").matcher(page).results().forEach(match -> {
            String link = match.group();
            String name = match.group(1).isEmpty() ? "README.md" : match.group(1);
            Path file = Readme.ROOT.resolve(FOLDER).resolve(name);
            assertTrue(Files.exists(file), link);
            assertTrue(match.group(2) == null || headings(file).contains(match.group(2)), link);
        });
        Pattern.compile("\\b" + FOLDER + "\\w+\\b(?!/)").matcher(page).results().map(MatchResult::group)
                .forEach(script -> assertTrue(Files.isExecutable(Readme.ROOT.resolve(script)), script));
    }

    private static List<String> headings(Path page) {
        return Readme.read(page).lines().filter(line -> line.startsWith("## "))
                .map(line -> "#" + line.substring(3).toLowerCase().replace(' ', '-')).toList();
    }

    @Test
    void tablesHaveMediansAndRatiosOfTheSameRound() throws Exception {
        String before = project.read(PAGE), page = project.report(PAGE);
        assertEquals(String.join("\n", COST), ReportedProject.place(page, "cpu"));
        assertEquals(String.join("\n", MODES), ReportedProject.place(page, "modes"));
        assertEquals(String.join("\n", RATE), ReportedProject.place(page, "throughput"));
        assertTrue(ReportedProject.place(page, "compare-measured").contains("nginx 1.2.3"), page);
        assertEquals(before.substring(0, before.indexOf("<!-- cpu -->")),
                page.substring(0, page.indexOf("<!-- cpu -->")));
    }

    @Test
    void chartsHaveTheSameFigures() throws Exception {
        project.report(PAGE);
        for (String name : CHARTS) {
            Document chart = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                    .parse(folder.resolve(RESULTS + name).toFile());
            NodeList texts = chart.getElementsByTagName("text");
            List<String> words = Stream.iterate(0, i -> i < texts.getLength(), i -> i + 1)
                    .map(i -> texts.item(i).getTextContent()).toList();
            boolean cpu = name.startsWith("cpu");
            String ours = cpu ? "20.0 (1.50)" : "1.00*", jdk = cpu ? "35.0 (35.7)" : "0.04";
            assertEquals(ours, words.get(words.indexOf("microhttp") + 1), name);
            assertEquals(jdk, words.get(words.lastIndexOf("JDK HttpServer") + 1), name);
            assertEquals("not valid", words.get(words.indexOf("HAProxy") + 1), name);
            String description = chart.getElementsByTagName("desc").item(0).getTextContent();
            assertTrue(description.contains("microhttp " + ours), description);
            assertEquals(1, chart.getElementsByTagName("title").getLength());
            assertEquals(0, chart.getElementsByTagName("script").getLength());
        }
    }

    @Test
    void longestBarIsOfTheGreatestFigure() throws Exception {
        project.report(PAGE);
        String chart = Readme.read(folder.resolve(RESULTS + "cpu-light.svg"));
        List<Double> widths = Pattern.compile("width=\"([0-9.]+)\" height=\"14.0\"").matcher(chart).results()
                .map(bar -> Double.valueOf(bar.group(1))).toList();
        // floor 10, microhttp 20 and up to 30, nginx 20; then post: floor 0.98, JDK 35 and up to 50
        assertEquals(widths.get(0) * 2, widths.get(1), 0.2);
        assertEquals(widths.get(1), widths.get(2));
        assertEquals(widths.get(0) * 35 / 50 * 3, widths.get(4), 0.2);
    }

    @ParameterizedTest
    @ValueSource(strings = {PAGE, RESULTS + "cpu-light.svg", RESULTS + "throughput-dark.svg"})
    void noFigureIsTyped(String file) throws Exception {
        project.report(PAGE);
        project.assertReports(0, "", "--check");
        String typed = Readme.read(folder.resolve(file)).replaceFirst("\\b(1\\.00|20\\.0)\\b", "9.99");
        project.write(file, typed);
        project.assertReports(1, file + " is not what the results say\n", "--check");
        assertEquals(typed, Readme.read(folder.resolve(file)));
    }

    @Test
    void whatWentWrongIsSaid() throws Exception {
        project.writeResult("comparison.tsv", "# failed: HAProxy, keep-alive: 3 errors in round 2\n",
                COLUMNS + MEASURED);
        ReportedProject.assertHas(project.report(PAGE),
                "Not measured, and shown as –: HAProxy, keep-alive: 3 errors in round 2.");
    }

    @Test
    void aPageWithoutAPlaceIsRefused() throws Exception {
        project.write(PAGE, "<!-- cpu -->\n");
        AssertionError refused = assertThrows(AssertionError.class, () -> project.report(PAGE));
        assertTrue(refused.getMessage().contains(" has no place for "), refused.getMessage());
    }

    @Test
    void benchmarksTableHasTimeAndAllocation() throws Exception {
        project.write(RESULTS + "jmh.csv", BENCHMARKS);
        String made = ReportedProject.place(project.report(PAGE), "benchmarks");
        assertTrue(made.startsWith(String.join("\n", "| benchmark | time per operation | allocated |",
                "|---|---:|---:|", "| `Some.first` | 123 ± 7.89 ns | 248 B |",
                "| `Some.second`, entries = 100 | 12.3 µs | – |", "")), made);
    }

    /** 4 over 8, 6 over 6 and 5 over 2 are a half, one and two and a half. */
    @Test
    void responseServerTableHasRatiosOfTheSameRound() throws Exception {
        project.write(RESULTS + "response-server.tsv", "# date: today\n" + """
                figure threads round server value
                keep-alive 1 1 ResponseServer 4
                keep-alive 1 2 ResponseServer 6
                keep-alive 1 3 ResponseServer 5
                keep-alive 1 2 other 6
                keep-alive 1 3 other 2
                keep-alive 1 1 other 8
                pipelined 2 1 ResponseServer 0.5
                pipelined 2 1 other 2
                start 1 1 other 7.4
                start 1 2 other 9.4
                memory 1 1 ResponseServer 61.0
                """.replace(' ', '\t'));
        String table = String.join("\n", "|---|---:|---:|---:|---:|---:|---:|",
                "| **ResponseServer** | 5.00 (4.00–6.00) µs | | | 0.50 (0.50–0.50) µs | | 61 (61–61) |",
                "| other | 1.00 (0.50–2.50) | | | 0.25 (0.25–0.25) | 8 (7–9) | |", "", "Measured today ");
        String made = ReportedProject.place(project.report(PAGE), "response-server");
        assertTrue(made.contains("\n" + table), made);
    }
}
