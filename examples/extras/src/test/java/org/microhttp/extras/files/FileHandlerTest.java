package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.testing.ServedFiles;
import org.microhttp.testing.Tier;

/** What a program gets that only names a folder, and what the settings of the builder change. */
@Tier.Gate
final class FileHandlerTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws Exception {
        Files.writeString(folder.resolve("a.txt"), "text");
        Files.writeString(folder.resolve("start.html"), "start");
        Files.createDirectory(folder.resolve("empty"));
    }

    private static int status(FileHandler handler, String path) {
        List<Response> responses = new ArrayList<>();
        handler.handle(new Request("GET", path, "HTTP/1.1", List.of(), new byte[0]), responses::add);
        return responses.get(0).status();
    }

    @Test
    void servesWithThreadsOfItsOwnThatEndWithIt() throws Exception {
        try (var site = new ServedFiles(FileHandler.of(folder).build())) {
            assertEquals("text", site.get("/a.txt").text());
            assertEquals(404, site.get("/").status());
            assertEquals(404, site.get("/empty/").status());
            assertNull(site.get("/a.txt").header("Cache-Control"));
            site.handler.close();
            assertEquals(503, site.get("/start.html").status());
        }
    }

    @Test
    void indexesListingsAndCacheControlAreSet() throws Exception {
        try (var site = new ServedFiles(FileHandler.of(folder).withIndexes("start.html").withListing()
                .withCacheControl("*.txt", "no-cache").build())) {
            assertEquals("start", site.get("/").text());
            assertEquals(200, site.get("/empty/").status());
            assertEquals("no-cache", site.get("/a.txt").header("Cache-Control"));
        }
        for (String name : List.of("", "..", "a/b", "a\0")) {
            FileHandlerBuilder builder = FileHandler.of(folder);
            assertThrows(IllegalArgumentException.class, () -> builder.withIndexes(name));
        }
        assertThrows(IllegalArgumentException.class, () -> FileHandler.of(folder).withMemory(-1));
    }

    /** Also where it is to look ahead of time at what it has. */
    @Test
    void anExecutorThatTakesNothingMoreIsA503() throws Exception {
        boolean[] full = {false};
        FileHandler handler = FileHandler.of(folder).withExecutor(task -> {
            if (full[0]) {
                throw new RejectedExecutionException();
            }
            task.run();
        }).build();
        assertEquals(200, status(handler, "/a.txt"));
        full[0] = true;
        long end = System.nanoTime() + 10_000_000_000L;
        while (status(handler, "/a.txt") == 200) {
            assertTrue(System.nanoTime() < end);
        }
        assertEquals(503, status(handler, "/a.txt"));
        full[0] = false;
        assertEquals(200, status(handler, "/a.txt"));
    }

    @Test
    void sameCauseIsLoggedOnce() {
        List<String> told = new ArrayList<>();
        var report = new FailureReport((path, failure) -> told.add(path + " " + failure.getMessage()));
        for (int i = 0; i < 3; i++) {
            assertEquals(500, report.answer("/a", new IllegalStateException("fault")).status());
            var full = new IOException("x: Too many open files");
            assertEquals(503, report.answer("/" + i, full).status());
        }
        assertEquals(List.of("/a fault", " x: Too many open files"), told);
        for (int i = 0; i < 1_000; i++) {
            report.answer("/" + i, new IllegalStateException("fault"));
        }
        assertEquals(100, told.size());
    }
}
