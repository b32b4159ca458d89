package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.tools.testing.CompressedSite.TEXT;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.Rights;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.ScriptedPrograms;
import org.microhttp.tools.testing.SourceSite;

/**
 * {@code SiteArchive archive} and the rights of files and folders: those it finds, and those it gives. Nobody
 * else may enter the folder in which it works, and what is in it is verified.
 */
@Tier.Program
final class ArchiveRightsTest {

    private static final String WORK = ".site.cdb.work";

    @RegisterExtension
    final ScriptedPrograms programs = new ScriptedPrograms();

    @TempDir
    private Path folder;
    private SourceSite site;

    @BeforeEach
    void makeSite() throws IOException {
        site = new SourceSite(Files.createDirectory(folder.resolve("made")));
        programs.makeIn(folder);
    }

    @Test
    void newArchiveHasTheRightsOfTheOldOne() throws Exception {
        site.write("a.txt", "text");
        site.expect();
        Path usual = Files.createFile(folder.resolve("usual"));
        assertEquals(Rights.of(usual), Rights.of(site.archive));
        Rights.give(site.archive, "rw-r-----");
        site.expect();
        assertEquals("rw-r-----", Rights.of(site.archive));
    }

    /** Its owner has protected it from others, and from an editor. */
    @Test
    void anArchiveThatIsReadOnlyIsReplacedAndIsReadOnlyAgain() throws Exception {
        site.write("a.txt", "first");
        site.expect();
        for (String rights : List.of("r--r--r--", "r--------")) {
            Rights.give(site.archive, rights);
            site.write("a.txt", rights);
            site.assertEnded(0, makeWithoutPrivileges(), "");
            assertEquals(rights, site.text("P/a"));
            assertEquals(rights, Rights.of(site.archive));
        }
    }

    @Test
    void twoDoNotMakeOneArchive() throws Exception {
        site.write("a.txt", "text");
        Path mark = work("rwx------").resolve(".archiving");
        try (var channel = FileChannel.open(mark, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = channel.lock()) {
            assertTrue(lock.isValid());
            site.expect(2, "another process is at work on --archive "
                    + site.folder.toRealPath().resolve("site.cdb"));
        }
        site.expect();
        assertEquals(List.of("site.cdb"), site.beside());
    }

    private Path work(String rights) throws IOException {
        Path made = Files.createDirectory(site.folder.resolve(WORK));
        Rights.give(made, rights);
        return made;
    }

    @Test
    void aFolderOfAnotherPurposeIsNotTouched() throws Exception {
        site.write("a.txt", "text");
        Path other = work("rwx------");
        Files.writeString(other.resolve(".part-1"), "mine");
        site.expect(2, notLeft(other));
        assertEquals("mine", Files.readString(other.resolve(".part-1")));
        assertEquals(List.of(WORK), site.beside());
    }

    private static String notLeft(Path folder) throws IOException {
        return folder.toRealPath() + " is needed, and is not what archive has left there; allowed: nothing of"
                + " this name";
    }

    /** Others could replace what is in it, and the archive would be of that. */
    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwx---", "rwx--x--x"})
    void aWorkFolderThatOthersMayEnterIsNotUsed(String rights) throws Exception {
        site.write("a.txt", "text");
        Path open = work(rights);
        site.expect(2, notLeft(open));
        Files.createFile(open.resolve(".archiving"));
        site.expect(2, notLeft(open));
        Rights.give(open, "rwx------");
        site.expect();
        assertEquals(List.of("site.cdb"), site.beside());
    }

    @Test
    void theWorkFolderIsOfItsUserAlone() throws Exception {
        site.write("a.html", TEXT);
        programs.script("brotli", "ls -ld \"${file%/*}\" | head -c 10 > rights; head -c 100 \"$file\"");
        site.assertEnded(0, programs.run(site.command("--compress", "brotli"), site), "");
        assertEquals("drwx------", Files.readString(folder.resolve("programs/rights")));
    }

    /** What is encoded is what was read, and so is what is written. */
    @Test
    void contentsAreVerifiedWhenTheyAreEncodedAndWhenTheyAreWritten() throws Exception {
        site.write("a.html", TEXT);
        String changed = "--archive cannot be written as \"" + site.folder.toRealPath().resolve("site.cdb")
                + "\": a content was changed in the work folder ";
        programs.script("brotli", "echo foreign >> \"$file\"; head -c 100 \"$file\"");
        site.assertEnded(2, programs.run(site.command("--compress", "brotli"), site),
                changed + "while it was encoded");
        site.write("b.html", TEXT + "b");
        programs.script("brotli", "[ -e first ] && echo foreign >> \"$(cat first)\"; echo \"$file\" > first;"
                + " head -c 100 \"$file\"");
        site.assertEnded(2, programs.run(site.command("--compress", "identity,brotli", "-j1"), site),
                changed + "before it was written");
        assertEquals(List.of(), site.beside());
    }

    /** That user could put in pages of another site. */
    @Test
    void aWorkFolderThatAnotherUserHasMadeIsNotUsed() throws Exception {
        site.write("a.txt", "text");
        Path work = work("rwx------");
        giveAway(work);
        site.expect(2, notLeft(work));
        Files.createFile(work.resolve(".archiving"));
        site.expect(2, notLeft(work));
    }

    /** That user would write into the new one as well. */
    @Test
    void anArchiveOfAnotherUserLetsNobodyElseWrite() throws Exception {
        site.write("a.txt", "text");
        Files.createFile(site.archive);
        Rights.give(site.archive, "rw-rw-rw-");
        site.expect();
        assertEquals("rw-rw-rw-", Rights.of(site.archive));
        giveAway(site.archive);
        site.expect();
        assertEquals("rw-r--r--", Rights.of(site.archive));
    }

    private static void giveAway(Path file) throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "this user can give nothing away");
        Files.setAttribute(file, "unix:uid", 65534);
    }

    @Test
    void aFolderThatMayNotBeWrittenIsNamed() throws Exception {
        site.write("a.txt", "");
        Rights.give(site.folder, "r-xr-xr-x");
        Path archive = site.folder.toRealPath().resolve("site.cdb");
        site.assertEnded(2, makeWithoutPrivileges(), "--archive cannot be written as \"" + archive
                + "\": the folder " + archive.resolveSibling(".site.cdb.work")
                + " is needed: permission denied");
    }

    @Test
    void sourcesThatCannotBeReadAreNamed() throws Exception {
        site.write("a.txt", "");
        Path sources = site.root.toRealPath();
        Rights.give(site.root, "---------");
        site.assertEnded(2, makeWithoutPrivileges(),
                "--sources cannot read \"" + sources + "\": permission denied");
        assertEquals(List.of(), site.beside());
    }

    @Test
    void unreadableFileIsLeftOutUnderAllItsNames() throws Exception {
        site.writeAll("a.txt", "b.txt");
        Rights.give(site.root.resolve("b.txt"), "---------");
        Files.createLink(site.root.resolve("c.txt"), site.root.resolve("b.txt"));
        site.assertEnded(1, makeWithoutPrivileges("--exclude-strip"),
                "b.txt cannot be archived: permission denied\nc.txt cannot be archived: permission denied");
        site.assertPaths("P/a.txt");
    }

    /** In a process that may do what rights of files say; the user of a test may be root. */
    private int makeWithoutPrivileges(String... flags) throws Exception {
        return programs.run(
                ScriptedPrograms.without("-dac_override,-dac_read_search", site.command(flags)), site);
    }
}
