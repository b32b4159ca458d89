package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.extras.testing.PackedProgram;
import org.microhttp.extras.testing.PackedProgram.Form;
import org.microhttp.testing.*;

/** What the resources of a program are answered with, over sockets. */
@Tier.Program
final class ResourceHandlerTest {

    private static final List<String> NAMES = Readme.read(Readme.ROOT.resolve(
            "examples/extras/src/test/resources/traversal.txt")).lines().toList();

    private static final String SECRET = "not for you";

    @TempDir
    private Path folder;
    private PackedProgram program;
    private TestServer server;

    @BeforeEach
    void make() throws Exception {
        program = new PackedProgram(folder).with("app/web/index.html", "home")
                .with("app/web/app.js", "0123456789").with("app/web/d/x", "x");
        server = null;
    }

    @AfterEach
    void close() throws Exception {
        program.close();
        if (server != null) {
            server.close();
        }
    }

    private FileHandler serve(Form form, UnaryOperator<FileHandlerBuilder> settings) throws Exception {
        FileHandler handler = settings.apply(FileHandler.ofResources(program.load(form), "/app/web")).build();
        server = new TestServer(handler);
        return handler;
    }

    private RawResponse get(String target, String... fields) throws Exception {
        return send("GET", target, fields);
    }

    private RawResponse send(String method, String target, String... fields) throws Exception {
        try (RawClient client = server.connect()) {
            return client.send(FileSite.request(method, target, fields)).response(method.equals("HEAD"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersAsAFolderDoes(Form form) throws Exception {
        FileHandler handler = serve(form, builder -> builder.withCacheControl("*.js", "max-age=60"));
        assertEquals("home", get("/").text());
        assertEquals("text/html; charset=utf-8", get("/?a=b").header("Content-Type"));
        RawResponse script = get("/%61pp.js");
        assertEquals("0123456789", script.text());
        assertEquals("max-age=60", script.header("Cache-Control"));
        assertEquals(RawResponse.undated(script.head()),
                RawResponse.undated(send("HEAD", "/app.js").head()));
        assertEquals("/d/?q", get("/d?q").header("Location"));
        assertEquals(301, get("/d").status());
        for (String missing : new String[] {"/d/", "/none", "/app.js/", "/APP.JS", "//", "/a%00", "/%"}) {
            assertEquals(404, get(missing).status(), missing);
        }
        assertEquals("GET, HEAD", send("POST", "/", "Content-Length: 0").header("Allow"));
        assertEquals(405, send("OPTIONS", "*").status());
        assertEquals(3 * 1_000 + "home0123456789x".length(), handler.memory());
        assertEquals(0, handler.openFiles());
        handler.close();
        assertEquals(200, get("/app.js").status());
    }

    /** The same on every machine, and no date, so dates are as if they were not there. */
    @Test
    void tagsAreOfTheBytes() throws Exception {
        Set<String> tags = new HashSet<>();
        for (Form form : Form.values()) {
            serve(form, UnaryOperator.identity());
            RawResponse response = get("/app.js");
            assertNull(response.header("Last-Modified"));
            tags.add(response.header("ETag"));
            server.close();
        }
        // printf 0123456789 | sha256sum
        String tag = "\"84d89877f0d4041efb6bf91a16f0248f\"";
        assertEquals(Set.of(tag), tags);
        serve(Form.JAR, UnaryOperator.identity());
        assertEquals(304, get("/app.js", "If-None-Match: W/" + tag).status());
        assertEquals(412, get("/app.js", "If-Match: \"x\"").status());
        assertEquals(200, get("/app.js", "If-Modified-Since: Sun, 06 Nov 2094 08:49:37 GMT").status());
        assertEquals("2345", get("/app.js", "Range: bytes=2-5", "If-Range: " + tag).text());
        assertEquals(200, get("/app.js", "Range: bytes=2-5", "If-Range: \"x\"").status());
        assertEquals("bytes 7-9/10", get("/app.js", "Range: bytes=-3").header("Content-Range"));
        assertEquals(416, get("/app.js", "Range: bytes=10-").status());
    }

    @Test
    void variantsAreBeside() throws Exception {
        program.with("app/web/app.js.gz", "gzip").with("app/web/app.js.br", "br")
                .with("app/web/app.js.zst", "").with("app/web/only.css.gz", "gz");
        serve(Form.JAR_WITHOUT_FOLDERS, UnaryOperator.identity());
        RawResponse response = get("/app.js", "Accept-Encoding: gzip, br, zstd");
        assertEquals("br", response.text());
        assertEquals("br", response.header("Content-Encoding"));
        assertEquals("text/javascript; charset=utf-8", response.header("Content-Type"));
        assertEquals("Accept-Encoding", response.header("Vary"));
        assertTrue(response.header("ETag").endsWith("-br\""));
        assertEquals("gzip", get("/app.js", "Accept-Encoding: gzip, zstd").text());
        assertEquals("zi", get("/app.js", "Accept-Encoding: gzip", "Range: bytes=1-2").text());
        RawResponse plain = get("/app.js", "Accept-Encoding: zstd");
        assertEquals("0123456789", plain.text());
        assertEquals("Accept-Encoding", plain.header("Vary"));
        assertEquals(406, get("/app.js", "Accept-Encoding: *;q=0").status());
        RawResponse own = get("/app.js.gz", "Accept-Encoding: gzip");
        assertNull(own.header("Content-Encoding"));
        assertEquals("application/gzip", own.header("Content-Type"));
        assertEquals(404, get("/only.css", "Accept-Encoding: gzip").status());
    }

    /** As another client sees it, with a body that is sent in several writes. */
    @Test
    void curlDecodesTheResponse() throws Exception {
        assumeTrue(Programs.isInstalled("curl"), "no curl");
        String text = "0123456789abcdef\n".repeat(60_000);
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(text.getBytes());
        }
        program.with("app/web/large.txt", text).with("app/web/large.txt.gz", packed.toByteArray());
        serve(Form.JAR, UnaryOperator.identity());
        String url = "http://127.0.0.1:" + server.port() + "/large.txt";
        assertEquals(text, Programs.run(0, "curl", "-s", "--compressed", url));
        assertEquals(text, Programs.run(0, "curl", "-s", url));
        assertEquals(text.substring(500_000), Programs.run(0, "curl", "-s", "-r", "500000-", url));
    }

    @Test
    void missingPathsGetThePageFor404() throws Exception {
        program.with("app/web/404.html", "<p>not here");
        serve(Form.JAR, UnaryOperator.identity());
        RawResponse response = get("/none", "If-None-Match: *", "Range: bytes=0-1");
        assertEquals(404, response.status());
        assertEquals("<p>not here", response.text());
        assertEquals("<p>not here", get("/../secret").text());
        assertEquals(200, get("/404.html").status());
    }

    @ParameterizedTest
    @EnumSource(names = {"JAR", "FOLDER", "MODULE_JAR"})
    void noNameLeadsOut(Form form) throws Exception {
        for (String name : new String[] {"secret", "app/secret", "app/web/.hidden", "app/web/d/.git/x",
            "app/web-secret/secret"}) {
            program.with(name, SECRET);
        }
        serve(form, UnaryOperator.identity());
        assertTrue(NAMES.size() > 60);
        for (String name : NAMES) {
            RawResponse response = get(name);
            Set<Integer> allowed = name.startsWith("/?") ? Set.of(200) : Set.of(400, 404, 414);
            allowed = name.startsWith("/d?") ? Set.of(301) : allowed;
            assertTrue(allowed.contains(response.status()), name + ": " + response.head());
            assertFalse(response.text().contains(SECRET) || response.text().contains("root:"), name);
        }
        for (String name : List.of("/Main.class", "/..%2fMain.class", "/.hidden", "/d/.git/x")) {
            assertEquals(404, get(name).status(), name);
        }
    }

    @Test
    void indexesListingsAndCacheControlAreSet() throws Exception {
        serve(Form.JAR, builder -> builder.withIndexes("none", "x"));
        assertEquals(404, get("/").status());
        assertEquals("x", get("/d/").text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"withVariants", "withListing", "withExecutor"})
    void settingsOfFoldersAreRefused(String setter) throws Exception {
        FileHandlerBuilder builder = FileHandler.ofResources(program.load(Form.JAR), "web");
        String message = assertThrows(IllegalStateException.class, () -> {
            switch (setter) {
                case "withVariants" -> builder.withVariants(folder);
                case "withListing" -> builder.withListing();
                default -> builder.withExecutor(Runnable::run);
            }
        }).getMessage();
        assertTrue(message.startsWith(setter + " is for folders; "), message);
    }
}
