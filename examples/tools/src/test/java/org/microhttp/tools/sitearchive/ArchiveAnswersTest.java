package org.microhttp.tools.sitearchive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.testing.*;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.serving.ServeCounts;
import org.microhttp.tools.testing.ArchiveSite;
import org.microhttp.tools.testing.ArchiveSite.Way;
import org.microhttp.tools.testing.HandMadeArchive;

/** What {@code SiteArchive serve} answers, in each way to have an archive at hand; all is asked twice. */
@Tier.Program
final class ArchiveAnswersTest {

    private static final String LARGE = "0123456789abcdef".repeat(5_000);

    private static final HandMadeArchive ARCHIVE = new HandMadeArchive()
            .texts("/", "home", "/a b/\u00E9.txt", "text", "/empty", "", "/large", LARGE, "/a", "abcdef")
            .put('P', 200, "/codings", "X: y", "identity=plain text", "gzip=gzipped", "br=brotl", "zstd=zst")
            .put('P', 200, "/coded", "X: y", "gzip=gzipped")
            .redirect("/old", 308, "/new?a")
            .put('P', 410, "/gone", "X: y", "identity=")
            .texts("/d/b c%/", "x", "/app/x", "x")
            .text('W', 200, "/app/", "app")
            .text('N', 404, "/app/", "never")
            .text('N', 404, "/app/img/", "no image")
            .text('N', 404, "/", "nothing")
            .put('P', 200, "/framed", "x-frame-options: deny", "identity=a")
            .untagged().texts("/untagged", "abc");

    @TempDir
    private Path folder;

    private ArchiveSite serve(Way way) throws IOException {
        return serve(way, ARCHIVE);
    }

    private ArchiveSite serve(Way way, HandMadeArchive archive) throws IOException {
        return new ArchiveSite(way.of(archive.write(folder.resolve("site.cdb"))));
    }

    private static String tag(String content) {
        return "\"" + ArchiveFormat.idOf(content.getBytes(ISO_8859_1)) + "\"";
    }

    /** Each row has a status with a text or a Location, and behind an arrow a target with fields. */
    private static void answer(ArchiveSite site, String... rows) throws IOException {
        for (int i = 0; i < 2 * rows.length; i++) {
            String row = rows[i % rows.length];
            String[] parts = row.split(" <- ", 2);
            String[] request = parts[1].split(" & ");
            RawResponse got = site.get(request[0], Arrays.copyOfRange(request, 1, request.length));
            String location = got.header("Location");
            assertEquals(parts[0], got.status() + " " + (location == null ? got.text() : location), row);
        }
    }

    private static void assertWhole(ArchiveSite site, String expected, String... fields) throws IOException {
        for (int i = 0; i < 2; i++) {
            assertEquals(expected, site.get("/a", fields).undated());
        }
    }

    @ParameterizedTest
    @EnumSource
    void archivedPagesAreSent(Way way) throws Exception {
        try (ArchiveSite site = serve(way)) {
            assertWhole(site, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: max-age=60\r\n"
                    + "ETag: " + tag("abcdef") + "\r\nVary: Accept-Encoding\r\nAccept-Ranges: bytes\r\n"
                    + "X-Frame-Options: sameorigin\r\nContent-Length: 6\r\n\r\nabcdef");
            answer(site, "200 home <- /?a=b", "200 text <- /a%20b/%C3%A9.txt?", "200  <- /empty",
                    "200 text <- http://any/%61%20b/%C3%A9.txt", "200 " + LARGE + " <- /large");
        }
    }

