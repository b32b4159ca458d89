package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.tools.testing.CompressedSite.TEXT;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.ScriptedPrograms;
import org.microhttp.tools.testing.SourceSite;

/**
 * {@code SiteArchive archive} when something is wrong: flags, programs, files that change meanwhile, an end
 * at any moment. The archive that was there is whole after each. Programs of some tests are their own.
 */
@Tier.Program
final class ArchiveCommandFailuresTest {

    private static final String LEFTOVERS = ".site.cdb.work";

    private static final String NOT_ITS_LENGTH =
            " cannot be archived: it has another length than it says, as files of the system have";

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "x                           | \"x\" is no flag; --help lists them",
        "--archive ARCHIVE           | --sources DIR must be given: the folder of the site",
        "--sources ROOT              | --archive FILE must be given: the archive, which takes the place"
                + " of one that is there",
        "--sources ROOT/no --archive ARCHIVE | --sources cannot read \"ROOT/no\": there is no such folder",
        "--sources ROOT/a --archive ARCHIVE  | --sources is \"ROOT/a\"; allowed: a folder",
        "--sources ROOT --archive ROOT/no/a  | --archive cannot be \"ROOT/no/a\": there is no such folder",
        "--sources ROOT --archive /          | --archive is \"/\"; allowed: a file",
        "--sources ROOT --archive ROOT       | --archive is \"ROOT\"; allowed: a new file, an empty"
                + " one, or an archive; this is something else",
        "--sources ROOT --archive ROOT/a     | --archive is \"ROOT/a\"; allowed: a new file, an empty"
                + " one, or an archive; this is something else",
        "ALL --compress br            | --compress is \"br\"; allowed: identity, gzip, brotli, zstd, or"
                + " several of them with commas between",
        "ALL --compress gzip,         | --compress is \"gzip,\"; allowed: identity, gzip, brotli, zstd, or"
                + " several of them with commas between",
        "ALL --include-etag --exclude-etag | --include-etag and --exclude-etag are given; allowed: one"
                + " of the two",
        "ALL --jobs 0                 | --jobs is \"0\"; allowed: 1 to 1024",
        "ALL --mime-types ROOT/no     | --mime-types cannot read \"ROOT/no\": there is no such file",
        "ALL --headers ROOT/no        | --headers cannot read \"ROOT/no\": there is no such file",
        "ALL --headers ROOT           | --headers cannot read \"ROOT\": Is a directory"})
    void wrongFlagIsReportedInOneLine(String flags, String message) throws Exception {
        site.write("a", "mine");
        String root = site.root.toRealPath().toString();
        String all = flags.replace("ALL", "--sources ROOT --archive ARCHIVE");
        String[] words = all.replace("ROOT", root).replace("ARCHIVE", "" + site.archive).split(" ");
        site.assertEnded(2, site.run(words), message.replace("ROOT", root));
        assertEquals("", site.output);
        assertEquals("mine", Files.readString(site.root.resolve("a")));
        assertEquals(List.of(), site.beside());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "*.css                    | \"*.css\" in line 2; allowed: PATTERN NAME VALUE, as in *.html"
                + " Cache-Control no-cache",
        "*.css X-A                | \"*.css X-A\" in line 2; allowed: PATTERN NAME VALUE, as in *.html"
                + " Cache-Control no-cache",
        "*.css X-A: 1             | NAME \"X-A:\" in line 2; allowed: the name of a field, without a colon",
        "*.css X-A caf\u00e9      | VALUE \"caf\u00e9\" in line 2; allowed: a value of visible ASCII"
                + " and blanks",
        "*.css Content-Length 1  | NAME \"Content-Length\" in line 2; allowed: no field that the server makes"
                + " for each answer",
        "*.css date x             | NAME \"date\" in line 2; allowed: no field that the server makes for"
                + " each answer",
        "*.css X-A \u00e9; allowed | VALUE \"\u00e9; allowed\" in line 2; allowed: a value of visible ASCII"
                + " and blanks",
        "*.css ETag x             | NAME \"ETag\" in line 2; ARCHIVE",
        "*.css VARY x  | NAME \"VARY\" in line 2; ARCHIVE",
        "*.css Location /         | NAME \"Location\" in line 2; ARCHIVE",
        "*.css Content-Type a/b   | NAME \"Content-Type\" in line 2; ARCHIVE"})
    void wrongFieldIsReported(String line, String message) throws Exception {
        site.write("a.css", "");
        Path headers = Files.writeString(folder.resolve("headers"), "* X-First 1\n" + line + "\n");
        site.expect(2, "--headers is \"" + headers + "\", with "
                + message.replace("ARCHIVE", "allowed: no field that follows from the file;"
                + " Content-Type does by --mime-types"), "--headers", "" + headers);
    }

    @Test
    void fieldsThatAreNoTextAreRefused() throws Exception {
        Path headers = Files.write(folder.resolve("headers"), new byte[] {'*', ' ', (byte) 0xE9});
        site.expect(2, "--headers is \"" + headers + "\", with what is not text in line 1; allowed: UTF-8",
                "--headers", "" + headers);
    }

    /** No archive is made that serve would refuse. */
    @Test
    void fieldsAreTooLongTogether() throws Exception {
        site.write("a.css", "");
        String fields = "* X-A " + "a".repeat(32_000) + "\n* X-B " + "b".repeat(34_000) + "\n";
        Path headers = Files.writeString(folder.resolve("headers"), fields);
        assertEquals(2, site.make("--headers", "" + headers));
        assertTrue(site.errors.matches("SiteArchive archive: --headers has fields for one answer that are too"
                + " long: with them all have 66\\d{3} bytes; allowed: 65536\n"), site.errors);
        assertEquals(List.of(), site.beside());
    }

    @Test
    void lackOfMemoryIsReportedInOneLine() throws Exception {
        Path redirects = site.write("_redirects", "");
        try (var list = new RandomAccessFile(redirects.toFile(), "rw")) {
            list.setLength(100 << 20);
        }
        List<String> command = new ArrayList<>(site.command());
        command.add(1, "-Xmx48m");
        programs.start(command);
        String errors = programs.process.errors();
        assertTrue(errors.startsWith("SiteArchive archive: there is not enough memory for so many"), errors);
        assertEquals(2, programs.process.process.waitFor());
        assertEquals(List.of(), site.beside());
    }

    @Test
    void aSiteWithoutFilesIsNoArchive() throws Exception {
        site.write("a.log", "");
        site.expect(2, "--sources is \"" + site.root.toRealPath()
                + "\", in which is nothing to archive; allowed: a folder with files");
    }

    @Test
    void anArchiveIsReplacedAndAnotherFileIsNot() throws Exception {
        site.write("a.txt", "first");
        Files.createFile(site.archive);
        site.expect();
        site.write("a.txt", "second");
        site.expect();
        assertEquals("second", site.text("P/a"));
        assertEquals(List.of("site.cdb"), site.beside());
        // a damaged one is one, too
        byte[] bytes = Files.readAllBytes(site.archive);
        Files.write(site.archive, Arrays.copyOf(bytes, bytes.length - 50));
        site.expect();
        Files.writeString(site.archive, "notes".repeat(1000));
        assertEquals(2, site.make());
        assertEquals("notes".repeat(1000), Files.readString(site.archive));
    }

    /** What the link leads to is there to go back to. */
    @Test
    void aLinkIsReplacedItself() throws Exception {
        site.write("a.txt", "first");
        site.expect();
        Path old = Files.move(site.archive, site.folder.resolve("old.cdb"));
        byte[] bytes = Files.readAllBytes(old);
        Files.createSymbolicLink(site.archive, old);
        site.write("a.txt", "second");
        site.expect();
        assertFalse(Files.isSymbolicLink(site.archive));
        assertArrayEquals(bytes, Files.readAllBytes(old));
    }

    @Test
    void sizeBeyond4GiBIsRefusedAtFirst() throws Exception {
        site.write("a.txt", "first");
        site.expect();
        try (var file = new RandomAccessFile(site.write("large.bin", "").toFile(), "rw")) {
            file.setLength(1L << 32);
        }
        site.expect(2, notWritten() + "/large.bin has 4294967296 bytes;"
                + " an archive has less than 4 GiB", "--compress", "gzip");
        assertEquals(List.of("site.cdb"), site.beside());
    }

    private String notWritten() throws IOException {
        return "--archive cannot be written as \"" + site.folder.toRealPath().resolve("site.cdb") + "\": ";
    }

    /** Their bytes are what they are, whatever the locale makes of them; no text has other bytes. */
    @Test
    void namesAreTheSameInEachLocale() throws Exception {
        assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "names here are of ASCII");
        site.writeAll("caf\u00e9/na\u00efve.html", "\u00e9.txt", "\uD83D\uDE00", "a b.txt", "%41");
        site.expect();
        byte[] first = Files.readAllBytes(site.archive);
        assertTrue(site.paths().containsAll(List.of("P/caf\u00e9/na\u00efve", "P/\uD83D\uDE00", "P/%41")));
        Files.delete(site.archive);
        site.assertEnded(0, makeWithScripts(), "");
        assertArrayEquals(first, Files.readAllBytes(site.archive));
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        var made = new ProcessBuilder("bash", "-c", "echo > $'caf\\351.txt'").directory(site.root.toFile());
        assertEquals(0, made.start().waitFor());
        String message = "caf%E9.txt cannot be archived: its name is not UTF-8";
        site.expect(1, message);
        site.assertEnded(1, makeWithScripts(), message);
        assertFalse(site.paths().toString().contains("\uFFFD"));
    }

    @Test
    void aProgramThatIsMissingIsNamed() throws Exception {
        site.write("a.html", TEXT);
        programs.script("zstd", "head -c 100 \"$file\"");
        site.assertEnded(2, makeWithScripts("--compress", "zstd,brotli"),
                "--compress is \"zstd,brotli\", and the program brotli is not there;"
                        + " it is in the package of this name");
        assertEquals(List.of(), site.beside());
        assertEquals(0, makeWithScripts("--compress", "zstd"));
    }

    @Test
    void aProgramThatFailsEndsIt() throws Exception {
        site.write("a.html", TEXT);
        programs.script("brotli", "echo half; echo 'no memory' >&2; exit 3");
        site.assertEnded(2, makeWithScripts("--compress", "brotli"),
                notWritten() + "brotli ended with 3: no memory");
        assertEquals(List.of(), site.beside());
    }

    /** All codings are of what was read at first, be it changed since. */
    @Test
    void aFileThatChangesWhileItIsEncodedIsArchivedAsItWasRead() throws Exception {
        Path file = site.write("a.html", TEXT);
        programs.script("brotli", "echo changed >> '" + file + "'; head -c 100 \"$file\"");
        assertEquals(0, makeWithScripts("--compress", "identity,brotli"));
        assertEquals(TEXT, site.text("P/a"));
        assertEquals("identity br", site.codings("P/a"));
    }

    /** This one says that it has no bytes, and has some each time. */
    @Test
    void aFileWithAnotherLengthThanItSaysIsLeftOut() throws Exception {
        Path changing = Path.of("/proc/version");
        assumeTrue(Files.isReadable(changing), "no /proc");
        site.writeAll("b.txt");
        Files.createSymbolicLink(site.root.resolve("a.txt"), changing);
        site.expect(1, "a.txt is followed out of the sources, to /proc/version\na.txt" + NOT_ITS_LENGTH,
                "--exclude-strip", "--follow-outside");
        site.assertPaths("P/b.txt");
        assertEquals("/b.txt\n", site.stored("files"));
    }

    @Test
    void aFileThatIsNeverTheSameIsLeftOut() throws Exception {
        Path changing = site.write("a.txt", "text");
        site.write("b.txt", "");
        var over = new AtomicBoolean();
        var changes = new Thread(() -> {
            while (!over.get()) {
                assertDoesNotThrow(() -> Files.writeString(changing, "text"));
            }
        });
        changes.start();
        try {
            // a thread that is held up changes nothing meanwhile
            while (site.make("--exclude-strip") == 0) {
                site.assertPaths("P/a.txt P/b.txt");
            }
        } finally {
            over.set(true);
            changes.join();
        }
        site.assertEnded(1, 1, "a.txt cannot be archived: it changes all the time");
        site.assertPaths("P/b.txt");
    }

    /** It has no length, and no end that is worth waiting for. */
    @Test
    void aFileWithoutEndIsLeftOut() throws Exception {
        Path endless = Path.of("/proc/self/pagemap");
        assumeTrue(Files.isReadable(endless), "no /proc");
        site.writeAll("b.txt");
        Files.createSymbolicLink(site.root.resolve("a.txt"), endless);
        site.expect(1, "a.txt is followed out of the sources, to " + endless.toRealPath() + "\na.txt"
                + NOT_ITS_LENGTH, "--follow-outside");
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
    void hangingProgramIsNotWaitedFor() throws Exception {
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

    @Test
    void progressIsShownInLinesAndOnATerminalInOne() throws Exception {
        site.write("a.html", TEXT);
        site.expect("--progress", "--compress", "gzip");
        String shown = "1 of 1 files, 0.0 of 0.0 MB ";
        String lines = "1 files, 0.0 MB found\n" + shown + "read\n" + shown + "compressed\n";
        site.assertSays(lines + "files: 1 ");
        site.expect("--compress", "gzip");
        site.assertSays("files: 1 ");
        String output = programs.outputOnTerminal(site.command("--progress"));
        assertTrue(output.startsWith("\n\u001b[K1 files, 0.0 MB found\n\u001b[K\n\u001b[K"
                + "1 of 1 files, 0.0 of 0.0 MB read\n\u001b[K"), output);
    }

    /** What takes its time here comes before the first file is looked for. */
    @Test
    void timeIncludesTheStartOfPrograms() throws Exception {
        site.write("a.html", TEXT);
        programs.script("brotli", "head -c 100 \"$file\"");
        Path program = folder.resolve("programs/brotli");
        Files.writeString(program, Files.readString(program).replace("|| exit 0", "|| exec /bin/sleep 0.5"));
        site.assertEnded(0, makeWithScripts("--compress", "brotli"), "");
        String time = site.output.lines().filter(line -> line.startsWith("time: ")).findFirst().orElseThrow();
        assertTrue(Double.parseDouble(time.split(" ")[1]) >= 0.5, time);
    }

    private int makeWithScripts(String... flags) throws Exception {
        return programs.run(site.command(flags), site);
    }
}
