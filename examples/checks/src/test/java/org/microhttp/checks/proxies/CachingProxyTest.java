package org.microhttp.checks.proxies;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.checks.proxies.tools.Proxy;
import org.microhttp.checks.proxies.tools.ProxyKind;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Programs;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;
import org.microhttp.testing.Tier;
import org.microhttp.tools.fileserver.Compressor;

/** The example {@code FileServer} behind nginx, which keeps what it was sent (RFC 9111). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class CachingProxyTest {

    private static final String TEXT = "the quick brown fox jumps over the lazy dog\n".repeat(100);

    @TempDir
    private Path folder;
    private Path page;
    private ServerProcess server;
    private Proxy proxy;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        Proxy.assumeInstalled(ProxyKind.NGINX_CACHING);
        assumeTrue(Programs.isInstalled("brotli"), "no brotli");
        assumeTrue(Programs.isInstalled("zstd"), "no zstd");
        Path root = Files.createDirectory(folder.resolve("site"));
        page = Files.writeString(root.resolve("page.html"), TEXT);
        compress();
        server = ServerProcess.start("org.microhttp.tools.fileserver.FileServer", "--root", "" + root,
                "--cache", "" + cache(),
                "--cache-control", "*=max-age=1", "--log", "" + folder.resolve("log"), "--address",
                "127.0.0.1", "--port", "0").listening();
        Path place = Files.createDirectory(folder.resolve("nginx"));
        proxy = Proxy.start(ProxyKind.NGINX_CACHING, place, List.of(server.port));
        client = new RawClient(proxy.port);
    }

    @AfterEach
    void stop() throws Exception {
        if (client != null) {
            client.close();
        }
        if (proxy != null) {
            proxy.close();
        }
        if (server != null) {
            server.process.destroyForcibly().waitFor();
        }
    }

    private Path cache() {
        return folder.resolve("variants");
    }

    private void compress() {
        var nothing = new PrintStream(OutputStream.nullOutputStream());
        String root = page.getParent().toString();
        assertEquals(0, Compressor.run(nothing, nothing, "--root", root, "--cache", cache().toString()));
    }

    /** Each client gets its variant from the cache, as it would from the server. */
    @Test
    void variantsAreKeptApart() throws Exception {
        Set<String> tags = new HashSet<>();
        for (String coding : List.of("identity", "gzip", "br", "zstd")) {
            String field = "Accept-Encoding: " + coding + "\r\n";
            RawResponse direct = direct(field);
            tags.add(direct.header("ETag"));
            for (String state : List.of("MISS", "HIT")) {
                RawResponse response = ask("GET", field);
                assertEquals(state, response.header("X-Cache"), coding);
                assertSame(direct, response);
                assertArrayEquals(direct.body(), response.body(), coding);
            }
        }
        assertEquals(4, tags.size());
    }

    private static void assertSame(RawResponse expected, RawResponse actual) {
        assertEquals(expected.status(), actual.status());
        for (String name : List.of("ETag", "Content-Type", "Content-Encoding", "Content-Length",
                "Content-Range", "Last-Modified", "Cache-Control", "Vary")) {
            assertEquals(expected.header(name), actual.header(name), name);
        }
    }

    @Test
    void rangesAndHeadsAreThoseOfTheServer() throws Exception {
        for (String field : List.of("Range: bytes=10-19\r\n", "Range: bytes=-7\r\n",
                "Accept-Encoding: gzip\r\nRange: bytes=5-\r\n", "Range: bytes=9999-\r\n")) {
            RawResponse direct = direct(field);
            for (int i = 0; i < 2; i++) {
                RawResponse response = ask("GET", field);
                assertEquals(direct.status(), response.status(), field);
                assertEquals(direct.header("Content-Range"), response.header("Content-Range"), field);
                if (direct.status() == 206) {
                    assertArrayEquals(direct.body(), response.body(), field);
                }
            }
        }
        assertSame(direct(""), ask("HEAD", ""));
    }

    /** It asks with the tag that it has, is told that this is right, and keeps what it has. */
    @Test
    void whatIsNoLongerFreshIsAskedFor() throws Exception {
        byte[] gzip = ask("GET", "Accept-Encoding: gzip\r\n").body();
        RawResponse again = ask("GET", "Accept-Encoding: gzip\r\n");
        while (!"REVALIDATED".equals(again.header("X-Cache"))) {
            assertEquals("HIT", again.header("X-Cache"));
            again = ask("GET", "Accept-Encoding: gzip\r\n");
        }
        assertEquals(200, again.status());
        assertArrayEquals(gzip, again.body());
        server.terminate();
        server.process.waitFor();
        List<String> log = Files.readAllLines(folder.resolve("log"));
        assertEquals(2, log.size());
        String line = "\"GET /page.html HTTP/1.1\" ";
        assertTrue(log.get(0).contains(line + "200 " + gzip.length + " "), log::toString);
        assertTrue(log.get(1).contains(line + "304 0 "), log::toString);
    }

    /** All that is ever seen is one version or the other, each with its own tag. */
    @Test
    void aNewVersionComesThrough() throws Exception {
        RawResponse first = ask("GET", "");
        String changed = TEXT.replace("fox", "cat");
        Path next = Files.writeString(folder.resolve("next"), changed);
        Files.move(next, page, StandardCopyOption.ATOMIC_MOVE);
        compress();
        RawResponse now = first;
        while (Arrays.equals(first.body(), now.body())) {
            assertEquals(first.header("ETag"), now.header("ETag"));
            now = ask("GET", "");
        }
        assertEquals(changed, new String(now.body(), UTF_8));
        assertSame(direct(""), now);
    }

    private RawResponse direct(String fields) throws IOException {
        try (var direct = new RawClient(server.port)) {
            return send(direct, "GET", fields).response();
        }
    }

    private RawResponse ask(String method, String fields) throws IOException {
        return send(client, method, fields).response(method.equals("HEAD"));
    }

    private static RawClient send(RawClient client, String method, String fields) throws IOException {
        return client.send(method + " /page.html HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n");
    }
}
