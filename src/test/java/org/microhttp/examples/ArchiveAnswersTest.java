package org.microhttp.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.examples.tools.ArchiveSite;
import org.microhttp.examples.tools.ArchiveSite.Way;
import org.microhttp.examples.tools.HandMadeArchive;
import org.microhttp.tools.*;
import sitearchive.format.ArchiveFormat;
import sitearchive.serving.ServeCounts;

/** What {@code SiteArchive serve} answers, in each way to have an archive at hand; all is asked twice. */
@Tier.Program
final class ArchiveAnswersTest {

    private static final String LARGE = "0123456789abcdef".repeat(5_000);

    @TempDir
    private Path folder;

    private ArchiveSite serve(Way way, HandMadeArchive archive) throws Exception {
        return new ArchiveSite(way.of(archive.write(folder.resolve("site.cdb"))));
    }

    private static String tag(String content) {
        return "\"" + ArchiveFormat.idOf(content.getBytes(ISO_8859_1)) + "\"";
    }

    @ParameterizedTest
    @EnumSource
    void sendsWhatIsInIt(Way way) throws Exception {
        var archive = new HandMadeArchive().texts("/", "home", "/a b/\u00E9.txt", "text", "/none", "",
                "/large", LARGE);
        try (ArchiveSite site = serve(way, archive)) {
            for (int i = 0; i < 2; i++) {
                assertEquals("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: max-age=60\r\n"
                        + "ETag: " + tag("home") + "\r\nAccept-Ranges: bytes\r\n"
                        + "X-Frame-Options: sameorigin\r\nContent-Length: 4\r\n\r\nhome",
                        site.get("/").undated());
                assertEquals("home", site.get("/?a=b").text());
                assertEquals("text", site.get("/a%20b/%C3%A9.txt?").text());
                assertEquals("text", site.get("http://any/%61%20b/%C3%A9.txt").text());
                assertEquals("0", site.get("/none").header("Content-Length"));
                assertEquals(LARGE, site.get("/large").text());
            }
        }
    }