    /** With the fields of a GET, whose body is not sent. */
    @ParameterizedTest
    @EnumSource
    void headHasTheFieldsOfGet(Way way) throws Exception {
        try (ArchiveSite site = serve(way)) {
            for (String target : List.of("/a", "/large", "/a", "/large", "/none")) {
                String head = site.send("HEAD", target, "Range: bytes=0-0").head();
                assertEquals(RawResponse.undated(site.get(target).head()), RawResponse.undated(head));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyReads(Way way) throws Exception {
        try (ArchiveSite site = serve(way)) {
            for (String line : List.of("POST /a", "PUT /a", "DELETE /a", "OPTIONS /a", "get /a",
                    "OPTIONS *")) {
                String[] words = line.split(" ");
                RawResponse response = site.send(words[0], words[1], "Content-Length: 0");
                assertEquals(405, response.status());
                assertEquals("GET, HEAD", response.header("Allow"));
                assertEquals("sameorigin", response.header("X-Frame-Options"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsTheSmallestCodingThatIsAccepted(Way way) throws Exception {
        try (ArchiveSite site = serve(way)) {
            answer(site, "200 plain text <- /codings", "200 brotl <- /codings & Accept-Encoding: gzip, br",
                    "200 zst <- /codings & Accept-Encoding: *");
            RawResponse plain = site.get("/codings");
            assertNull(plain.header("Content-Encoding"));
            assertEquals("Accept-Encoding", plain.header("Vary"));
            RawResponse brotli = site.get("/codings", "Accept-Encoding: gzip, br");
            assertEquals("br", brotli.header("Content-Encoding"));
            assertEquals(tag("brotl"), brotli.header("ETag"));
            RawResponse none = site.get("/coded", "Accept-Encoding: br");
            assertEquals(406, none.status());
            assertEquals("Accept-Encoding", none.header("Vary"));
            assertEquals("sameorigin", none.header("X-Frame-Options"));
        }
    }

    /** Of what has one variant, too, which a client may refuse; an archive need not say so itself. */
    @Test
    void eachAnswerThatMayBeA406Varies() throws Exception {
        String tag = tag("abcdef");
        try (ArchiveSite site = serve(Way.MAPPED)) {
            for (String[] fields : new String[][] {{}, {"Range: bytes=1-2"}, {"If-None-Match: " + tag},
                {"If-Match: \"a\""}, {"Range: bytes=100-"}, {"Accept-Encoding: *;q=0"}}) {
                RawResponse response = site.get("/a", fields);
                assertEquals("Accept-Encoding", response.header("Vary"), response.head());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void knowsConditions(Way way) throws Exception {
        String tag = tag("abcdef");
        try (ArchiveSite site = serve(way)) {
            assertWhole(site, "HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=60\r\nETag: " + tag
                    + "\r\nVary: Accept-Encoding\r\nX-Frame-Options: sameorigin\r\n\r\n",
                    "If-None-Match: \"x\", W/" + tag);
            answer(site, "200 abcdef <- /a & If-None-Match: \"x\"", "200 abcdef <- /a & If-Match: " + tag,
                    "200 abcdef <- /a & If-Modified-Since: Sun, 06 Nov 2094 08:49:37 GMT");
            assertEquals(412, site.get("/a", "If-Match: \"x\"").status());
        }
    }

    /** Without a tag no condition names the content. */
    @ParameterizedTest
    @EnumSource
    void untaggedPagesMatchNoTag(Way way) throws Exception {
        String tag = tag("abc");
        try (ArchiveSite site = serve(way)) {
            assertNull(site.get("/untagged").header("ETag"));
            assertEquals(412, site.get("/untagged", "If-Match: " + tag).status());
            answer(site, "200 abc <- /untagged & If-None-Match: " + tag,
                    "304  <- /untagged & If-None-Match: *", "206 b <- /untagged & Range: bytes=1-1",
                    "200 abc <- /untagged & Range: bytes=1-1 & If-Range: " + tag);
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsOneRange(Way way) throws Exception {
        String tag = tag("abcdef");
        try (ArchiveSite site = serve(way)) {
            assertWhole(site, "HTTP/1.1 206 Partial Content\r\nContent-Type: text/plain\r\n"
                    + "Cache-Control: max-age=60\r\nETag: " + tag
                    + "\r\nVary: Accept-Encoding\r\nContent-Range: bytes 1-3/6\r\n"
                    + "X-Frame-Options: sameorigin\r\nContent-Length: 3\r\n\r\nbcd", "Range: bytes=1-3");
            answer(site, "206 ef <- /a & Range: bytes=-2 & If-Range: " + tag,
                    "200 abcdef <- /a & Range: bytes=0-1,3-4",
                    "206 " + LARGE.substring(3, 70_000) + " <- /large & Range: bytes=3-69999",
                    "206 " + LARGE.substring(70_000) + " <- /large & Range: bytes=70000-");
            RawResponse outside = site.get("/a", "Range: bytes=6-");
            assertEquals(416, outside.status());
            assertEquals("bytes */6", outside.header("Content-Range"));
        }
    }

    /** As they are stored, whatever the conditions and ranges. */
    @ParameterizedTest
    @EnumSource
    void redirectsAndGonePagesAreSent(Way way) throws Exception {
        String fields = " & If-None-Match: * & Range: bytes=9- & Accept-Encoding: identity;q=0";
        try (ArchiveSite site = serve(way)) {
            answer(site, "308 /new?a <- /old?x" + fields, "410  <- /gone" + fields);
            assertNull(site.get("/old").header("Accept-Ranges"));
        }
    }

    /** A slash that is encoded is part of a name, and no name has one. */
    @ParameterizedTest
    @EnumSource
    void foldersRedirectToTheirSlash(Way way) throws Exception {
        try (ArchiveSite site = serve(way)) {
            answer(site, "301 /d/b%20c%25/?q=1&r=/ <- /d/b%20c%25?q=1&r=/", "404 nothing <- //d/b%20c%25",
                    "301 /d/b%20c%25/ <- /%64/b%20c%25", "404 nothing <- /d",
                    "404 nothing <- /d%2Fb%20c%25/");
            assertEquals("sameorigin", site.get("/d/b%20c%25").header("X-Frame-Options"));
        }
    }

    /** The deepest folder wins, and in one the wildcard. */
    @ParameterizedTest
    @EnumSource
    void wildcardsAndPagesFor404Answer(Way way) throws Exception {
        try (ArchiveSite site = serve(way)) {
            answer(site, "200 x <- /app/x", "200 app <- /app/y", "200 app <- /app/", "301 /app/?a <- /app?a",
                    "200 app <- /app/a/b/c?d", "304  <- /app/z & If-None-Match: " + tag("app"),
                    "206 p <- /app/z & Range: bytes=-1",
                    "404 no image <- /app/img/x/y & If-None-Match: * & Range: bytes=-1");
            assertEquals("max-age=60", site.get("/app/img/x/y").header("Cache-Control"));
            for (String target : List.of("/x", "/ap", "/%zz", "/%FF", "//", "/a%00")) {
                answer(site, "404 nothing <- " + target);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void missingPathWithoutAPageGets404(Way way) throws Exception {
        try (ArchiveSite site = serve(way, new HandMadeArchive().texts("/a", "a"))) {
            answer(site, "404 404 Not Found\n <- /" + "b/".repeat(3_000));
            assertEquals("sameorigin", site.get("/b").header("X-Frame-Options"));
        }
    }

    /** What the archive says of a page goes before what every answer is to have. */
    @ParameterizedTest
    @EnumSource
    void addsNoFieldThatIsThere(Way way) throws Exception {
        try (ArchiveSite site = serve(way)) {
            for (String condition : List.of("If-None-Match: \"other\"", "If-None-Match: *")) {
                List<String> lines = site.send("GET", "/framed", condition).head().lines()
                        .filter(line -> line.toLowerCase().startsWith("x-frame-options")).toList();
                assertEquals(List.of("x-frame-options: deny"), lines, condition);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsAnswers(Way way) throws Exception {
        try (ArchiveSite site = serve(way)) {
            answer(site, "200 abcdef <- /a", "206 bcdef <- /a & Range: bytes=1-",
                    "304  <- /a & If-None-Match: *", "308 /new?a <- /old");
            site.send("HEAD", "/a");
            site.send("HEAD", "/a");
            site.get("/none");
            assertEquals(new ServeCounts(4, 2, 2, 1, 0, 2, 2 * (6 + 5) + "nothing".length()),
                    site.handler.counts());
            assertEquals(11, site.handler.counts().answers());
        }
    }

    /** On one connection, pipelined, so that what is held is released in turn. */
    @ParameterizedTest
    @EnumSource
    void sendsTheSameAgainAndAgain(Way way) throws Exception {
        try (ArchiveSite site = serve(way)) {
            RawClient client = site.server.connect();
            for (int i = 0; i < 100; i++) {
                client.get("/a").get("/large").get("/c");
                assertEquals("abcdef", client.response().text());
                assertEquals(LARGE, client.response().text());
                assertEquals(404, client.response().status());
            }
        }
    }
}
