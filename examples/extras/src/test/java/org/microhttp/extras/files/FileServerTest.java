package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.testing.*;

/** What {@code FileServer} answers over sockets, from memory and from files. */
@Tier.Program
final class FileServerTest {

    private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String TYPE = "text/html; charset=utf-8";

    @TempDir
    private Path folder;
    private FileSite site;

    private void serve(long memory) throws Exception {
        site = new FileSite(folder, memory);
    }

    @AfterEach
    void close() throws Exception {
        if (site != null) {
            site.close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void sendsFilesAndIndexFiles(long memory) throws Exception {
        serve(memory);
        site.write("index.html", "home");
        site.write("a b/\u00E9.txt", "text");
        site.write("old/index.htm", "old");
        site.write("none", "");
        assertEquals("home", site.get("/").text());
        assertEquals("home", site.get("/index.html?a=b").text());
        assertEquals(TYPE, site.get("/").header("Content-Type"));
        assertEquals("text", site.get("/a%20b/%C3%A9.txt").text());
        assertEquals("old", site.get("/old/").text());
        assertEquals("old", site.get("http://any/%6fld/?x").text());
        assertEquals("0", site.get("/none").header("Content-Length"));
    }

    /** Also when a file of the name that is not decoded is known. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void decodesOnce(long memory) throws Exception {
        serve(memory);
        site.write("p%41", "percent");
        assertEquals("percent", site.get("/p%2541").text());
        assertEquals(404, site.get("/p%41").status());
        site.write("pA", "letter");
        assertEquals("letter", site.get("/p%41").text());
        assertEquals("letter", site.get("/pA").text());
        assertEquals("percent", site.get("/p%2541").text());
    }

    /** All of it again from what is known, on one connection. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void sendsTheSameAgainAndAgain(long memory) throws Exception {
        serve(memory);
        String[] contents = new String[20];
        for (int i = 0; i < contents.length; i++) {
            contents[i] = "x".repeat(i * i * 200) + i;
            site.write("f" + i, contents[i]);
        }
        RawClient client = site.connect();
        for (int i = 0; i < 200; i++) {
            client.get("/f" + i % 20);
        }
        for (int i = 0; i < 200; i++) {
            assertEquals(contents[i % 20], client.response().text());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void headHasTheFieldsOfGet(long memory) throws Exception {
        serve(memory);
        site.write("a.css", "a{}");
        site.variant("a.css", ".br", "b");
        for (String fields : new String[] {"X: y", "Accept-Encoding: br", "Range: bytes=1-1"}) {
            String head = site.send("HEAD", "/a.css", fields).head();
            boolean ranged = fields.startsWith("Range");
            String get = site.get("/a.css", ranged ? "X: y" : fields).head();
            assertEquals(RawResponse.undated(get), RawResponse.undated(head));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PROPFIND", "get"})
    void onlyReads(String method) throws Exception {
        serve(0);
        Path file = site.write("a", "a");
        RawResponse response = site.send(method, "/a", "Content-Length: 0");
        assertEquals(405, response.status());
        assertEquals("GET, HEAD", response.header("Allow"));
        assertEquals(405, site.send("OPTIONS", "*").status());
        assertEquals("a", Files.readString(file));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void foldersRedirectToTheirSlash(long memory) throws Exception {
        serve(memory);
        site.write("a/b c%/x", "");
        site.write("x", "");
        RawResponse response = site.get("/a/b%20c%25?q=1&r=/");
        assertEquals(301, response.status());
        assertEquals("/a/b%20c%25/?q=1&r=/", response.header("Location"));
        assertEquals("/a/", site.get("/%61").header("Location"));
        // never what a client takes for another host
        assertEquals(404, site.get("//a").status());
        assertEquals(404, site.get("///a/b%20c%25").status());
        assertEquals(404, site.get("/x/").status());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void missingPathsGetThePageFor404(long memory) throws Exception {
        serve(memory);
        assertEquals("404 Not Found\n", site.get("/none").text());
        site.write("404.html", "<p>not here");
        RawResponse response = site.get("/none/", "If-None-Match: *", "Range: bytes=0-1");
        assertEquals(404, response.status());
        assertEquals("<p>not here", response.text());
        assertEquals(TYPE, response.header("Content-Type"));
        assertNull(response.header("ETag"));
        assertEquals("<p>not here", site.get("/../secret").text());
        assertEquals("", site.send("HEAD", "/none").text());
        assertEquals(200, site.get("/404.html").status());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void sendsTheSmallestVariantThatIsOfThisVersion(long memory) throws Exception {
        serve(memory);
        site.write("a.css", "0123456789");
        site.variant("a.css", ".gz", "gzip");
        site.variant("a.css", ".br", "br");
        site.variant("a.css", ".zst", "");
        RawResponse response = site.get("/a.css", "Accept-Encoding: gzip, br, zstd");
        assertEquals("br", response.text());
        assertEquals("br", response.header("Content-Encoding"));
        assertEquals("Accept-Encoding", response.header("Vary"));
        assertEquals("max-age=60", response.header("Cache-Control"));
        assertEquals("gzip", site.get("/a.css", "Accept-Encoding: gzip, zstd").text());
        RawResponse plain = site.get("/a.css", "Accept-Encoding: zstd");
        assertEquals("0123456789", plain.text());
        assertEquals("Accept-Encoding", plain.header("Vary"));
        assertNotEquals(response.header("ETag"), plain.header("ETag"));
        assertEquals(406, site.get("/a.css", "Accept-Encoding: *;q=0").status());
        assertEquals("406 Not Acceptable\n", site.get("/a.css", "Accept-Encoding: *;q=0").text());
    }

    /** One of another time, a link, and a folder in the place of one. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void takesNothingElseForAVariant(long memory) throws Exception {
        serve(memory);
        site.write("a.css", "0123456789");
        Path other = site.variant("a.css", ".br", "br");
        Files.setLastModifiedTime(other, FileTime.fromMillis(0));
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        Files.setLastModifiedTime(secret, Files.getLastModifiedTime(site.root.resolve("a.css")));
        Files.createSymbolicLink(site.cache.resolve("a.css.gz"), secret);
        Files.createDirectory(site.cache.resolve("a.css.zst"));
        assertEquals("0123456789", site.get("/a.css", "Accept-Encoding: gzip, br, zstd").text());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void answersConditions(long memory) throws Exception {
        serve(memory);
        Path file = site.write("a.css", "0123456789");
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("1994-11-06T08:49:37.5Z")));
        FileSite.settle(file);
        RawResponse first = site.get("/a.css");
        String tag = first.header("ETag");
        assertTrue(tag.matches("\"[!#-~]+\""), tag);
        assertEquals(DATE, first.header("Last-Modified"));
        RawResponse same = site.get("/a.css", "If-None-Match: \"x\", W/" + tag);
        assertEquals(304, same.status());
        assertEquals(tag, same.header("ETag"));
        assertEquals("max-age=60", same.header("Cache-Control"));
        assertNull(same.header("Content-Length"));
        assertEquals(304, site.get("/a.css", "If-Modified-Since: " + DATE).status());
        assertEquals(200, site.get("/a.css", "If-None-Match: \"x\"", "If-Modified-Since: " + DATE).status());
        assertEquals(412, site.get("/a.css", "If-Match: \"x\"").status());
        assertEquals(200, site.get("/a.css", "If-Match: " + tag).status());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 23})
    void sendsARange(long memory) throws Exception {
        serve(memory);
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);
        FileSite.settle(FileSite.write(site.root.resolve("a"), content));
        site.write("small", "0123456789");
        RawResponse part = site.get("/a", "Range: bytes=70000-269999");
        assertEquals(206, part.status());
        assertEquals("bytes 70000-269999/300000", part.header("Content-Range"));
        assertArrayEquals(java.util.Arrays.copyOfRange(content, 70_000, 270_000), part.body());
        assertEquals("89", site.get("/small", "Range: bytes=-2").text());
        assertEquals("0123456789", site.get("/small", "Range: bytes=0-1,3-4").text());
        RawResponse none = site.get("/small", "Range: bytes=10-");
        assertEquals(416, none.status());
        assertEquals("bytes */10", none.header("Content-Range"));
        String tag = part.header("ETag");
        assertEquals(206, site.get("/a", "Range: bytes=0-1", "If-Range: " + tag).status());
        assertEquals(200, site.get("/a", "Range: bytes=0-1", "If-Range: \"x\"").status());
        byte[] kept = java.util.Arrays.copyOf(content, 60_000);
        FileSite.settle(FileSite.write(site.root.resolve("kept"), kept));
        part = site.get("/kept", "Range: bytes=20000-49999");
        assertArrayEquals(java.util.Arrays.copyOfRange(kept, 20_000, 50_000), part.body());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void listsAFolderWithoutAnIndex(long memory) throws Exception {
        serve(memory);
        Path outside = Files.writeString(folder.resolve("outside"), "");
        site.write("d/<b>&\"x' a:b%2F.txt", "1234");
        site.write("d/sub/x", "");
        site.write("d/.hidden", "");
        site.write("d/\u0007bell", "");
        Files.createSymbolicLink(site.root.resolve("d/out"), outside);
        Files.createSymbolicLink(site.root.resolve("d/in"), site.root.resolve("d/sub"));
        RawResponse page = site.get("/d/");
        assertEquals(200, page.status());
        assertEquals(TYPE, page.header("Content-Type"));
        assertEquals("no-cache", page.header("Cache-Control"));
        String html = page.text();
        assertTrue(html.contains("<td>4 B</td>"), html);
        assertTrue(html.contains(">&lt;b&gt;&amp;&quot;x' a:b%2F.txt</a>"), html);
        assertTrue(html.contains("href=\"./%3Cb%3E%26%22x%27%20a%3Ab%252F.txt\""), html);
        assertEquals("1234", site.get("/d/%3Cb%3E%26%22x%27%20a%3Ab%252F.txt").text());
        assertTrue(html.indexOf(">in/<") < html.indexOf(">sub/<"), html);
        assertTrue(html.indexOf(">sub/<") < html.indexOf("a:b"), html);
        assertTrue(html.contains("href=\"../\""), html);
        assertFalse(html.contains("hidden") || html.contains("bell") || html.contains(">out"), html);
        assertFalse(site.get("/").text().contains("href=\"../\""));
    }
}
