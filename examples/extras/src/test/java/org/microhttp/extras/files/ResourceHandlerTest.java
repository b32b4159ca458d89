package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.*;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.PackedProgram;
import org.microhttp.extras.testing.PackedProgram.Form;
import org.microhttp.extras.testing.ServedFiles;
import org.microhttp.testing.*;

/** What the resources of a program are answered with, over sockets. */
@Tier.Program
final class ResourceHandlerTest {

    private static final String SECRET = "not for you";

    @TempDir
    private Path folder;
    private PackedProgram program;
    private ServedFiles site;

    @BeforeEach
    void make() throws Exception {
        program = new PackedProgram(folder).with("app/web/index.html", "home")
                .with("app/web/app.js", "0123456789").with("app/web/d/x", "x");
    }

    @AfterEach
    void close() throws Exception {
        program.close();
        if (site != null) {
            site.close();
        }
    }

    private void serve(Form form) throws Exception {
        site = new ServedFiles(FileHandler.ofResources(program.load(form), "/app/web")
                .withCacheControl("*.js", "max-age=60").withIndexes("index.html", "start.html").build());
    }

    @ParameterizedTest
    @EnumSource
    void answersAsAFolderDoes(Form form) throws Exception {
        program.with("app/web/d/e/start.html", "start");
        serve(form);
        assertEquals("home", site.get("/?a=b").text());
        assertEquals("start", site.get("/d/e/").text());
        RawResponse script = site.get("/%61pp.js");
        assertEquals("0123456789", script.text());
        assertEquals("max-age=60", script.header("Cache-Control"));
        assertEquals(RawResponse.undated(script.head()),
                RawResponse.undated(site.send("HEAD", "/app.js").head()));
        assertEquals("/d/?q", site.get("/d?q").header("Location"));
        assertEquals(404, site.get("/d/").status());
        assertEquals(405, site.send("OPTIONS", "*").status());
        assertEquals(4 * 1_000 + "home0123456789xstart".length(), site.handler.memory());
        assertEquals(0, site.handler.openFiles());
        site.handler.close();
        assertEquals(200, site.get("/app.js").status());
    }

    /** The same on every machine, and no date, so dates are as if they were not there. */
    @Test
    void tagsAreOfTheBytes() throws Exception {
        Set<String> tags = new HashSet<>();
        for (Form form : Form.values()) {
            serve(form);
            RawResponse response = site.get("/app.js");
            assertNull(response.header("Last-Modified"));
            tags.add(response.header("ETag"));
            site.close();
        }
        // printf 0123456789 | sha256sum
        String tag = "\"84d89877f0d4041efb6bf91a16f0248f\"";
        assertEquals(Set.of(tag), tags);
        serve(Form.JAR);
        assertEquals(304, site.get("/app.js", "If-None-Match: W/" + tag).status());
        assertEquals(412, site.get("/app.js", "If-Match: \"x\"").status());
        assertEquals(200, site.get("/app.js", "If-Modified-Since: Sun, 06 Nov 2094 08:49:37 GMT").status());
        assertEquals("2345", site.get("/app.js", "Range: bytes=2-5", "If-Range: " + tag).text());
        assertEquals(200, site.get("/app.js", "Range: bytes=2-5", "If-Range: \"x\"").status());
        assertEquals("bytes 7-9/10", site.get("/app.js", "Range: bytes=-3").header("Content-Range"));
        assertEquals(416, site.get("/app.js", "Range: bytes=10-").status());
    }

    @Test
    void variantsAreBeside() throws Exception {
        program.with("app/web/app.js.gz", "gzip").with("app/web/app.js.br", "br")
                .with("app/web/app.js.zst", "").with("app/web/only.css.gz", "gz");
        serve(Form.JAR_WITHOUT_FOLDERS);
        RawResponse response = site.get("/app.js", "Accept-Encoding: gzip, br, zstd");
        assertEquals("br", response.text());
        assertEquals("br", response.header("Content-Encoding"));
        assertEquals("text/javascript; charset=utf-8", response.header("Content-Type"));
        assertEquals("Accept-Encoding", response.header("Vary"));
        assertTrue(response.header("ETag").endsWith("-br\""));
        assertEquals("gzip", site.get("/app.js", "Accept-Encoding: gzip, zstd").text());
        assertEquals("zi", site.get("/app.js", "Accept-Encoding: gzip", "Range: bytes=1-2").text());
        RawResponse plain = site.get("/app.js", "Accept-Encoding: zstd");
        assertEquals("0123456789", plain.text());
        assertEquals("Accept-Encoding", plain.header("Vary"));
        assertEquals(406, site.get("/app.js", "Accept-Encoding: *;q=0").status());
        RawResponse own = site.get("/app.js.gz", "Accept-Encoding: gzip");
        assertNull(own.header("Content-Encoding"));
        assertEquals("application/gzip", own.header("Content-Type"));
        assertEquals(404, site.get("/only.css", "Accept-Encoding: gzip").status());
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
        serve(Form.JAR);
        String url = "http://127.0.0.1:" + site.server.port() + "/large.txt";
        assertEquals(text, Programs.run(0, "curl", "-s", "--compressed", url));
        assertEquals(text, Programs.run(0, "curl", "-s", url));
        assertEquals(text.substring(500_000), Programs.run(0, "curl", "-s", "-r", "500000-", url));
    }

    @ParameterizedTest
    @EnumSource(names = {"JAR", "FOLDER", "MODULE_JAR"})
    void noNameLeadsOut(Form form) throws Exception {
        for (String name : new String[] {"secret", "app/secret", "app/web/.hidden", "app/web/d/.git/x",
            "app/web-secret/secret"}) {
            program.with(name, SECRET);
        }
        serve(form);
        site.assertNoNameLeadsOut(SECRET,
                List.of("/Main.class", "/..%2fMain.class", "/.hidden", "/d/.git/x"));
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
