package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.examples.tools.CompressedSite.TEXT;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.examples.tools.ScriptedPrograms;
import org.microhttp.examples.tools.SourceSite;
import org.microhttp.tools.Tier;

/**
 * The folder in which {@code SiteArchive archive} makes an archive: whose it is, what is verified in it, and
 * that nothing of it is left after an end. The archive that was there is whole after each.
 */
@Tier.Program
final class ArchiveWorkTest {

    private static final String LEFTOVERS = ".site.cdb.work";

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
    void twoDoNotMakeOneArchive() throws Exception {
        site.write("a.txt", "text");
        Path mark = leftovers("rwx------").resolve(".archiving");
        try (var channel = FileChannel.open(mark, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = channel.lock()) {
            assertTrue(lock.isValid());
            site.expect(2, "another process is at work on --archive "
                    + site.folder.toRealPath().resolve("site.cdb"));
        }
        site.expect();
        assertEquals(List.of("site.cdb"), site.beside());
    }

    private Path leftovers(String rights) throws IOException {
        Path made = Files.createDirectory(site.folder.resolve(LEFTOVERS));
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(rights));
    }

    @Test
    void aFolderOfAnotherPurposeIsNotTouched() throws Exception {
        site.write("a.txt", "text");
        Path other = leftovers("rwx------");
        Files.writeString(other.resolve(".part-1"), "mine");
        site.expect(2, notLeft(other));
        assertEquals("mine", Files.readString(other.resolve(".part-1")));
        assertEquals(List.of(LEFTOVERS), site.beside());
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
        Path open = leftovers(rights);
        site.expect(2, notLeft(open));
        Files.createFile(open.resolve(".archiving"));
        site.expect(2, notLeft(open));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwx------"));
        site.expect();
        assertEquals(List.of("site.cdb"), site.beside());
    }

    @Test
    void theWorkFolderIsOfItsUserAlone() throws Exception {
        site.write("a.html", TEXT);
        programs.script("brotli", "ls -ld \"${file%/*}\" | head -c 10 > rights; head -c 100 \"$file\"");
        site.assertEnded(0, makeWithScripts("--compress", "brotli"), "");
        assertEquals("drwx------", Files.readString(folder.resolve("programs/rights")));
    }

    /** What is encoded is what was read, and so is what is written. */
    @Test
    void contentsAreVerifiedWhenTheyAreEncodedAndWhenTheyAreWritten() throws Exception {
        site.write("a.html", TEXT);
        String changed = notWritten() + "a content was changed in the work folder ";
        programs.script("brotli", "echo foreign >> \"$file\"; head -c 100 \"$file\"");
        site.assertEnded(2, makeWithScripts("--compress", "brotli"), changed + "while it was encoded");
        site.write("b.html", TEXT + "b");
        programs.script("brotli", "[ -e first ] && echo foreign >> \"$(cat first)\"; echo \"$file\" > first;"
                + " head -c 100 \"$file\"");
        site.assertEnded(2, makeWithScripts("--compress", "identity,brotli", "-j1"),
                changed + "before it was written");
        assertEquals(List.of(), site.beside());
    }

    /** The end comes when a program has written the half of what it will. */
    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM", "INT"})
    void anEndLeavesTheOldArchive(String signal) throws Exception {
        site.write("a.html", TEXT);
        site.expect();
        byte[] before = Files.readAllBytes(site.archive);
        site.write("b.html", TEXT + "b");
        programs.script("brotli", ScriptedPrograms.WAITING);
        programs.start(site.command("--compress", "brotli"));
        long program = programs.awaitWaiting();
        programs.process.signal(signal);
        programs.process.process.waitFor();
        assertArrayEquals(before, Files.readAllBytes(site.archive));
        if (signal.equals("KILL")) {
            ProcessHandle.of(program).ifPresent(ProcessHandle::destroyForcibly);
            assertEquals(List.of(LEFTOVERS, "site.cdb"), site.beside());
        } else {
            assertEquals("", programs.process.errors());
            assertEquals(List.of("site.cdb"), site.beside());
        }
        site.expect();
        assertEquals(List.of("site.cdb"), site.beside());
        assertTrue(site.paths().contains("P/b.html"));
    }

    /** A program that does not end holds a thread of this one. */
    @Test
    void whatDoesNotReturnIsNotWaitedFor() throws Exception {
        site.write("a.html", TEXT);
        programs.script("brotli", "trap '' TERM INT; head -c 100 \"$file\"; echo $$ > waiting.new;"
                + " mv waiting.new waiting; exec sleep 60");
        programs.start(site.command("--compress", "brotli"));
        long program = programs.awaitWaiting();
        programs.process.terminate();
        boolean ended = programs.process.process.waitFor(30, TimeUnit.SECONDS);
        ProcessHandle.of(program).ifPresent(ProcessHandle::destroyForcibly);
        assertTrue(ended);
        assertEquals(List.of(), site.beside());
    }

    private String notWritten() throws IOException {
        return "--archive cannot be written as \"" + site.folder.toRealPath().resolve("site.cdb") + "\": ";
    }

    private int makeWithScripts(String... flags) throws Exception {
        return programs.run(site.command(flags), site);
    }
}
