package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Tier;

/** Whether the tables of the benchmark of files have what was measured, rightly computed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class FileReportTest {

    private static final String PAGE = ReportedProject.RESULTS + "files.md";

    /**
     * With columns for the eye: part, content, connections, persistence, transport, how many there were,
     * round, server, requests, bytes, seconds, CPU time in user mode, in the kernel and of the proxy, errors,
     * CPU time of the load generator and of others. On 2 connections a request costs nginx 10, 20 and 10 µs,
     * and FileServer 5, 20 and 30: ratios of 0.5, 1 and 3. Of 1.5 MB there are as many as the bytes would be.
     */
    private static final String MEASURED = """
            matrix 99   2     keep-alive plain 2    1 fileserver 100000 30000000 1.0 0.25 0.25 0.0 0 1.0 0.0
            matrix 99   2     keep-alive plain 2    1 nginx      100000 30000000 2.0 0.50 0.50 0.0 0 1.0 0.0
            matrix 99   2     keep-alive plain 2    1 lighttpd   100000 30000000 1.0 2.00 2.00 0.0 0 1.0 0.0
            matrix 99   2     keep-alive plain 2    1 apache2    100000 30000000 1.0 2.00 2.00 0.0 3 1.0 0.0
            matrix 99   2     keep-alive plain 2    2 nginx      100000 30000000 2.0 1.00 1.00 0.0 0 1.0 0.0
            matrix 99   2     keep-alive plain 2    2 fileserver 100000 30000000 2.0 1.00 1.00 0.0 0 1.0 0.0
            matrix 99   2     keep-alive plain 2    3 nginx      100000 30000000 2.0 0.50 0.50 0.0 0 1.0 0.0
            matrix 99   2     keep-alive plain 2    3 fileserver 100000 30000000 4.0 1.50 1.50 0.0 0 1.0 0.0
            matrix 99   20    keep-alive plain 20   1 fileserver 100000 30000000 1.0 1.00 1.00 0.0 0 1.0 0.0
            matrix 99   20    keep-alive plain 20   1 nginx      100000 30000000 1.0 0.50 0.50 0.0 0 1.0 0.0
            matrix 99   10000 keep-alive TLS   9800 1 fileserver 100000 30000000 1.0 1.00 1.00 2.0 0 1.0 0.0
            matrix 99   10000 keep-alive TLS   9800 1 nginx      100000 30000000 1.0 0.25 0.25 2.0 0 1.0 0.0
            oldest 1.7k 20    keep-alive plain 20   1 nginx      500000 900000000 10 1.00 1.00 0.0 0 1.0 0.0
            oldest 1.7k 20    keep-alive plain 20   1 fileserver 500000 900000000 5  1.00 1.00 0.0 0 1.0 0.0
            huge   5g   1     keep-alive plain 1    1 fileserver 0 4500000000 2.0 1.00 0.80 0.0 0 1.0 0.0
            huge   5g   1     keep-alive plain 1    1 nginx      0 5000000000 2.0 1.00 1.50 0.0 0 1.0 0.0
            bodies 1.5m 1     keep-alive plain 1    1 body-array  7 15000000 1.0 0.02 0.02 0.0 0 1.0 0.0
            bodies 1.5m 1     keep-alive plain 1    1 body-direct 8 15000000 1.0 0.01 0.02 0.0 0 1.0 0.0
            """;

    private static final String COLD = """
            server cache round bytes seconds small_requests longest_ms
            fileserver cold 1 250000000 1.0 90 20.0
            fileserver cold 2 250000000 0.5 90 40.0
            fileserver warm 1 250000000 0.1 90 2.0
            """;

    private static final String COLUMNS = "part content connections persistence transport reached round "
            + "server requests bytes seconds user_s system_s proxy_s errors generator_s others_s\n";

    private static final String FACTS = "# date: 2026-01-01T00:00Z\n# nginx: 1.2.3\n"
            + "# failed: Apache, 99 B: 3 errors in round 1\n";

    @TempDir
    private Path folder;

    private ReportedProject project;

    @BeforeEach
    void writeProject() throws IOException {
        project = ReportedProject.write(folder);
        project.writeResult("files.tsv", FACTS, COLUMNS + MEASURED + COLD);
    }

    @Test
    void shortTableHasTheExtremesOfTheMedians() throws Exception {
        String page = project.report(PAGE);
        String cost = String.join("\n", "| CPU time per request, nginx = 1 | 99 B |", "|---|---:|",
                "| keep-alive, plain: **FileServer, from files** | 1.00–2.00 |",
                "| keep-alive, plain: lighttpd | 4.00 |", "| keep-alive, plain: Apache | – |",
                "| keep-alive, TLS: **FileServer, from files** | 4.00 |",
                "| keep-alive, TLS: lighttpd | – |");
        assertTrue(page.contains("\n\n" + cost + "\n"), page);
        String rate = String.join("\n", "| requests per second, nginx = 1 | 99 B |", "|---|---:|",
                "| keep-alive, plain: **FileServer, from files** | 1.00 |");
        assertTrue(page.contains("\n\n" + rate + "\n"), page);
    }

    @Test
    void otherLinesAreComparedToo() throws Exception {
        String page = project.report(PAGE);
        ReportedProject.assertHas(page,
                "| 1.7 KiB, 20 connections, keep-alive, plain | 100,000; 2.00 | 50,000 |",
                "| 5 GB, 1 connection, keep-alive, plain: **FileServer, from files** "
                        + "| 2,250; 0.90 | 0.40; 0.80 |",
                "| 5 GB, 1 connection, keep-alive, plain: nginx | 2,500 | 0.50 |",
                "| 1.5 MB, 1 connection, keep-alive, plain | 4,000 | 3,000; 0.75 |",
                "| **FileServer, from files** | 375 (250–500) | 30.0 (20.0–40.0) | 2500 | 2.00 |");
        ReportedProject.assertHas(page, "Not measured, and shown as –: Apache, 99 B: 3 errors in round 1.");
        assertTrue(page.contains("nginx 1.2.3"), page);
    }

    @Test
    void fullPageHasARowForEachNumberOfConnections() throws Exception {
        String page = project.report(PAGE);
        ReportedProject.assertHas(page,
                "| 99 B, 2 | 20.0; 1.00 (0.50–3.00) | 10.0 | 40.0; 4.00 | – |",
                "| 99 B, 20 | 20.0; 2.00 | 10.0 | – | – |",
                "| 99 B, 2 | 1.00 (0.50–2.00) | 50,000; 15 MB/s | 2.00 | – |",
                "| 99 B, 10,000 (9,800) | 20.0; 4.00; 1.60 | 5.00; 25.0 | – | – |");
    }

    @Test
    void pageHasWhatWasRunAlone() throws Exception {
        String scope = ReportedProject.place(project.report(PAGE), "files-scope");
        assertEquals("Files: 99 B.\nConnections: 2 / 20 / 10,000; keep-alive; plain, TLS.", scope);
        String few = MEASURED.lines().filter(line -> line.startsWith("matrix 99   2 "))
                .collect(Collectors.joining("\n", COLUMNS, "\n"));
        project.writeResult("files.tsv", FACTS, few);
        String page = project.report(PAGE);
        assertEquals("Files: 99 B.\nConnections: 2; keep-alive; plain.",
                ReportedProject.place(page, "files-scope"));
        for (String part : List.of("oldest", "single", "bodies", "cold")) {
            assertFalse(ReportedProject.place(page, "files-" + part).contains("FileServer"), part);
        }
    }
}