    /** With the fields of a GET, whose body is not sent. */
    @ParameterizedTest
    @EnumSource
    void saysOfAHeadWhatAGetWouldGet(Way way) throws Exception {
        try (ArchiveSite site = serve(way, new HandMadeArchive().texts("/a", "a", "/large", LARGE))) {
            for (String target : new String[] {"/a", "/large", "/a", "/large", "/none"}) {
                String head = site.send("HEAD", target, "Range: bytes=0-0").head();
                assertEquals(RawResponse.undated(site.get(target).head()), RawResponse.undated(head));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyReads(Way way) throws Exception {
        try (ArchiveSite site = serve(way, new HandMadeArchive().texts("/a", "a"))) {
            for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS", "get"}) {
                RawResponse response = site.send(method, "/a", "Content-Length: 0");
                assertEquals(405, response.status());
                assertEquals("GET, HEAD", response.header("Allow"));
                assertEquals("sameorigin", response.header("X-Frame-Options"));
            }
            assertEquals(405, site.send("OPTIONS", "*").status());
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsTheSmallestCodingThatIsAccepted(Way way) throws Exception {
        var archive = new HandMadeArchive()
                .put('P', 200, "/a", "X: y", "identity=plain text", "gzip=gzipped", "br=brotl", "zstd=zst")
                .put('P', 200, "/coded", "X: y", "gzip=gzipped");
        try (ArchiveSite site = serve(way, archive)) {
            for (int i = 0; i < 2; i++) {
                RawResponse plain = site.get("/a");
                assertEquals("plain text", plain.text());
                assertNull(plain.header("Content-Encoding"));
                assertEquals("Accept-Encoding", plain.header("Vary"));
                RawResponse brotli = site.get("/a", "Accept-Encoding: gzip, br");
                assertEquals("brotl", brotli.text());
                assertEquals("br", brotli.header("Content-Encoding"));
                assertEquals(tag("brotl"), brotli.header("ETag"));
                assertEquals("zst", site.get("/a", "Accept-Encoding: *").text());
                RawResponse none = site.get("/coded", "Accept-Encoding: br");
                assertEquals(406, none.status());
                assertEquals("Accept-Encoding", none.header("Vary"));
                assertEquals("sameorigin", none.header("X-Frame-Options"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void knowsConditions(Way way) throws Exception {
        try (ArchiveSite site = serve(way, new HandMadeArchive().texts("/a", "a"))) {
            for (int i = 0; i < 2; i++) {
                assertEquals("HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=60\r\nETag: " + tag("a")
                        + "\r\nX-Frame-Options: sameorigin\r\n\r\n",
                        site.get("/a", "If-None-Match: \"x\", W/" + tag("a")).undated());
                assertEquals("a", site.get("/a", "If-None-Match: \"x\"").text());
                assertEquals(412, site.get("/a", "If-Match: \"x\"").status());
                assertEquals(200, site.get("/a", "If-Match: " + tag("a")).status());
                RawResponse dated = site.get("/a", "If-Modified-Since: Sun, 06 Nov 2094 08:49:37 GMT");
                assertEquals(200, dated.status());
            }
        }
    }

    /** Without a tag no condition names the content. */
    @ParameterizedTest
    @EnumSource
    void doesWithoutTags(Way way) throws Exception {
        try (ArchiveSite site = serve(way, new HandMadeArchive().untagged().texts("/a", "abc"))) {
            assertNull(site.get("/a").header("ETag"));
            assertEquals(200, site.get("/a", "If-None-Match: " + tag("abc")).status());
            assertEquals(304, site.get("/a", "If-None-Match: *").status());
            assertEquals(412, site.get("/a", "If-Match: " + tag("abc")).status());
            assertEquals("b", site.get("/a", "Range: bytes=1-1").text());
            assertEquals("abc", site.get("/a", "Range: bytes=1-1", "If-Range: " + tag("abc")).text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsOneRange(Way way) throws Exception {
        try (ArchiveSite site = serve(way, new HandMadeArchive().texts("/a", "abcdef", "/large", LARGE))) {
            for (int i = 0; i < 2; i++) {
                assertEquals("HTTP/1.1 206 Partial Content\r\nContent-Type: text/plain\r\n"
                        + "Cache-Control: max-age=60\r\nETag: " + tag("abcdef")
                        + "\r\nContent-Range: bytes 1-3/6\r\nX-Frame-Options: sameorigin\r\n"
                        + "Content-Length: 3\r\n\r\nbcd",
                        site.get("/a", "Range: bytes=1-3").undated());
                assertEquals("ef", site.get("/a", "Range: bytes=-2", "If-Range: " + tag("abcdef")).text());
                assertEquals("abcdef", site.get("/a", "Range: bytes=0-1,3-4").text());
                RawResponse outside = site.get("/a", "Range: bytes=6-");
                assertEquals(416, outside.status());
                assertEquals("bytes */6", outside.header("Content-Range"));
                assertEquals(LARGE.substring(3, 70_000), site.get("/large", "Range: bytes=3-69999").text());
                assertEquals(LARGE.substring(70_000), site.get("/large", "Range: bytes=70000-").text());
            }
        }
    }

    /** As they are stored, whatever the conditions and ranges. */
    @ParameterizedTest
    @EnumSource
    void sendsRedirectsAndWhatIsGone(Way way) throws Exception {
        var archive = new HandMadeArchive().redirect("/old", 308, "/new?a")
                .put('P', 410, "/gone", "X: y", "identity=");
        try (ArchiveSite site = serve(way, archive)) {
            String[] fields = {"If-None-Match: *", "Range: bytes=9-", "Accept-Encoding: identity;q=0"};
            for (int i = 0; i < 2; i++) {
                RawResponse moved = site.get("/old?x", fields);
                assertEquals(308, moved.status());
                assertEquals("/new?a", moved.header("Location"));
                assertNull(moved.header("Accept-Ranges"));
                assertEquals(410, site.get("/gone", fields).status());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellsWhereAFolderIs(Way way) throws Exception {
        var archive = new HandMadeArchive().texts("/a/b c%/", "x").text('N', 404, "/", "none");
        try (ArchiveSite site = serve(way, archive)) {
            RawResponse response = site.get("/a/b%20c%25?q=1&r=/");
            assertEquals(301, response.status());
            assertEquals("/a/b%20c%25/?q=1&r=/", response.header("Location"));
            assertEquals("sameorigin", response.header("X-Frame-Options"));
            assertEquals("/a/b%20c%25/", site.get("/%61/b%20c%25").header("Location"));
            assertEquals(404, site.get("/a").status());
            assertEquals(404, site.get("//a/b%20c%25").status());
            // a slash that is encoded is part of a name, and no name has one
            assertEquals(404, site.get("/a%2Fb%20c%25/").status());
        }
    }

    /** The deepest folder wins, and in one the wildcard. */
    @ParameterizedTest
    @EnumSource
    void looksForWhatAFolderHasInstead(Way way) throws Exception {
        var archive = new HandMadeArchive().texts("/app/x", "x")
                .text('W', 200, "/app/", "app").text('N', 404, "/app/", "never")
                .text('N', 404, "/app/img/", "no image").text('N', 404, "/", "nothing");
        try (ArchiveSite site = serve(way, archive)) {
            for (int i = 0; i < 2; i++) {
                assertEquals("x", site.get("/app/x").text());
                assertEquals("app", site.get("/app/y").text());
                assertEquals("app", site.get("/app/").text());
                assertEquals("/app/?a", site.get("/app?a").header("Location"));
                assertEquals("app", site.get("/app/a/b/c?d").text());
                assertEquals(304, site.get("/app/z", "If-None-Match: " + tag("app")).status());
                assertEquals("p", site.get("/app/z", "Range: bytes=-1").text());
                RawResponse image = site.get("/app/img/x/y", "If-None-Match: *", "Range: bytes=-1");
                assertEquals(404, image.status());
                assertEquals("no image", image.text());
                assertEquals("max-age=60", image.header("Cache-Control"));
                for (String target : new String[] {"/x", "/ap", "/%zz", "/%FF", "//", "/a%00"}) {
                    RawResponse none = site.get(target);
                    assertEquals("404 nothing", none.status() + " " + none.text(), target);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysWithoutAPageWhatIsMissing(Way way) throws Exception {
        try (ArchiveSite site = serve(way, new HandMadeArchive().texts("/a", "a"))) {
            RawResponse none = site.get("/" + "b/".repeat(3_000));
            assertEquals(404, none.status());
            assertEquals("404 Not Found\n", none.text());
            assertEquals("sameorigin", none.header("X-Frame-Options"));
        }
    }

    /** What the archive says of a page goes before what every answer is to have. */
    @ParameterizedTest
    @EnumSource
    void addsNoFieldThatIsThere(Way way) throws Exception {
        var archive = new HandMadeArchive().put('P', 200, "/a", "x-frame-options: deny", "identity=a");
        try (ArchiveSite site = serve(way, archive)) {
            String head = site.get("/a").head();
            assertTrue(head.contains("x-frame-options: deny\r\n"), head);
            assertTrue(!head.contains("sameorigin"), head);
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsAnswers(Way way) throws Exception {
        var archive = new HandMadeArchive().texts("/a", "abc").redirect("/r", 301, "/a");
        try (ArchiveSite site = serve(way, archive)) {
            for (int i = 0; i < 2; i++) {
                site.get("/a");
                site.get("/a", "Range: bytes=1-");
                site.get("/a", "If-None-Match: *");
                site.send("HEAD", "/a");
                site.get("/r");
            }
            site.get("/none");
            assertEquals(new ServeCounts(4, 2, 2, 1, 0, 2, 2 * (3 + 2) + "404 Not Found\n".length()),
                    site.handler.counts());
            assertEquals(11, site.handler.counts().answers());
        }
    }

    /** On one connection, pipelined, so that what is held is released in turn. */
    @ParameterizedTest
    @EnumSource
    void sendsTheSameAgainAndAgain(Way way) throws Exception {
        try (ArchiveSite site = serve(way, new HandMadeArchive().texts("/a", "small", "/b", LARGE))) {
            RawClient client = site.server.connect();
            for (int i = 0; i < 100; i++) {
                client.get("/a").get("/b").get("/c");
                assertEquals("small", client.response().text());
                assertEquals(LARGE, client.response().text());
                assertEquals(404, client.response().status());
            }
        }
    }
}
