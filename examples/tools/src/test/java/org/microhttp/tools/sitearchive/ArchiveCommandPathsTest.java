package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.tools.testing.CompressedSite.TEXT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.SourceSite;

/** Which file of a site answers for which path of its archive, and which for none. */
@Tier.Program
final class ArchiveCommandPathsTest {

    @TempDir
    private Path folder;
    private SourceSite site;

    @BeforeEach
    void makeSite() throws IOException {
        site = new SourceSite(folder);
    }

    @Test
    void theFirstSuffixAnswersBeforeTheOthers() throws Exception {
        assertOrder("a/index.", "P/a/", "html htm xhtml xht txt json xml",
                "a/index.md", "a/indexhtml", "a/Index.html", "a/xindex.html");
        assertOrder("a/b.", "P/a/b", "html htm xhtml xht txt", "a/b.json", "a/b.xml", "a/b.HTML");
    }

    private void assertOrder(String stem, String key, String suffixes, String... others) throws Exception {
        List<String> left = new ArrayList<>(List.of(suffixes.split(" ")));
        while (!left.isEmpty()) {
            site.writeAll(left.stream().map(stem::concat).toArray(String[]::new));
            String first = stem + left.remove(0);
            site.expect();
            assertEquals(first, site.text(key));
            Files.delete(site.root.resolve(first));
        }
        site.writeAll(others);
        site.expect();
        assertFalse(site.paths().contains(key));
    }

    @Test
    void fileWinsOverItsStandIns() throws Exception {
        site.writeAll("a", "a.html", "index", "index.html", "b.html", "b/c.html");
        site.expect();
        assertEquals("a", site.text("P/a"));
        assertEquals("index", site.text("P/index"));
        assertEquals("index.html", site.text("P/"));
        assertEquals("b.html", site.text("P/b"));
        site.assertPaths("P/ P/a P/a.html P/b P/b.html P/b/c P/b/c.html P/index P/index.html");
    }

    @Test
    void excludedPathsDoNotAnswer() throws Exception {
        site.writeAll("index.html", "a.txt");
        site.expect("--exclude-index");
        site.assertPaths("P/a P/a.txt P/index P/index.html");
        site.expect("--exclude-strip");
        site.assertPaths("P/ P/a.txt P/index.html");
        site.expect("--exclude-strip", "--exclude-index");
        site.assertPaths("P/a.txt P/index.html");
    }

    @Test
    void wildcardsAndPagesFor404AnswerBelowTheirFoldersAndForNoPath() throws Exception {
        site.write("_wildcard.html", TEXT);
        site.writeAll("a/b/_wildcard.json", "c/_404.html", "a/_404.html", "a/_404.txt", "a/x_wildcard.html");
        site.expect("--compress", "gzip", "--exclude-strip");
        site.assertPaths("P/a/_404.txt P/a/x_wildcard.html W/ W/a/b/ N/a/ N/c/");
        assertEquals("gzip", site.codings("W/"));
        assertEquals(200, site.metadata("W/").status());
        assertEquals("application/json", site.field("W/a/b/", "Content-Type"));
        assertEquals("public, immutable, max-age=3600", site.field("W/a/b/", "Cache-Control"));
        assertEquals("a/_404.html", site.text("N/a/"));
        // nothing says how long a page is missing
        assertEquals("404\nContent-Type: text/html; charset=utf-8\n",
                site.fields("N/a/"));
    }

    @Test
    void twoWildcardsInOneFolderAreRefused() throws Exception {
        site.writeAll("a/_wildcard.html", "a/_wildcard.txt");
        site.expect(2, "/a/_wildcard.html and /a/_wildcard.txt answer for the same;"
                + " allowed: one of them");
    }

