package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.tools.testing.CompressedSite.TEXT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.SourceSite;

/** Which links of a site {@code SiteArchive archive} follows, and which it leaves out. */
@Tier.Program
final class ArchiveLinksTest {

    @TempDir
    private Path folder;
    private SourceSite site;

    @BeforeEach
    void makeSite() throws IOException {
        site = new SourceSite(folder);
    }

    /** A name that is left out is left out under every other name, and so is what is out of the sources. */
    @Test
    void aLinkIsJudgedByItsTarget() throws Exception {
        site.writeAll("index.html", ".env", ".git/config", "a/.b/c.txt", "notes.log", "x#y", "d/e.txt");
        Path outside = Files.createDirectories(folder.resolve("outside/inner")).getParent();
        Files.writeString(outside.resolve("o.html"), TEXT);
        Path secret = Files.createDirectory(folder.resolve(".secret"));
        Files.writeString(secret.resolve("s.html"), TEXT);
        link("settings", ".env");
        link("repo", ".git");
        link("config.txt", ".git/config");
        link("c.txt", "a/.b/c.txt");
        link("again", "settings");
        link("notes", "notes.log");
        link("z", "x#y");
        link("users.txt", "/etc/passwd");
        link("out", "" + outside);
        link("o.html", "" + outside.resolve("o.html"));
        link("s.html", "" + secret.resolve("s.html"));
        link("all", "/");
        link("e.txt", "d/e.txt");
        link("d2", "d");
        String hidden = "%s is left out: it leads to %s, and %s is left out for its name\n";
        String out = "%s is left out: it leads out of the sources, to %s; --follow-outside has such links"
                + " followed\n";
        String real = "" + folder.toRealPath();
        String loop = "all is left out: it leads to a folder that it is in\n";
        String inside = hidden.formatted("c.txt", "a/.b/c.txt", ".b")
                + hidden.formatted("config.txt", ".git/config", ".git")
                + hidden.formatted("notes", "notes.log", "notes.log");
        String last = hidden.formatted("repo", ".git", ".git");
        String settings = hidden.formatted("settings", ".env", ".env");
        String again = hidden.formatted("again", ".env", ".env");
        String z = hidden.formatted("z", "x#y", "x#y");
        site.expect(0, again + loop + inside + out.formatted("o.html", real + "/outside/o.html")
                + out.formatted("out", real + "/outside") + last
                + out.formatted("s.html", real + "/.secret/s.html") + settings
                + out.formatted("users.txt", "/etc/passwd") + z, "--exclude-strip");
        site.assertPaths("P/ P/d/e.txt P/d2/e.txt P/e.txt P/index.html");
        String followed = "%s is followed out of the sources, to %s\n";
        site.expect(0, again + loop + inside + last
                + hidden.formatted("s.html", real + "/.secret/s.html", ".secret") + settings + z
                + followed.formatted("o.html", real + "/outside/o.html")
                + followed.formatted("out", real + "/outside")
                + followed.formatted("users.txt", "/etc/passwd"), "--exclude-strip", "--follow-outside");
        site.assertPaths("P/ P/d/e.txt P/d2/e.txt P/e.txt P/index.html P/o.html P/out/o.html P/users.txt");
    }

    private void link(String name, String target) throws IOException {
        Files.createSymbolicLink(site.root.resolve(name), Path.of(target));
    }

    /** What is above the sources may have any name. Out of them, links to folders could lead anywhere. */
    @Test
    void outOfTheSourcesOnlyLinksToFilesAreFollowed() throws Exception {
        Path hidden = Files.createDirectory(folder.resolve(".hidden"));
        site = new SourceSite(hidden);
        Path outside = Files.createDirectory(hidden.resolve("outside"));
        Files.writeString(outside.resolve("a.html"), TEXT);
        Files.createSymbolicLink(outside.resolve("b.html"), Path.of("a.html"));
        Files.createSymbolicLink(outside.resolve("all"), Path.of("/usr"));
        site.write("d/d.txt", "text");
        Files.createSymbolicLink(outside.resolve("back"), site.root.resolve("d"));
        link("out", "../outside");
        String left = " is left out: it is out of the sources, and leads to a folder; there only links to"
                + " files are followed\n";
        String followed = " is followed out of the sources, to " + outside.toRealPath();
        site.expect(0, String.join(left, "out/all", "out/back", "") + "out" + followed + "\nout/b.html"
                + followed + "/a.html", "--exclude-strip", "--follow-outside");
        site.assertPaths("P/d/d.txt P/out/a.html P/out/b.html");
    }

    /** It has links to all other folders, and files without end. */
    @Test
    void aLinkToAProcessIsLeftOut() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/status")), "no /proc");
        site.writeAll("index.html");
        link("p", "/proc/self");
        String process = "" + Path.of("/proc/self").toRealPath();
        site.expect(0, "p is left out: it leads out of the sources, to " + process
                + "; --follow-outside has such links followed");
        site.assertPaths("P/ P/index P/index.html");
    }

    @Test
    void linksOutOfTheSitesAreFollowedIfAskedForAndStoredOnce() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("o.html"), TEXT);
        site.write("a.html", TEXT + "a");
        Files.createSymbolicLink(site.root.resolve("b.html"), Path.of("a.html"));
        Files.createLink(site.root.resolve("c.html"), site.root.resolve("a.html"));
        link("out", "" + outside);
        Files.createSymbolicLink(site.root.resolve("o.html"), outside.resolve("o.html"));
        String followed = " is followed out of the sources, to " + outside.toRealPath();
        site.expect(0, "o.html" + followed + "/o.html\nout" + followed,
                "--exclude-strip", "--compress", "gzip", "--exclude-etag", "--follow-outside");
        site.assertPaths("P/a.html P/b.html P/c.html P/o.html P/out/o.html");
        assertEquals(2, site.names("C").size());
        site.assertSays("files: 5 archived, 0 left out, 0 failed\n");
    }

    @Test
    void loopsAreReportedAndLeftOut() throws Exception {
        site.writeAll("a/b/c.txt", "d/e.txt");
        Files.createSymbolicLink(site.root.resolve("a/b/up"), Path.of("../../a"));
        Files.createSymbolicLink(site.root.resolve("a/d"), Path.of("../d"));
        Files.createSymbolicLink(site.root.resolve("d/a"), Path.of("../a"));
        String loop = " is left out: it leads to a folder that it is in\n";
        site.expect(0, String.join(loop, "a/b/up", "a/d/a", "d/a/b/up", "d/a/d", ""), "--exclude-strip");
        site.assertPaths("P/a/b/c.txt P/a/d/e.txt P/d/a/b/c.txt P/d/e.txt");
        site.assertSays("files: 4 archived, 4 left out, 0 failed\n");
    }
}
