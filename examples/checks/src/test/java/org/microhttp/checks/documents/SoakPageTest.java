package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.checks.faults.chaos.SoakRow;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The chart of a soak shows its table; the page of the last one shows that it kept. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class SoakPageTest {

    private static final Path RESULTS = Readme.ROOT.resolve("src/jmh/results");
    private static final List<String> DRAWN = List.of("live heap, KiB", "descriptors", "threads",
            "direct memory, KiB", "resident memory, KiB");

    @TempDir
    static Path classes;

    @TempDir
    Path folder;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Path sources = Readme.ROOT.resolve("src/jmh/java");
        run("javac", "-J" + Programs.SHORT.get(0), "-d", "" + classes, "-sourcepath", "" + sources,
                "" + sources.resolve("org/microhttp/report/SoakChart.java"));
    }

    @Test
    void theChartHasAPointForEachRow() throws Exception {
        String table = SoakRow.HEAD + new SoakRow(10, 1_000_000, 0, 8 << 20, 11, 78, 128 << 10, 90 << 20)
                + "\n" + new SoakRow(20, 2_000_000, 0, 4 << 20, 11, 78, 128 << 10, 90 << 20) + "\n";
        draw("# A soak\n\n" + table);
        String chart = Readme.read(folder.resolve("soak-light.svg"));
        NodeList texts = elements(chart, "text");
        List<String> found = IntStream.range(0, texts.getLength())
                .mapToObj(i -> texts.item(i).getTextContent()).toList();
        assertTrue(found.containsAll(DRAWN), found::toString);
        assertTrue(found.contains("What a server had in use in 20 minutes. It and others were sent"
                + " 2,000,000 requests, of which 0 failed."), found::toString);
        assertTrue(found.contains("4,096"), found::toString);
        assertTrue(found.contains("20 min"), found::toString);
        List<List<Double>> curves = curves(chart);
        assertEquals(DRAWN.size(), curves.size());
        List<Double> heap = curves.get(0);
        assertEquals(4, heap.size());
        // in the middle and at the end; at the top, and half as high
        assertEquals(24 + 326 / 2, heap.get(0), 0.1);
        assertEquals(24 + 326, heap.get(2), 0.1);
        assertEquals(70 / 2, heap.get(3) - heap.get(1), 0.1);
        assertEquals(curves.get(1).get(1), curves.get(1).get(3));
    }

    @Test
    void theLastSoakKeptAndItsChartIsThatOfItsTable() throws Exception {
        String page = Readme.read(RESULTS.resolve("soak.md"));
        List<List<String>> rows = Readme.table(page, "minute");
        assertTrue(rows.size() >= 6, rows::toString);
        assertTrue(rows.stream().allMatch(row -> row.get(2).equals("0")), rows::toString);
        assertTrue(Readme.blocks(page, "text").get(0).contains("\nverdict: kept\n"), page);
        draw(page);
        for (String name : List.of("soak-light.svg", "soak-dark.svg")) {
            assertTrue(Readme.links(RESULTS.resolve("soak.md")).contains(name), name);
            assertEquals(Readme.read(folder.resolve(name)), Readme.read(RESULTS.resolve(name)), name);
        }
    }

    /** Has the program make the charts of a page. */
    private void draw(String page) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("soak.md"), page);
        run("java", "-cp", "" + classes, "org.microhttp.report.SoakChart", "" + folder);
    }

    private static void run(String program, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", program).toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    private static NodeList elements(String chart, String name) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(chart.getBytes(StandardCharsets.UTF_8)))
                .getElementsByTagName(name);
    }

    /** Of each curve x and y of its points. */
    private static List<List<Double>> curves(String chart) throws Exception {
        var curves = new ArrayList<List<Double>>();
        NodeList paths = elements(chart, "path");
        for (int i = 0; i < paths.getLength(); i++) {
            String path = ((Element) paths.item(i)).getAttribute("d");
            if (path.contains("L")) {
                curves.add(List.of(path.substring(1).split("[L ]")).stream().map(Double::valueOf).toList());
            }
        }
        return curves;
    }
}