    @Test
    void redirectsAreStored() throws Exception {
        site.write("a.html", "");
        site.write("_redirects", "# moved\n\n/old /new?x=1#y 301\n/caf%C3%A9/ https://example.org/ 308\n"
                + "  /x\t../y\t303  \n/.well-known/security.txt /security.txt 302\n/t / 307\r\n/gone 410\n");
        site.expect("--exclude-strip");
        site.assertPaths("P/.well-known/security.txt P/a.html P/caf\u00e9/ P/gone P/old P/t P/x");
        assertEquals("301\nLocation: /new?x=1#y\n", site.fields("P/old"));
        assertEquals("308\nLocation: https://example.org/\n",
                site.fields("P/caf\u00e9/"));
        assertEquals("303\nLocation: ../y\n", site.fields("P/x"));
        assertEquals("307\nLocation: /\n", site.fields("P/t"));
        assertEquals("410\n", site.fields("P/gone"));
        assertEquals("", site.text("P/gone"));
        assertEquals("identity", site.codings("P/old"));
    }

    /** The likeliest cause of the first is a site of several hosts, without the flag that says so. */
    @Test
    void ineffectiveFilesAreReportedAndLeftOut() throws Exception {
        site.writeAll("a.html", "b.org/_redirects", "c/_404.html", "c/_wildcard.html", "c/d/_404.html");
        site.expect(0, "b.org/_redirects is left out: redirects are read in the folder of a site, and in none"
                + " below it\nc/_404.html is left out: the wildcard in its folder answers what it would",
                "--exclude-strip");
        site.assertPaths("P/a.html W/c/ N/c/d/");
        site.assertSays("files: 3 archived, 2 left out, 0 failed\n");
    }

    @ParameterizedTest
    @CsvSource({"/loop, /loop", "/loop, loop", "/loop, ./loop", "/loop, ?again", "/a/b, ../a/b#c", "/a/, .",
        "/, /", "/, ..", "/%6Coop, /loop", "/[1], /[1]"})
    void aRedirectToItselfIsRefused(String from, String to) throws Exception {
        site.write("x.html", "");
        site.write("_redirects", from + " " + to + " 301\n");
        site.expect(2, "--sources has /_redirects, with TO \"" + to + "\" in line 1;"
                + " allowed: another path than FROM, or a client never comes to an end");
    }

    /** Of any length; the server itself sends on from the name of a folder to its slash. */
    @ParameterizedTest
    @CsvSource({"/a /b 301|/b /a 302, 1, /b", "/z /a 301|/a /b 301|/b /c 307|/c b?again 308, 3, /c",
        "/%61 ./b#c 301|/b ../a 303, 1, ./b#c", "/a/ /a 301, 1, /a",
        "/p/ /q 301|/q/ /p 301, 1, /q", "/dir /b 301|/b /dir/sub/../../dir 301, 2, /dir/sub/../../dir"})
    void redirectsThatLeadInACircleAreRefused(String lines, int line, String to) throws Exception {
        site.write("x.html", "");
        site.write("dir/index.html", "");
        site.write("_redirects", lines.replace('|', '\n'));
        site.expect(2, "--sources has /_redirects, with TO \"" + to + "\", which leads back to FROM, in line "
                + line + "; allowed: a path that does not, or a client never comes to an end");
    }

    @ParameterizedTest
    @CsvSource({"/a /b 301|/b /c 301|/c /x 301", "/a /b 301|/b 410", "/a /dir 301|/b /a 301|/c /a 301",
        "/a /b 301|/b https://example.org/a 301", "/dir/b /dir 301",
        "/x/ /y 301|/y/ /x 301"})
    void redirectsThatLeadToAnEndAreNone(String lines) throws Exception {
        site.write("x.html", "");
        site.write("dir/index.html", "");
        site.write("_redirects", lines.replace('|', '\n'));
        site.expect();
    }

