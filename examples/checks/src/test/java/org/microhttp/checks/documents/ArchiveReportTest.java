package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Tier;

/** Whether the tables of the benchmark of archives have what was measured, rightly computed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class ArchiveReportTest {

    private static final String PAGE = ReportedProject.RESULTS + "archive.md";

    private static final String SIZES = """
            what seconds bytes files records tinycdb_records answers coded_answers
            tree 0.00 4000000 1000 0 0 0 0
            tar.bz2 1.25 600000 0 0 0 0 0
            identity 2.50 4200000 0 2104 2104 1020 0
            identity,gzip 3.00 5000000 0 3004 3004 2040 900
            """;

    /**
     * Part, content, connections, threads, how many there were, CPUs, round, server, requests, bytes,
     * seconds, CPU time in user mode and in the kernel, errors, latencies, CPU time of the load generator and
     * of others. On the page of 13 B a request costs the server without an archive 10 and 20 µs, the other 11
     * and 24: ratios of 1.1 and 1.2, whose mean has an interval of 12.706 times 0.05 on either side. On 16
     * connections it costs nginx 10 and 20 µs, the archive 5 and 20: ratios of 0.5 and 1.
     */
    private static final String ROUNDS = """
            part content connections threads reached cpus round server requests bytes seconds user_s \
            system_s errors p50_us p99_us generator_s others_s
            dummy hello 100 1 100 own 1 archive-mapped 100000 1 1.0 0.60 0.50 0 100 200 1.0 0.0
            dummy hello 100 1 100 own 1 archive-dummy  100000 1 1.0 0.50 0.50 0 100 200 1.0 0.0
            dummy hello 100 1 100 own 2 archive-dummy  100000 1 1.0 1.00 1.00 0 100 200 1.0 0.0
            dummy hello 100 1 100 own 2 archive-mapped 100000 1 1.0 1.40 1.00 0 100 200 1.0 0.0
            load one 16 1 16 own 1 archive-mapped 100000 1 1.0 0.25 0.25 0 100 300 1.0 0.0
            load one 16 1 16 own 1 nginx          100000 1 2.0 0.50 0.50 0 200 400 1.0 0.0
            load one 16 1 16 own 2 nginx          100000 1 2.0 1.00 1.00 0 200 600 1.0 0.0
            load one 16 1 16 own 2 archive-mapped 100000 1 1.0 1.00 1.00 0 100 500 1.0 0.0
            load one 16384 1 9800 own 1 nginx          100000 1 1.0 0.50 0.50 0 200000 4000000 1.0 0.0
            load one 16384 1 9800 own 1 archive-mapped 100000 1 1.0 1.00 1.00 0 100000 2000000 1.0 0.0
            load one 16384 1 9800 own 1 lighttpd       100000 1 1.0 1.00 1.00 7 100000 2000000 1.0 0.0
            load all 16 2 16 shared 1 nginx          100000 1 1.0 0.50 0.50 0 200 400 1.0 0.0
            load all 16 2 16 shared 1 archive-mapped 100000 1 2.0 0.40 0.40 0 100 300 1.0 0.0
            """;

    private static final String FACTS = "# date: 2026-01-01T00:00Z\n# nginx: 1.2.3\n"
            + "# tree: 1,000 files of api\n# failed: lighttpd, one address: 7 errors in round 1\n";

    @TempDir
    private Path folder;

    private ReportedProject project;

    @BeforeEach
    void writeProject() throws IOException {
        project = ReportedProject.write(folder);
        project.writeResult("archive.tsv", FACTS, SIZES + ROUNDS);
    }

    @Test
    void sizesAreSharesOfTheTree() throws Exception {
        String page = project.report(PAGE);
        ReportedProject.assertHas(page, "Archived: 1,000 files of api.");
        ReportedProject.assertHas(page,
                "| tree | – | 4.0 | 100 % | – | – |",
                "| tar.bz2 | 1.3 | 0.6 | 15 % | – | – |",
                "| **archive, identity** | 2.5 | 4.2 | 105 % | 2,104 | 1,020 |",
                "| **archive, identity, gzip** | 3.0 | 5.0 | 125 % | 3,004 | 2,040; 900 |");
    }

    @Test
    void whatAnArchiveCostsHasAnInterval() throws Exception {
        String page = project.report(PAGE);
        ReportedProject.assertHas(page,
                "| **SiteArchive, mapped** | 17.5 (11.0–24.0) | 1.15 (0.51–1.79) |",
                "| **SiteArchive --dummy** | 15.0 (10.0–20.0) | |");
    }

    @Test
    void shortTablesHaveTheExtremesOfTheMedians() throws Exception {
        String page = project.report(PAGE);
        String heads = " | one address, 1 thread | all addresses, 2 threads |\n|---|---:|---:|\n";
        ReportedProject.assertHas(page, "On 16 / 16,384 connections.",
                "| CPU time per request, nginx = 1" + heads
                        + "| **SiteArchive, mapped** | 0.75–2.00 | 0.80 |\n| lighttpd | – | – |",
                "| requests per second, nginx = 1" + heads
                        + "| **SiteArchive, mapped** | 1.00–2.00 | 0.50 |",
                "| 99 % answered within, nginx = 1" + heads
                        + "| **SiteArchive, mapped** | 0.50–0.79 | 0.75 |");
        assertTrue(page.contains("\nWith 2 threads the load generator shares the CPUs"), page);
        assertTrue(page.contains("shown as –: lighttpd, one address: 7 errors in round 1."), page);
    }

    @Test
    void fullPageHasARowForEachNumberOfConnections() throws Exception {
        ReportedProject.assertHas(project.report(PAGE),
                "## One address, 1 thread\n\n| CPU time per request, µs "
                        + "| **SiteArchive, mapped** | nginx | lighttpd |",
                "| 16 | 12.5 (5.00–20.0); 0.75 (0.50–1.00) | 15.0 (10.0–20.0) | – |",
                "| 16,384 (9,800) | 20.0; 2.00 | 10.0 | – |", "| 16 | 100,000 | 50,000 | – |",
                "| 16 | 0.40 (0.30–0.50) | 0.50 (0.40–0.60) | – |", "| 16,384 (9,800) | 0 | 0 | 7 |",
                "## All addresses, 2 threads");
    }

    @Test
    void pageHasWhatWasRunAlone() throws Exception {
        String none = SIZES.substring(0, SIZES.indexOf('\n') + 1) + ROUNDS.substring(0, ROUNDS.indexOf('\n'));
        project.writeResult("archive.tsv", "# date: 2026-01-01T00:00Z\n", none + "\n");
        String page = project.report(PAGE);
        for (String part : List.of("sizes", "dummy", "load", "measured")) {
            assertFalse(ReportedProject.place(page, "archive-" + part).contains("SiteArchive"), part);
        }
    }
}
