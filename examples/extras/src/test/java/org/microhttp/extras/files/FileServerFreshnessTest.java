package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.testing.*;

/** {@code FileServer} while files change, what it keeps of them, and that it gives all of it back. */
@Tier.Program
final class FileServerFreshnessTest {

    private static final String ALL = "Accept-Encoding: gzip, br";

    /** That of the promise, and as much again for a machine that is busy. */
    private static final long SECONDS = 1 + 9;

    @TempDir
    private Path folder;

    /** Asks until there is the answer, which must be soon. */
    private static void await(FileSite site, String target, String text) throws IOException {
        long start = System.nanoTime();
        while (!site.get(target, ALL).text().equals(text)) {
            assertTrue(System.nanoTime() - start < SECONDS * 1_000_000_000, "it is not noticed");
            LockSupport.parkNanos(2_000_000);
        }
    }

    /** All is known before, and all happens together. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void changedFilesAreNoticed(long memory) throws Exception {
        try (var site = new FileSite(folder, memory)) {
            List<String> names = List.of("replaced", "written", "compressed", "plain", "gone");
            for (String name : names) {
                site.write("d/" + name, "first");
            }
            site.variant("d/plain", ".br", "br");
            for (String name : names) {
                await(site, "/d/" + name, name.equals("plain") ? "br" : "first");
            }
            await(site, "/d/new", "404 Not Found\n");
            site.replace("d/replaced", "other");
            site.write("d/written", "third");
            site.variant("d/compressed", ".gz", "gzip");
            Files.delete(site.cache.resolve("d/plain.br"));
            Files.delete(site.root.resolve("d/gone"));
            site.write("d/new", "new");
            await(site, "/d/replaced", "other");
            await(site, "/d/written", "third");
            await(site, "/d/compressed", "gzip");
            await(site, "/d/plain", "first");
            await(site, "/d/gone", "404 Not Found\n");
            await(site, "/d/new", "new");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void noticesAnotherIndexAndWhereALinkLeads(long memory) throws Exception {
        try (var site = new FileSite(folder, memory)) {
            site.write("index.htm", "htm");
            await(site, "/", "htm");
            site.write("index.html", "html");
            await(site, "/", "html");
            Path link = site.root.resolve("link");
            Files.createSymbolicLink(link, Path.of("index.htm"));
            await(site, "/link", "htm");
            Files.delete(link);
            Files.createSymbolicLink(link, folder.getRoot().resolve("etc/passwd"));
            await(site, "/link", "404 Not Found\n");
        }
    }

    /** Written in place, in one tick of the file system's clock, to another content of the same length. */
    @Test
    void writesInTheSameTickAreNoticed() throws Exception {
        try (var site = new FileSite(folder, 1 << 20)) {
            Map<String, String> contents = new HashMap<>();
            for (int i = 0; i < 20; i++) {
                site.write("a" + i, "one");
                RawResponse first = site.get("/a" + i);
                contents.put(first.header("ETag"), first.text());
                site.write("a" + i, "two");
            }
            for (int i = 0; i < 20; i++) {
                await(site, "/a" + i, "two");
                RawResponse last = site.get("/a" + i);
                assertNotEquals("one", contents.get(last.header("ETag")));
            }
        }
    }

    /** Files and variants of one letter each, and later of another: no answer has two, nor has a tag. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 23})
    void twoVersionsAreNeverMixed(long memory) throws Exception {
        int names = 20;
        try (var site = new FileSite(folder, memory)) {
            Map<String, Character> letters = new HashMap<>();
            RawClient client = site.connect();
            for (char letter : "abc".toCharArray()) {
                for (int i = 0; i < names; i++) {
                    site.replace("f" + i, String.valueOf(letter).repeat(20_000));
                    site.variant("f" + i, ".gz", String.valueOf(letter).repeat(10_000));
                }
                for (int i = 0; i < names; i++) {
                    while (ask(client, "/f" + i, letters) != letter) {
                        LockSupport.parkNanos(2_000_000);
                    }
                }
            }
            assertTrue(letters.size() >= 3 * names, () -> "" + letters.size());
        }
    }

    /** The letter of the variant; the file itself may be a version ahead. */
    private static char ask(RawClient client, String target, Map<String, Character> letters)
            throws IOException {
        char letter = 0;
        for (String coding : List.of("identity", "gzip")) {
            RawResponse response = client.send(FileSite.request("GET", target, "Accept-Encoding: " + coding))
                    .response();
            char first = response.text().charAt(0);
            assertEquals(response.body().length, response.text().chars().filter(c -> c == first).count());
            assertEquals(first, letters.computeIfAbsent(response.header("ETag"), tag -> first));
            letter = first;
        }
        return letter;
    }

