package org.microhttp.tools.fileserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.*;

/** {@code FileServer} as a program: its flags, its log, its end, and what it does without descriptors. */
@Tier.Program
final class FileServerProgramTest {

    private static final int LARGE = 8_000_000;

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses("org.microhttp.tools.fileserver.FileServer");

    @TempDir
    private Path folder;
    private String root;

    @BeforeEach
    void makeSite() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "<p>home");
        Files.writeString(site.resolve("a.abc"), "abc");
        root = site.toString();
    }

    /** The first session of its page, but for tags, times and sizes. */
    @Test
    void answersWithTheFieldsThatThePageShows() throws Exception {
        Path page = Readme.ROOT.resolve("examples/README.md");
        String session = Readme.blocks(Readme.read(page), "console").stream()
                .filter(block -> block.startsWith("$ examples/run FileServer --root"))
                .findFirst().orElseThrow();
        servers.serve("--root", "" + Readme.ROOT.resolve("examples/sitefiles"), "--list");
        try (var client = servers.connect()) {
            String head = client.get("/").response().head();
            assertEquals(names(session.substring(session.indexOf("HTTP/1.1"))), names(head));
        }
    }

    private static List<String> names(String head) {
        return head.strip().lines().map(line -> line.replaceAll(":.*", "")).toList();
    }

    @Test
    void servesByItsFlags() throws Exception {
        Path types = Files.writeString(folder.resolve("mime.types"), "text/x-abc abc\n");
        servers.serve("--root", root, "--memory", "1m", "--mime-types", "" + types,
                "--cache-control", "*.abc=no-store", "--cache-control", "**=max-age=5", "-t", "2");
        try (var client = servers.connect()) {
            RawResponse abc = client.get("/a.abc").response();
            assertEquals("text/x-abc; charset=utf-8", abc.header("Content-Type"));
            assertEquals("no-store", abc.header("Cache-Control"));
            RawResponse home = client.get("/").response();
            assertEquals("<p>home", home.text());
            assertEquals("max-age=5", home.header("Cache-Control"));
            Files.createDirectory(Path.of(root, "folder"));
            assertEquals(404, client.get("/folder/").response().status());
        }
    }

    @Test
    void writesAnAccessLog() throws Exception {
        Path log = folder.resolve("log");
        ServerProcess server = servers.serve("-r", root, "--log", "" + log, "--log-style", "json",
                "--trust", "127.0.0.1");
        try (var client = servers.connect()) {
            client.send(FileSite.request("GET", "/a.abc?x", "X-Forwarded-For: 192.0.2.1")).response();
            client.get("/none").response();
        }
        server.end();
        List<String> lines = Files.readAllLines(log);
        assertEquals(2, lines.size());
        assertTrue(lines.get(0).matches("\\{\"time\".*\"client\":\"192\\.0\\.2\\.1\".*"
                + "\"target\":\"/a\\.abc\\?x\".*\"bytes\":3,.*"), lines.get(0));
        assertTrue(lines.get(1).contains("\"status\":404"), lines.get(1));
    }

    /** Whoever is being sent a file when it is told to end gets all of it. */
    @Test
    void gracefulStopSendsFilesToTheirEnd() throws Exception {
        FileSite.write(Path.of(root, "large"), new byte[LARGE]);
        ServerProcess server = servers.serve("--root", root);
        try (var client = new RawClient(server.port, 4_096); var other = servers.connect()) {
            assertTrue(client.get("/large").readWithin(30_000).startsWith("HTTP/1.1 200 OK\r\n"));
            server.terminate();
            // it has begun to leave when it ends what is idle
            other.expectEnd();
            assertTrue(client.countToEnd() > LARGE - 100_000);
        }
        assertEquals(143, server.process.waitFor());
        assertEquals("", server.errors());
    }

    /** The sockets of clients have nearly all of them; what is in memory needs none. */
    @Test
    void saysWhenThereIsNoDescriptor() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no /proc");
        ServerProcess server = servers.shell("exec bash -c \"ulimit -n 100; exec $0 -a 127.0.0.1 -p 0 -t 1"
                + " --root '" + root + "'\"").listening();
        List<RawClient> clients = new ArrayList<>();
        try {
            RawClient first = servers.connect();
            clients.add(first);
            assertEquals("<p>home", first.get("/").response().text());
            RawResponse refused = null;
            for (int i = 0; refused == null && i < 100; i++) {
                clients.add(servers.connect());
                Files.writeString(Path.of(root, "new" + i), "");
                RawResponse response = first.get("/new" + i).response();
                refused = response.status() == 503 ? response : null;
            }
            assertEquals("1", refused.header("Retry-After"));
            assertEquals(200, first.get("/").response().status());
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        try (var client = servers.connect()) {
            while (client.get("/a.abc").response().status() != 200) Thread.onSpinWait();
        }
        server.terminate();
        assertEquals("FileServer: Too many open files", server.errors());
    }

    @Test
    void warnsOfACacheThatCompressHasNotMade() throws Exception {
        Path cache = Files.createDirectory(folder.resolve("cache"));
        assertEquals("FileServer: --cache is \"" + cache.toRealPath() + "\", which FileServer compress"
                + " has not made; there may be no variants in it", told("--cache '" + cache + "'"));
        assertEquals(0, servers.start("compress", "--root", root, "--cache", "" + cache).process.waitFor());
        assertEquals("", told("--cache '" + cache + "'"));
    }

    @Test
    void warnsOfALocaleThatIsNotOfUtf8() throws Exception {
        assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "a locale that is not of UTF-8");
        assertEquals("", told(""));
        ServerProcess server = servers.shell("LC_ALL=C exec $0 -a 127.0.0.1 -p 0 -r '" + root + "'");
        server.listening().terminate();
        assertEquals("FileServer: files whose names are not ASCII are not found in this locale;"
                + " take one of UTF-8, as by LC_ALL=C.UTF-8", server.errors());
    }

    /** What it writes to standard error from its start to its end. */
    private String told(String flags) throws Exception {
        ServerProcess server = servers.shell("exec $0 -a 127.0.0.1 -p 0 -r '" + root + "' " + flags);
        server.listening().terminate();
        return server.errors();
    }

    @Test
    void readsTheRootThroughALink() throws Exception {
        Files.createSymbolicLink(folder.resolve("link"), Path.of(root));
        servers.serve("--root", folder.resolve("link").toString());
        try (var client = servers.connect()) {
            assertEquals("abc", client.get("/a.abc").response().text());
        }
    }

    @Test
    void helpIsPrinted() throws Exception {
        String help = ToolRun.of("FileServer", "--help").output();
        String usage = "usage: FileServer [FLAGS]\n       FileServer compress [FLAGS]\n  -r, ";
        assertTrue(help.startsWith(usage), help);
    }
}
