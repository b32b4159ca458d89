package org.microhttp.checks.endurance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.testing.Programs;
import org.microhttp.testing.TemporaryFolder;
import org.microhttp.tools.testing.ManyFiles;

/**
 * {@code [files] [seed]}. Every byte of 10,000 files through every coding: they are made, compressed by
 * {@code FileServer compress}, served by {@code FileServer}, decoded and compared. Needs brotli and zstd.
 */
final class ServedFiles {

    private static final int FILES = 10_000;
    private static final int LONGEST = 20_000;

    private ServedFiles() {
    }

    static void run(Report report, String... arguments) throws Exception {
        int files = Programs.number(arguments, 0, FILES);
        int seed = Programs.number(arguments, 1, 1);
        Path folder = Files.createTempDirectory("files");
        try {
            // half of them fits
            long memory = (long) files * LONGEST / 2;
            var site = new ManyFiles(folder);
            List<String> differences = site.differences(files, seed, LONGEST, memory);
            System.out.println("answers compared: " + site.compared());
            differences.stream().limit(20).forEach(System.out::println);
            int answers = site.compared().values().stream().mapToInt(Integer::intValue).sum();
            report.check(differences.isEmpty(), "files", differences.size() + " differ");
            report.check(answers == 4 * files, "files", answers + " answers were compared");
        } finally {
            TemporaryFolder.delete(folder);
        }
    }
}