    /** Whoever is being sent what was cut off is told by the end of the connection. */
    @Test
    void aFileThatIsCutEndsOneConnection() throws Exception {
        try (var site = new FileSite(folder, 0)) {
            Path file = site.root.resolve("large");
            try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.allocate(1), 50_000_000);
            }
            site.write("small", "small");
            RawClient client = site.server.connect(4_096);
            assertTrue(client.get("/large").readWithin(30_000).startsWith("HTTP/1.1 200 OK\r\n"));
            Files.write(file, new byte[1_000]);
            assertTrue(client.countToEnd() < 50_000_000);
            assertEquals("small", site.get("/small").text());
            while (!"1000".equals(site.send("HEAD", "/large").header("Content-Length"))) {
                LockSupport.parkNanos(2_000_000);
            }
            assertEquals(1_000, site.get("/large").body().length);
        }
    }

    @Test
    void keepsContentWithinItsMemory() throws Exception {
        long memory = 1 << 20;
        try (var site = new FileSite(folder, memory)) {
            for (int i = 0; i < 200; i++) {
                site.write("f" + i, "x".repeat(100 * i) + i);
            }
            site.write("large", "x".repeat(200_000));
            RawClient client = site.connect();
            for (int i = 0; i < 600; i++) {
                int file = i % 200;
                assertEquals("x".repeat(100 * file) + file, client.get("/f" + file).response().text());
                assertTrue(site.handler.memory() <= memory, () -> "" + site.handler.memory());
            }
            assertTrue(site.handler.memory() > memory / 2);
            assertEquals(0, site.handler.openFiles());
            assertEquals(200_000, client.get("/large").response().body().length);
            assertEquals(1, site.handler.openFiles());
        }
    }

    @Test
    void keepsFilesUpTo64KiB() throws Exception {
        try (var site = new FileSite(folder, 1 << 23)) {
            site.write("small", "x".repeat(64_500));
            site.write("large", "x".repeat(65_000));
            assertEquals(64_500, site.get("/small").body().length);
            assertEquals(0, site.handler.openFiles());
            assertEquals(65_000, site.get("/large").body().length);
            assertEquals(1, site.handler.openFiles());
        }
    }

    /** More than it keeps open; some clients go in the middle of an answer. */
    @Test
    void closesEveryFile() throws Exception {
        try (var site = new FileSite(folder, 0)) {
            FileSite.write(site.root.resolve("large"), new byte[10_000_000]);
            for (int i = 0; i < 1_050; i++) {
                site.write("f" + i, "content " + i);
            }
            for (int i = 0; i < 10; i++) {
                try (var client = new RawClient(site.server.port(), 4_096)) {
                    client.get("/large").readWithin(30_000);
                    client.reset();
                }
            }
            RawClient client = site.connect();
            for (int i = 0; i < 1_050; i++) {
                assertEquals("content " + i, client.get("/f" + i).response().text());
            }
            for (int i = 0; i < 50; i++) {
                assertEquals(206, client.send(FileSite.request("GET", "/f" + i, "Range: bytes=1-2"))
                        .response().status());
                assertEquals(0, client.send(FileSite.request("HEAD", "/f" + i)).response(true).body().length);
            }
            int kept = site.handler.openFiles();
            assertTrue(kept > 100 && kept <= 1_000, "" + kept);
            // all that was sent is released when the loop has ended, and no collection of garbage closes it
            site.server.stop();
            assertEquals(kept, Leaks.open(site.root.toRealPath().toString()).size());
            site.handler.close();
            assertEquals(0, Leaks.open(site.root.toRealPath().toString()).size());
        }
    }
}