    @ParameterizedTest
    @CsvSource({"/a, /a/", "/a/, ./b", "/a, https://example.org/a", "/a, //example.org/a",
        "/a, ../b", "/%2A, /%3Aa", "/%3Aa/b, /:a"})
    void aRedirectToAnotherPathIsNone(String from, String to) throws Exception {
        site.write("x", "");
        site.write("_redirects", from + " " + to + " 301\n");
        site.expect();
        assertEquals(to, site.field(site.paths().get(0), "Location"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "/old /new         | \"/old /new\"; FORM", "/old              | \"/old\"; FORM",
        "/a /b 301 #x      | \"/a /b 301 #x\"; FORM",
        "/old /new 304     | STATUS \"304\" in line 2; allowed: 301, 302, 303, 307, 308; 410 is without TO",
        "/old /new 410     | STATUS \"410\" in line 2; allowed: 301, 302, 303, 307, 308; 410 is without TO",
        "/old /n\u00e9w 301 | TO \"/n\u00e9w\" in line 2; allowed: a URI reference: ASCII, with what else is"
                + " needed percent-encoded",
        "/old /%n 301      | TO \"/%n\" in line 2; allowed: a URI reference: ASCII, with what else is needed"
                + " percent-encoded",
        "old /new 301      | FROM \"old\"; PATH", "/old? /new 301    | FROM \"/old?\"; PATH",
        "/\u00e9 /new 301  | FROM \"/\u00e9\"; PATH", "/a/../b /new 301  | FROM \"/a/../b\"; PATH",
        "//a /new 301      | FROM \"//a\"; PATH", "/a%2Fb /new 301   | FROM \"/a%2Fb\"; PATH",
        "/a%0A /new 301    | FROM \"/a%0A\"; PATH", "/%zz /new 301     | FROM \"/%zz\"; PATH",
        "/a/* /b/:splat 301 | FROM \"/a/*\"; PATTERN", "/*.php 410        | FROM \"/*.php\"; PATTERN",
        "/a/:name /b/:name 301 | FROM \"/a/:name\"; PATTERN",
        "/p /new 301       | FROM \"/p\", which /p.html answers, in line 2; FREE",
        "/p.html 410       | FROM \"/p.html\", which /p.html answers, in line 2; FREE",
        "/i/ /new 301      | FROM \"/i/\", which /i/index.html answers, in line 2; FREE",
        "/first /new 301   | FROM \"/first\" of line 1 again in line 2; allowed: each path once"})
    void wrongRedirectIsReported(String line, String message) throws Exception {
        site.writeAll("p.html", "i/index.html");
        site.write("_redirects", "/first /x 301\n" + line + "\n");
        String path = " in line 2; allowed: a path from the root, as a client sends it: ASCII, with what else"
                + " is needed percent-encoded, without . and .. and a query";
        String pattern = " in line 2; allowed: one path, and no pattern; a * in its name is written %2A,"
                + " a : %3A";
        String told = message.replace("; FORM",
                        " in line 2; allowed: FROM TO STATUS, as in /old /new 301, or FROM 410")
                .replace("; PATH", path).replace("; PATTERN", pattern)
                .replace("; FREE", "; allowed: a path that no file answers");
        site.expect(2, "--sources has /_redirects, with " + told);
        assertEquals(List.of(), site.beside());
    }

    @Test
    void redirectsThatAreNoTextAreRefused() throws Exception {
        site.write("_redirects", new byte[] {'#', '\n', '/', (byte) 0xE9});
        site.expect(2, "--sources has /_redirects, with what is not text in line 2;"
                + " allowed: UTF-8");
    }

    @Test
    void namesThatAreLeftOut() throws Exception {
        site.writeAll(".a", ".git/config", "#a", "a#b", "a~", "a#", "a.log", "a.tmp", "a.temp", "a.lock",
                "b.log/c.html", "Thumbs.db", ".DS_Store", "x/.hidden", "x/thumbs.db", "x/a.log.txt", "x/log",
                "Thumbs.db.html", "-~-", "_a", "x/tmp/y");
        site.expect("--exclude-strip");
        site.assertPaths("P/-~- P/Thumbs.db.html P/_a P/x/a.log.txt P/x/log P/x/thumbs.db P/x/tmp/y");
        site.assertSays("files: 7 archived, 14 left out, 0 failed\n");
    }

    @Test
    void unarchivableFilesAreReportedAndOthersArchived() throws Exception {
        assumeTrue(Programs.isInstalled("mkfifo"), "no mkfifo");
        site.writeAll("a.txt", "bad\u0007.txt", "c\u0085", "d\ne/f.txt");
        Files.createSymbolicLink(site.root.resolve("dangling"), Path.of("nowhere"));
        Files.createSymbolicLink(site.root.resolve("self"), Path.of("self"));
        Programs.run(0, "mkfifo", "" + site.root.resolve("fifo"));
        String control = " cannot be archived: its name has a control character\n";
        String dangling = " cannot be archived: it is a link that leads to nothing\n";
        site.expect(1, String.join(control, "bad?.txt", "c?", "d?e", "dangling") + dangling
                + "fifo cannot be archived: it is neither a file nor a folder\nself" + dangling,
                "--exclude-strip");
        site.assertPaths("P/a.txt");
        site.assertSays("files: 1 archived, 0 left out, 6 failed\n");
    }

    @Test
    void foldersThatAreNoHostsAreReported() throws Exception {
        site.writeAll("a.org/x", "B.org/x", "c:80/x", "_other/x", ".hidden/x");
        String refused = " cannot be archived: it is no name of a host; allowed: lower case letters, digits,"
                + " dots and hyphens, or _default\n";
        site.expect(1, String.join(refused, "B.org", "_other", "c:80", ""), "--hosts");
        assertEquals(List.of("//a.org/x"), site.names("P"));
    }

    /** It is that of one site, which would be hosts of the names of its folders. */
    @Test
    void aFolderWithFilesIsNotThatOfHosts() throws Exception {
        site.writeAll("a.org/x", "a.org/y.log");
        site.expect("--hosts");
        site.writeAll("index.html", "css/a.css", "_redirects", "b.log");
        for (String first : List.of("_redirects", "index.html")) {
            site.expect(2, "--sources is \"" + site.root.toRealPath() + "\", and " + first
                    + " in it is of no host; allowed with --hosts: a folder for each host, and nothing"
                    + " else", "--hosts");
            assertEquals(List.of("site.cdb"), site.beside());
            Files.delete(site.root.resolve(first));
        }
        for (int i = 0; i < 2; i++) {
            assertEquals(0, site.run("--sources", "" + site.root, "--hosts",
                    "--archive", "" + site.root.resolve("inside.cdb")));
        }
    }

    @Test
    void theArchiveIsNotInItself() throws Exception {
        site.write("a.txt", "text");
        String inside = "" + site.root.resolve("site.cdb");
        for (int i = 0; i < 2; i++) {
            assertEquals(0, site.run("--sources", "" + site.root, "--archive", inside));
            site.assertSays("files: 1 archived, ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*.html X-A 1", "/a/*.html\tX-A\t1", "  *.html  X-A  1  ", "**  X-A 1"})
    void patternsGiveFields(String line) throws Exception {
        site.writeAll("a/b.html", "c.css");
        Path headers = Files.writeString(folder.resolve("headers"), "# own\n\n" + line + "\n*.html x-a 2\n"
                + "*.html X-B two words\n/a/* Cache-Control no-cache\n");
        site.expect("--headers", "" + headers, "--exclude-etag");
        assertEquals("200\nContent-Type: text/html; charset=utf-8\nX-A: 1\nX-B: two words\n"
                + "Cache-Control: no-cache\n", site.fields("P/a/b"));
        assertNull(site.field("P/c.css", "X-B"));
        assertEquals("public, immutable, max-age=3600", site.field("P/c.css", "Cache-Control"));
    }

    @Test
    void fieldsByPatternHaveHostsOrNone() throws Exception {
        site.writeAll("a.org/x/y.css", "b.org/x/y.css", "b.org/_404.html");
        site.write("a.org/_redirects", "/old /new 301\n");
        Path headers = Files.writeString(folder.resolve("headers"),
                "//a.org/** X-A a\n/x/* X-B b\n_404.html X-C c\n/old X-D d\n");
        site.expect("--hosts", "--headers", "" + headers);
        assertEquals("a", site.field("P//a.org/x/y.css", "X-A"));
        assertEquals("b", site.field("P//a.org/x/y.css", "X-B"));
        assertNull(site.field("P//b.org/x/y.css", "X-A"));
        assertEquals("b", site.field("P//b.org/x/y.css", "X-B"));
        assertEquals("c", site.field("N//b.org/", "X-C"));
        assertEquals("a", site.field("P//a.org/old", "X-A"));
        assertEquals("d", site.field("P//a.org/old", "X-D"));
    }
}
