package org.microhttp.tools.fileserver;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.extras.testing.Rights;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** {@code FileServer} where files may not be read, names are no text, and memory is short. */
@Tier.Program
final class FileServerFailuresTest {

    private static final String BROTLI = "Accept-Encoding: br";

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses("org.microhttp.tools.fileserver.FileServer");

    @TempDir
    private Path folder;
    private Path root;
    private Path cache;

    @BeforeEach
    void makeFolders() throws Exception {
        root = Files.createDirectory(folder.resolve("root"));
        cache = Files.createDirectory(folder.resolve("cache"));
    }

    private String flags() {
        return " -a 127.0.0.1 -p 0 --list --root " + root + " --cache " + cache;
    }

    private RawResponse get(String target, String... fields) throws Exception {
        try (var client = servers.connect()) {
            return client.send(FileSite.request("GET", target, fields)).response();
        }
    }

    /** A variant of what is there now. */
    private Path variant(String name, String content) throws Exception {
        Path variant = Files.writeString(cache.resolve(name + ".br"), content);
        return Files.setLastModifiedTime(variant, Files.getLastModifiedTime(root.resolve(name)));
    }

    /** Starts it so that permissions hold for it, which they do not for root. */
    private ServerProcess serveWithoutRights(Path secret) throws Exception {
        return program(flags(), secret).listening();
    }

    private ServerProcess program(String flags, Path secret) throws Exception {
        String user = "";
        if (Files.isReadable(secret)) {
            user = "setpriv --bounding-set -dac_override,-dac_read_search ";
            boolean possible = Programs.isInstalled("setpriv") && new ProcessBuilder("/bin/sh", "-c",
                    "exec " + user + "test ! -r " + secret).start().waitFor() == 0;
            assumeTrue(possible, "this user may read everything");
        }
        return servers.shell("exec " + user + "$0 " + flags);
    }

    private static Path hide(Path file) throws Exception {
        return Rights.give(file, "---------");
    }

    @Test
    void aPageThatMayNotBeReadIsNotSent() throws Exception {
        Path page = hide(Files.writeString(root.resolve("404.html"), "page"));
        ServerProcess server = serveWithoutRights(page);
        RawResponse response = get("/none");
        assertEquals(404, response.status());
        assertEquals("404 Not Found\n", response.text());
        assertEquals(403, get("/404.html").status());
        server.terminate();
        assertTrue(server.errors().contains("FileServer: /404.html: permission denied"));
    }

    /** As home folders often are: who knows a name may have it, and nobody gets a list. */
    @Test
    void aFolderThatMayBeEnteredServesFilesByName() throws Exception {
        FileSite.write(root.resolve("d/e/x.txt"), "0123456789".getBytes());
        FileSite.write(root.resolve("d/e/large"), new byte[2 << 20]);
        FileSite.write(root.resolve("d/index.html"), "index".getBytes());
        Files.createSymbolicLink(root.resolve("link"), Path.of("d/e/x.txt"));
        Path secret = Files.writeString(folder.resolve("x.txt"), "not served");
        Files.createSymbolicLink(root.resolve("d/e/out"), secret);
        List<Path> closed = List.of(root.resolve("d/e"), root.resolve("d"), root);
        for (Path name : closed) {
            Rights.give(name, "--x--x--x");
        }
        serveWithoutRights(root);
        assertEquals("0123456789", get("/d/e/x.txt").text());
        assertEquals(2 << 20, get("/d/e/large").body().length);
        assertEquals("0123456789", get("/link").text());
        assertEquals("index", get("/d/").text());
        assertEquals("/d/e/", get("/d/e").header("Location"));
        for (String listed : List.of("/", "/d/e/")) {
            assertEquals(403, get(listed).status(), listed);
        }
        for (String none : List.of("/none", "/d/e/none", "/d/e/out")) {
            assertEquals(404, get(none).status(), none);
        }
        Rights.give(root.resolve("d"), "---------");
        assertEquals(403, get("/d/e/y.txt").status());
        for (Path name : closed) {
            Rights.give(name, "rwxr-xr-x");
        }
    }

    /** Java's own messages are a path, or what is wrong with it, and often not both. */
    @Test
    void unreadableFolderIsNamedAtTheStart() throws Exception {
        Path secret = hide(Files.createDirectory(folder.resolve("secret"))).toRealPath();
        program(" -p 0 --root " + secret, secret).expectEnd(2, "",
                "FileServer: --root is \"" + secret + "\": permission denied");
        Files.createFile(cache.resolve(".variants"));
        Path old = hide(Files.createDirectory(cache.resolve("old"))).toRealPath();
        program(" compress --root " + root + " --cache " + cache, old).expectEnd(1, "",
                "FileServer compress: " + old + ": permission denied");
    }

    @Test
    void aVariantThatMayNotBeReadIsNotSent() throws Exception {
        Files.writeString(root.resolve("a.css"), "0123456789");
        Path variant = hide(variant("a.css", "br"));
        serveWithoutRights(variant);
        RawResponse response = get("/a.css", BROTLI);
        assertEquals(200, response.status());
        assertEquals("0123456789", response.text());
    }

    /** In a locale that cannot have it. */
    @Test
    void aNameThatIsNoTextIsNotListed() throws Exception {
        Files.writeString(root.resolve("caf\u00E9.css"), "0123456789");
        Files.writeString(root.resolve("b"), "");
        Files.createSymbolicLink(root.resolve("link.css"), Path.of("caf\u00E9.css"));
        servers.shell("LC_ALL=C exec $0" + flags()).listening();
        RawResponse page = get("/");
        assertEquals(200, page.status());
        assertTrue(page.text().contains(">b</a>"), page.text());
        assertFalse(page.text().contains(">caf"), page.text());
        assertEquals("0123456789", get("/link.css", BROTLI).text());
    }

    /** A name that is not UTF-8 reads like another one, which has a variant. */
    @Test
    void sendsNoVariantOfAnotherFile() throws Exception {
        Path other = Files.writeString(root.resolve("a\uFFFD.css"), "other file");
        variant("a\uFFFD.css", "other");
        String make = "printf 0123456789 > \"$(printf 'a\\377.css')\" && touch -r '" + other.getFileName()
                + "' \"$(printf 'a\\377.css')\" && ln -s \"$(printf 'a\\377.css')\" link.css";
        assertEquals(0, new ProcessBuilder("/bin/sh", "-c", make).directory(root.toFile()).inheritIO()
                .start().waitFor());
        servers.shell("LC_ALL=C.UTF-8 exec $0" + flags()).listening();
        assertEquals("0123456789", get("/link.css", BROTLI).text());
        assertEquals("other", get("/a%EF%BF%BD.css", BROTLI).text());
        String page = get("/").text();
        assertTrue(page.contains("<p>2 items</p>"), page);
    }

    /** More files than a small heap has room for what is known of them. */
    @Test
    void knowsAsManyFilesAsThereIsMemoryFor() throws Exception {
        int files = 3_000;
        String name = "long".repeat(60);
        for (int i = 0; i < files; i++) {
            Files.createFile(root.resolve(name + i));
        }
        ServerProcess server = servers.startJvm("-Xmx8m", "-a", "127.0.0.1", "-p", "0", "--root", "" + root)
                .listening();
        try (var client = servers.connect()) {
            for (int i = 0; i < files; i++) {
                assertEquals(200, client.get("/" + name + i).response().status(), "" + i);
            }
        }
        server.terminate();
        assertEquals("", server.errors());
    }
}
