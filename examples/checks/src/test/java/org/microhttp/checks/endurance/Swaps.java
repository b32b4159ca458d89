package org.microhttp.checks.endurance;

import java.nio.file.Files;
import java.nio.file.Path;
import org.microhttp.testing.Heap;
import org.microhttp.testing.Programs;
import org.microhttp.tools.testing.ArchiveSite.Way;
import org.microhttp.tools.testing.SwappedSite;

/**
 * {@code [swaps]}. Archives that replace others under load, in each way to have them at hand: no answer fails
 * or has two of them, and memory, mappings and descriptors are those of one.
 */
final class Swaps {

    private static final int SWAPS = 1_000;

    /** What the heap may have grown by: of code, and of what the collector leaves. */
    private static final long GROWTH = 4 << 20;

    private Swaps() {
    }

    static void run(Report report, String... arguments) throws Exception {
        int swaps = Programs.number(arguments, 0, SWAPS);
        for (Way way : new Way[] {Way.FILE, Way.MEMORY, Way.MAPPED_INDEXED}) {
            swap(report, way, swaps);
        }
    }

    private static void swap(Report report, Way way, int swaps) throws Exception {
        Path folder = Files.createTempDirectory("swaps");
        try (var site = new SwappedSite(folder, way)) {
            site.swap(Math.max(1, swaps / 10));
            long before = Heap.live();
            site.swap(swaps);
            site.endLoad();
            long open = site.open(1);
            long mapped = site.mapped();
            long growth = Heap.live() - before;
            // those of the loop, and an archive in memory
            long buffers = Heap.direct();
            System.out.printf("%s: %d swaps, %d answers, %d faults; open %d, mapped %d, heap %+d KiB,"
                    + " %d KiB beside it%n", way, swaps, site.answers(), site.faults().size(), open, mapped,
                    growth >> 10, buffers >> 10);
            site.faults().forEach(fault -> report.violation("" + way, fault));
            report.check(site.answers() > swaps, "answers", "too few by way of " + way);
            report.check(open <= 1 && mapped <= 1, "archives", open + " open, " + mapped + " mapped, " + way);
            report.check(growth < GROWTH && buffers < GROWTH, "memory", "has grown by way of " + way);
        } finally {
            for (String name : new String[] {"site.cdb", "site.cdb.new"}) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.delete(folder);
        }
    }
}
