package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.Response;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.extras.testing.Representations;
import org.microhttp.testing.*;

/** The lists of folders that {@code FileServer} makes: what they cost, and what is in them. */
@Tier.Program
final class FileServerListingTest {

    /** A page of so many is as long as one may be. */
    private static final int LONG_NAMES = 2_000;

    @TempDir
    private Path folder;

    private FileHandlerBuilder listing() {
        return FileHandler.of(folder).withMemory(0).withListing();
    }

    /** Of what a server has for all that looks at files, listings take two threads. */
    @Test
    void listsTwoFoldersAtATime() throws Exception {
        Queue<Runnable> tasks = new ArrayDeque<>();
        List<Response> responses = new ArrayList<>();
        Files.writeString(folder.resolve("a"), "a");
        var handler = listing().withExecutor(tasks::add).build();
        for (int i = 0; i < 200; i++) {
            handler.handle(Representations.request("GET"), responses::add);
        }
        for (int i = 0; i < 200; i++) {
            tasks.remove().run();
        }
        // what no longer can wait is told so
        assertEquals(98, responses.size());
        assertTrue(responses.stream().allMatch(response -> response.status() == 503));
        int listings = 0;
        while (!tasks.isEmpty()) {
            assertTrue(tasks.size() <= 2, "" + tasks.size());
            tasks.remove().run();
            listings++;
        }
        assertEquals(102, listings);
        assertEquals(102, responses.stream().filter(response -> response.status() == 200).count());
        handler.handle(Representations.request("GET"), responses::add);
        tasks.remove().run();
        tasks.remove().run();
        assertEquals(200, responses.get(200).status());
    }

    @Test
    void saysHowManyAreNotShown() throws Exception {
        try (var site = new FileSite(folder, 0)) {
            for (int i = 0; i < 10_050; i++) {
                Files.createFile(site.root.resolve("f" + i));
            }
            String html = site.get("/").text();
            assertTrue(html.contains("<p>10000 items, and 50 more that are not shown</p>"));
            assertEquals(10_000, html.split(">f[0-9]+</a>", -1).length - 1);
        }
    }

    private static void fillWithLongNames(Path root) throws IOException {
        for (int i = 0; i < LONG_NAMES; i++) {
            Files.createFile(root.resolve("%".repeat(250) + i));
        }
    }

    @Test
    void aPageOfLongNamesEndsBefore() throws Exception {
        try (var site = new FileSite(folder, 0)) {
            fillWithLongNames(site.root);
            String html = site.get("/").text();
            assertTrue(html.length() < 2_200_000, () -> "" + html.length());
            String end = html.substring(html.lastIndexOf("<p>"));
            assertTrue(end.matches("(?s)<p>1[0-9]{3} items, and [0-9]+ more that are not shown</p>.*"), end);
        }
    }

    /** Clients that do not read what they asked for; when they are gone there is room again. */
    @Test
    void pagesThatAreBeingSentAreBounded() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        // the kernel would take a whole page
        var options = TestServer.options().withSendBufferSize(4_096);
        try (var site = new FileSite(folder, 0, options)) {
            fillWithLongNames(site.root);
            site.write("small", "small");
            String answer = "";
            while (!answer.startsWith("HTTP/1.1 503 ") && clients.size() < 100) {
                RawClient client = site.server.connect(4_096);
                clients.add(client);
                answer = client.get("/").readWithin(30_000);
            }
            assertTrue(answer.contains("\r\nRetry-After: 1\r\n"), answer);
            assertTrue(clients.size() > 1);
            assertEquals("small", site.get("/small").text());
            for (RawClient client : clients) {
                client.reset();
            }
            while (site.get("/").status() != 200) {
                Thread.onSpinWait();
            }
        }
    }

    /** A cache in the root is not served, and a link to it leads to nothing. */
    @Test
    void doesNotListTheCache() throws Exception {
        Path cache = Files.createDirectory(folder.resolve("cache"));
        Files.createSymbolicLink(folder.resolve("link"), cache);
        Files.createSymbolicLink(folder.resolve("broken"), Path.of("none"));
        Files.createSymbolicLink(folder.resolve("text"), Path.of("a.txt"));
        Files.writeString(folder.resolve("a.txt"), "12345");
        try (var handler = listing().withVariants(cache).withExecutor(Runnable::run).build();
                var server = new TestServer(handler)) {
            String html = server.connect().get("/").response().text();
            assertFalse(html.contains("cache") || html.contains(">link") || html.contains("broken"), html);
            assertTrue(html.contains(">text</a></td><td>5 B<") && html.contains("<p>2 items</p>"), html);
        }
    }
}
