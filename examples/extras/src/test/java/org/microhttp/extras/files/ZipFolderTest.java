package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.logging.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.extras.testing.ServedFiles;
import org.microhttp.testing.*;

/** A folder of a file system that, as that of Windows, opens nothing relative to a folder: of a zip file. */
@Tier.Program
final class ZipFolderTest {

    private static final String SECRET = "not for you";

    @TempDir
    private Path folder;
    private FileSystem zip;
    private Path site;
    private Path cache;

    @BeforeEach
    void make() throws Exception {
        zip = FileSystems.newFileSystem(folder.resolve("site.zip"), Map.of("create", "true"));
        site = zip.getPath("/site");
        cache = Files.createDirectory(zip.getPath("/cache"));
        FileSite.write(site.resolve("index.html"), "home".getBytes());
        FileSite.write(site.resolve("d/x"), "x".getBytes());
        FileSite.write(site.resolve("large.css"), "0123456789".repeat(50_000).getBytes());
        FileSite.write(site.resolve("d/.hidden"), SECRET.getBytes());
        FileSite.write(zip.getPath("/secret"), SECRET.getBytes());
        Path variant = Files.writeString(cache.resolve("large.css.gz"), "gzip");
        Files.setLastModifiedTime(variant, Files.getLastModifiedTime(site.resolve("large.css")));
    }

    @AfterEach
    void close() throws Exception {
        zip.close();
    }

    private FileHandler handler(long memory) throws IOException {
        return FileHandler.of(site).withVariants(cache).withListing().withMemory(memory).build();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void zipFolderIsServed(long memory) throws Exception {
        try (var served = new ServedFiles(handler(memory))) {
            assertEquals("home", served.get("/").text());
            assertEquals("/d/", served.get("/d").header("Location"));
            RawResponse large = served.get("/large.css");
            assertEquals(500_000, large.body().length);
            assertEquals("4567", served.get("/large.css", "Range: bytes=4-7").text());
            assertEquals("gzip", served.get("/large.css", "Accept-Encoding: gzip").text());
            assertEquals(304, served.get("/large.css", "If-None-Match: " + large.header("ETag")).status());
            String list = served.get("/d/").text();
            assertTrue(list.contains(">x</a>") && !list.contains("hidden"), list);
            served.assertNoNameLeadsOut(SECRET, List.of("/d/.hidden"));
        }
    }

    @Test
    void aChangeOfLengthIsNoticed() throws Exception {
        try (var served = new ServedFiles(handler(1 << 20))) {
            assertEquals("x", served.get("/d/x").text());
            Files.writeString(site.resolve("d/x"), "changed");
            long end = System.nanoTime() + 10_000_000_000L;
            while (!served.get("/d/x").text().equals("changed")) {
                assertTrue(System.nanoTime() < end);
            }
        }
    }

    /** By a warning to the operator, where there is something to say. */
    @Test
    void missingGuaranteesAreLoggedOnce() throws Exception {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(site)) {
            assertFalse(stream instanceof SecureDirectoryStream);
        }
        List<LogRecord> told = new ArrayList<>();
        Logger logger = Logger.getLogger(FileHandler.class.getName());
        Handler handler = recordingTo(told);
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            handler(0).close();
            FileHandler.of(folder).build().close();
        } finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
        assertEquals(List.of("no SecureDirectoryStream for /site: only the times of folders show whether one"
                        + " was swapped for a link while a file was opened; a user who may write there can"
                        + " set them, and so have a file from outside served; a change that keeps a file's"
                        + " length and time of modification is not noticed"),
                told.stream().map(LogRecord::getMessage).toList());
        assertEquals(Level.WARNING, told.get(0).getLevel());
    }

    private static Handler recordingTo(List<LogRecord> told) {
        return new Handler() {

            @Override
            public void publish(LogRecord record) {
                told.add(record);
            }

            @Override
            public void flush() {
            }

            @Override
            public void close() {
            }
        };
    }
}
