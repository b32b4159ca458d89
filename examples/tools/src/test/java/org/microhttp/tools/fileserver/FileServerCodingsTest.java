package org.microhttp.tools.fileserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.ManyFiles;

/** What the mode {@code files} of {@code Endurance} does with 10,000 files, with few. */
@Tier.Program
final class FileServerCodingsTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {0, 200_000})
    void everyFileIsTheSameThroughEveryCoding(long memory) throws Exception {
        assumeTrue(ManyFiles.isPossible(), "no brotli or zstd: install the packages brotli and zstd");
        var site = new ManyFiles(folder);
        List<String> differences = site.differences(40, 1, 5_000, memory);
        assertEquals(List.of(), differences);
        assertEquals(Set.of("identity", "gzip", "br", "zstd"), site.compared().keySet());
        assertTrue(site.compared().values().stream().allMatch(count -> count > 5));
        assertEquals(4 * 40, site.compared().values().stream().mapToInt(Integer::intValue).sum());
    }
}
