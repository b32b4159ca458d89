package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.file.*;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;

/** The root and the cache of a {@code FileHandler} in a program of one's own, by whatever path. */
@Tier.Program
final class FileServerRootTest {

    /** The loop looks at files itself. */
    private static final Executor LOOP = Runnable::run;

    @TempDir
    private Path folder;

    @BeforeEach
    void makeSite() throws IOException {
        Path root = Files.createDirectories(folder.resolve("real/site"));
        Path page = FileSite.write(root.resolve("page.txt"), new byte[1000]);
        Path variant = FileSite.write(root.resolve("cache/page.txt.gz"), new byte[10]);
        Files.setLastModifiedTime(variant, Files.getLastModifiedTime(page));
        Files.createSymbolicLink(folder.resolve("link"), root);
        Files.createSymbolicLink(folder.resolve("variants"), root.resolve("cache"));
    }

    private static FileHandler handler(Path root, Path cache) throws IOException {
        FileHandlerBuilder builder = FileHandler.of(root).withExecutor(LOOP);
        return (cache == null ? builder : builder.withVariants(cache)).build();
    }

    /** The cache lies inside the root, so what is in it has no name there. */
    @ParameterizedTest
    @ValueSource(strings = {
        "real/site|real/site/cache",
        "link|variants",
        "link/.|link/cache",
        "real/../real/site|real/site/../site/cache",
        "link/../site|variants"})
    void isFoundByAnyPath(String paths) throws Exception {
        String[] names = paths.split("\\|");
        Path relative = Readme.ROOT.toRealPath().relativize(folder.toRealPath());
        for (Path way : List.of(folder, relative)) {
            assertServes(way.resolve(names[0]), way.resolve(names[1]));
        }
    }

    private static void assertServes(Path root, Path cache) throws Exception {
        try (var site = new ServedFiles(handler(root, cache))) {
            assertEquals(1000, site.get("/page.txt").body().length);
            RawResponse coded = site.get("/page.txt", "Accept-Encoding: gzip");
            assertEquals("gzip", coded.header("Content-Encoding"));
            assertEquals(10, coded.body().length);
            assertEquals(404, site.get("/cache/page.txt.gz").status());
        }
    }

    @Test
    void missingFoldersAreRefused() {
        Path none = folder.resolve("none");
        assertThrows(NoSuchFileException.class, () -> handler(none, null));
        assertThrows(NoSuchFileException.class, () -> handler(folder, none));
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "real", "real/site/.."})
    void aCacheThatIsOrHasTheRootIsRefused(String cache) {
        String message = assertThrows(IllegalArgumentException.class,
                () -> handler(folder.resolve("link"), folder.resolve(cache))).getMessage();
        assertTrue(message.matches(".*, .*/real(/site)?, is or has the root, .*/real/site"), message);
    }
}
