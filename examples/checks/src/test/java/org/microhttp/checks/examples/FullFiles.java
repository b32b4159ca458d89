package org.microhttp.checks.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.testing.Programs;
import org.microhttp.testing.TemporaryFolder;
import org.microhttp.tools.testing.ManyFiles;

/**
 * Every octet of 10,000 files through every coding: they are made, compressed by {@code FileServer compress},
 * served by {@code FileServer}, decoded and compared. Needs brotli and zstd. Not run by Maven:
 * <pre>
 *   examples/checks/full FullFiles [files] [seed]
 * </pre>
 */
final class FullFiles {

    private static final int FILES = 10_000;
    private static final int LONGEST = 20_000;

    private FullFiles() {
    }

    public static void main(String[] arguments) throws Exception {
        int files = Programs.number(arguments, 0, FILES);
        int seed = Programs.number(arguments, 1, 1);
        Path folder = Files.createTempDirectory("full-files");
        boolean kept;
        try {
            // half of them fits
            long memory = (long) files * LONGEST / 2;
            var site = new ManyFiles(folder);
            List<String> differences = site.differences(files, seed, LONGEST, memory);
            System.out.println("answers compared: " + site.compared());
            differences.stream().limit(20).forEach(System.out::println);
            int answers = site.compared().values().stream().mapToInt(Integer::intValue).sum();
            kept = differences.isEmpty() && answers == 4 * files;
        } finally {
            TemporaryFolder.delete(folder);
        }
        System.out.println(kept ? "kept" : "BROKEN");
        System.exit(kept ? 0 : 1);
    }
}
