package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** The tables and the picture of the benchmarks are what the scripts make of the results. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class ReportTest {

    private static final String PAGE = "src/jmh/README.md";
    private static final String SERVICES = "src/jmh/services/README.md";
    private static final String RESULTS = "src/jmh/results";

    /** A request costs the floor 10, 20 and 10 µs, and microhttp 15, 20 and 30: ratios of 1.5, 1 and 3. */
    private static final String MEASURED = """
            # date: 2026-01-01T00:00Z
            scenario round server requests seconds user_s system_s errors generator_s others_s
            keep-alive 1 floor      100000  2.000  0.25  0.75 0 1.00 0.00
            keep-alive 1 microhttp  100000  2.000  0.50  1.00 0 1.00 0.00
            keep-alive 2 microhttp  100000  4.000  1.00  1.00 0 1.00 0.00
            keep-alive 2 floor      100000  2.000  0.50  1.50 0 1.00 0.00
            keep-alive 3 floor      100000  2.000  0.50  0.50 0 1.00 0.00
            keep-alive 3 microhttp  100000  1.000  1.00  2.00 0 1.00 0.00
            """;

    @TempDir
    private Path copy;

    @BeforeEach
    void copyPages() throws IOException {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        Files.createDirectories(copy.resolve(RESULTS));
        Files.createDirectories(copy.resolve(SERVICES).getParent());
        for (String page : List.of(PAGE, SERVICES)) {
            Files.copy(Readme.ROOT.resolve(page), copy.resolve(page));
        }
        try (Stream<Path> results = Files.list(Readme.ROOT.resolve(RESULTS))) {
            for (Path result : results.toList()) {
                Files.copy(result, copy.resolve(RESULTS).resolve(result.getFileName()));
            }
        }
    }

    private static String report(int status, Path folder, String... arguments) throws Exception {
        var builder = new ProcessBuilder("bash", "src/jmh/report").redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment().put("FOLDER", folder.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(status, process.waitFor(), output);
        return output;
    }

    @Test
    void tablesAreMadeOfTheResults() throws Exception {
        assertEquals("", report(0, Readme.ROOT, "--check"));
    }

    @ParameterizedTest
    @ValueSource(strings = {PAGE, SERVICES, RESULTS + "/files.md", RESULTS + "/archive.md",
            RESULTS + "/peers.md"})
    void typedFigureIsFound(String file) throws Exception {
        String page = Readme.read(copy.resolve(file));
        String typed = page.replaceFirst("(?m)^(\\|---\\|---:.*\n\\| [^|]+\\| )[0-9.,]+", "$1999999");
        assertTrue(!typed.equals(page), page);
        Files.writeString(copy.resolve(file), typed);
        assertEquals(file + " is not what the results say\n", report(1, copy, "--check"));
        assertEquals(typed, Readme.read(copy.resolve(file)));
    }

    @Test
    void tableHasMediansOfRatiosWithinARound() throws Exception {
        Files.writeString(copy.resolve(RESULTS + "/comparison.tsv"), MEASURED.replaceAll(" +", "\t"));
        report(0, copy);
        String page = Readme.read(copy.resolve(PAGE));
        assertTrue(page.contains("\n| JVM floor | 10.0 (10.0–20.0) |\n"), page);
        assertTrue(page.contains("\n| **microhttp** | 20.0; 1.50 (1.00–3.00) |\n"), page);
    }

    /** Another version of gnuplot draws it otherwise. */
    @Test
    void pictureIsDrawnOfTheResults() throws Exception {
        assumeTrue(Programs.isInstalled("gnuplot"), "no gnuplot");
        Path drawn = copy.resolve("drawn.svg");
        Programs.run(0, "bash", "src/jmh/chart", "" + drawn);
        String picture = Readme.read(Readme.ROOT.resolve(RESULTS + "/services.svg"));
        assumeTrue(picture.contains(version(drawn)), "another gnuplot");
        assertEquals(picture, Readme.read(drawn));
    }

    private static String version(Path picture) {
        return Readme.read(picture).lines().filter(line -> line.startsWith("<desc>")).findFirst()
                .orElseThrow();
    }
}
