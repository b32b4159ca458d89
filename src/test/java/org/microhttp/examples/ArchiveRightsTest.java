package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.examples.tools.ScriptedPrograms;
import org.microhttp.examples.tools.SourceSite;
import org.microhttp.tools.Tier;

/** {@code SiteArchive archive} and the rights of files and folders: those it finds, and those it gives. */
@Tier.Program
final class ArchiveRightsTest {

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

    private static void give(Path file, String rights) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aNewArchiveMayBeReadByWhoMightReadTheOldOne() throws Exception {
        site.write("a.txt", "text");
        site.expect();
        Path usual = Files.createFile(folder.resolve("usual"));
        assertEquals(rights(usual), rights(site.archive));
        give(site.archive, "rw-r-----");
        site.expect();
        assertEquals("rw-r-----", rights(site.archive));
    }

    /** Its owner has protected it from others, and from an editor. */
    @Test
    void anArchiveThatIsReadOnlyIsReplacedAndIsReadOnlyAgain() throws Exception {
        site.write("a.txt", "first");
        site.expect();
        for (String rights : List.of("r--r--r--", "r--------")) {
            give(site.archive, rights);
            site.write("a.txt", rights);
            site.assertEnded(0, makeWithoutPrivileges(), "");
            assertEquals(rights, site.text("P/a"));
            assertEquals(rights, rights(site.archive));
        }
    }

    /** That user could put in pages of another site. */
    @Test
    void aWorkFolderThatAnotherUserHasMadeIsNotUsed() throws Exception {
        site.write("a.txt", "text");
        Path work = Files.createDirectory(site.folder.resolve(".site.cdb.work"));
        give(work, "rwx------");
        giveAway(work);
        String left = site.folder.toRealPath().resolve(".site.cdb.work") + " is needed, and is not what"
                + " archive has left there; allowed: nothing of this name";
        site.expect(2, left);
        Files.createFile(work.resolve(".archiving"));
        site.expect(2, left);
    }

    /** That user would write into the new one as well. */
    @Test
    void anArchiveOfAnotherUserLetsNobodyElseWrite() throws Exception {
        site.write("a.txt", "text");
        Files.createFile(site.archive);
        give(site.archive, "rw-rw-rw-");
        site.expect();
        assertEquals("rw-rw-rw-", rights(site.archive));
        giveAway(site.archive);
        site.expect();
        assertEquals("rw-r--r--", rights(site.archive));
    }

    private static void giveAway(Path file) throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "this user can give nothing away");
        Files.setAttribute(file, "unix:uid", 65534);
    }

    @Test
    void aFolderThatMayNotBeWrittenIsNamed() throws Exception {
        site.write("a.txt", "");
        give(site.folder, "r-xr-xr-x");
        Path archive = site.folder.toRealPath().resolve("site.cdb");
        site.assertEnded(2, makeWithoutPrivileges(), "--archive cannot be written as \"" + archive
                + "\": the folder " + archive.resolveSibling(".site.cdb.work")
                + " is needed: permission denied");
    }

    @Test
    void sourcesThatCannotBeReadAreNamed() throws Exception {
        site.write("a.txt", "");
        Path sources = site.root.toRealPath();
        give(site.root, "---------");
        site.assertEnded(2, makeWithoutPrivileges(),
                "--sources cannot read \"" + sources + "\": permission denied");
        assertEquals(List.of(), site.beside());
    }

    @Test
    void whatCannotBeReadIsLeftOutUnderAllItsNames() throws Exception {
        site.writeAll("a.txt", "b.txt");
        give(site.root.resolve("b.txt"), "---------");
        Files.createLink(site.root.resolve("c.txt"), site.root.resolve("b.txt"));
        site.assertEnded(1, makeWithoutPrivileges("--exclude-strip"),
                "b.txt cannot be archived: permission denied\nc.txt cannot be archived: permission denied");
        site.assertPaths("P/a.txt");
    }

    /** In a process that may do what rights of files say; the user of a test may be root. */
    private int makeWithoutPrivileges(String... flags) throws Exception {
        List<String> command = site.command(flags);
        if ("root".equals(System.getProperty("user.name"))) {
            List<String> user =
                    List.of("/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search");
            boolean possible = Files.isExecutable(Path.of(user.get(0))) && new ProcessBuilder(
                    Stream.concat(user.stream(), Stream.of("true")).toList()).start().waitFor() == 0;
            assumeTrue(possible, "this user may do everything");
            command = Stream.concat(user.stream(), command.stream()).toList();
        }
        return programs.run(command, site);
    }
}
