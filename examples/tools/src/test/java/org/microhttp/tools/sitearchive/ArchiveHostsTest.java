package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ArchiveSite;
import org.microhttp.tools.testing.ArchiveSite.Way;
import org.microhttp.tools.testing.HandMadeArchive;

/**
 * Which host {@code SiteArchive serve} answers for: by keys within one archive, and by an archive for
 * each.
 */
@Tier.Program
final class ArchiveHostsTest {

    private static final List<String> OURS =
            List.of("a.org", "A.ORG", "a.org:8080", "a.org.", "a.org.:1", "a.org:");

    private static final List<String> OTHERS =
            List.of("b.org", "xa.org", "a.org..", "[::1]:80", "_default", "a.org%2fx");

    @TempDir
    private Path folder;

    private static String text(ArchiveSite site, String target, String host) throws IOException {
        RawResponse response = site.get(target, "Host: " + host);
        return response.status() + " " + response.text();
    }

    private static void expectHosts(ArchiveSite site, String whose, String others) throws IOException {
        for (int i = 0; i < 2; i++) {
            for (String host : OURS) {
                assertEquals(whose, text(site, "/x", host), host);
            }
            for (String host : OTHERS) {
                assertEquals(others, text(site, "/x", host), host);
            }
            // RFC 9112 §3.2.2
            assertEquals(whose, text(site, "http://A.org:80/x", "b.org"));
            assertEquals(others, text(site, "http://b.org/x", "a.org"));
        }
        RawResponse response = site.server.connect().send("GET /x HTTP/1.0\r\n\r\n").response();
        assertEquals(others, response.status() + " " + response.text());
    }

    @ParameterizedTest
    @EnumSource
    void answersByKeysOfOneArchive(Way way) throws Exception {
        var archive = new HandMadeArchive(true).texts("//a.org/x", "a", "//a.org/d/", "folder",
                "//[::2]/x", "six", "//_default/x", "default").text('N', 404, "//a.org/", "none of a");
        try (var site = new ArchiveSite(way.of(archive.write(folder.resolve("site.cdb"))))) {
            expectHosts(site, "200 a", "200 default");
            assertEquals("200 six", text(site, "/x", "[::2]:80"));
            assertEquals("404 none of a", text(site, "/y", "a.org"));
            assertEquals("404 404 Not Found\n", text(site, "/y", "b.org"));
            assertEquals("404 none of a", text(site, "//_default/x", "a.org"));
            assertEquals("/d/?q", site.get("/d?q", "Host: a.org").header("Location"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersNothingForOthersWithoutADefault(Way way) throws Exception {
        var archive = new HandMadeArchive(true).texts("//a.org/x", "a").text('W', 200, "//a.org/", "never");
        try (var site = new ArchiveSite(way.of(archive.write(folder.resolve("site.cdb"))))) {
            expectHosts(site, "200 a", "404 404 Not Found\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersByAnArchiveForEachHost(Way way) throws Exception {
        write("a.org.cdb", "a");
        write("_default.cdb", "default");
        Files.writeString(folder.resolve("B.org.cdb"), "for no host");
        Files.writeString(folder.resolve(".site.cdb"), "hidden");
        Files.writeString(folder.resolve("notes"), "no archive");
        try (var site = new ArchiveSite(way.ofAll(folder, false))) {
            expectHosts(site, "200 a", "200 default");
            assertEquals(List.of("SiteArchive: " + folder.resolve("B.org.cdb") + " is not served; allowed:"
                    + " HOST.cdb, with the host in lower case, and _default.cdb"), site.messages());
        }
        Files.delete(folder.resolve("_default.cdb"));
        try (var site = new ArchiveSite(way.ofAll(folder, false))) {
            expectHosts(site, "200 a", "404 404 Not Found\n");
        }
        new HandMadeArchive(true).texts("//b.org/x", "b").write(folder.resolve("b.org.cdb"));
        String refused = refusal(way);
        assertTrue(refused.contains("b.org.cdb is refused: it has hosts of its own; allowed"), refused);
        Files.writeString(folder.resolve("b.org.cdb"), "broken");
        refused = refusal(way);
        assertTrue(refused.contains("b.org.cdb is refused: the file has 6 bytes"), refused);
    }

    private void write(String name, String text) throws IOException {
        new HandMadeArchive().texts("/x", text).write(folder.resolve(name));
    }

    private String refusal(Way way) {
        var refused = assertThrows(IOException.class, () -> new ArchiveSite(way.ofAll(folder, false)));
        return refused.getMessage();
    }

    @Test
    void noticesHostsThatComeAndGo() throws Exception {
        write("_default.cdb", "default");
        write("a.org.cdb", "a");
        Path b = folder.resolve("b.org.cdb");
        try (var site = new ArchiveSite(Way.FILE.ofAll(folder, true))) {
            assertEquals("200 default", text(site, "/x", "b.org"));
            Files.writeString(b, "broken");
            site.awaitMessage("b.org.cdb is refused: ");
            assertEquals("200 default", text(site, "/x", "b.org"));
            // in the same place, of which the folder does not tell
            write("b.org.cdb", "b");
            site.awaitMessage("b.org.cdb is new");
            assertEquals("200 b", text(site, "/x", "b.org"));
            new HandMadeArchive().texts("/x", "other").replace(folder.resolve("a.org.cdb"));
            site.awaitMessage("a.org.cdb is new");
            assertEquals("200 other", text(site, "/x", "a.org"));
            Files.delete(folder.resolve("a.org.cdb"));
            site.awaitMessage("of a.org is gone");
            assertEquals("200 default", text(site, "/x", "a.org"));
            assertEquals("200 b", text(site, "/x", "b.org"));
            Files.move(folder, folder.resolveSibling(folder.getFileName() + "-away"));
            site.awaitMessage("there is no such folder");
            assertEquals("200 b", text(site, "/x", "b.org"));
            Files.move(folder.resolveSibling(folder.getFileName() + "-away"), folder);
        }
    }
}
