package org.microhttp.tools.fileserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.tools.testing.CompressedSite.TEXT;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.*;

/**
 * {@code FileServer compress} when something is wrong: flags, programs that are missing or fail, files that
 * change meanwhile, an end at any moment. The programs of some of these tests are scripts of their own.
 */
@Tier.Program
final class CompressFailuresTest {

    @RegisterExtension
    final ScriptedPrograms programs = new ScriptedPrograms();

    @TempDir
    private Path folder;
    private CompressedSite site;

    @BeforeEach
    void makeSite() throws IOException {
        site = new CompressedSite(folder);
        programs.makeIn(folder);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "x                               | \"x\" is no flag; --help lists them",
        "--cache CACHE                   | --root DIR must be given: the folder of the site",
        "--root ROOT                     | --cache DIR must be given: the folder for the"
                + " variants, and nothing else",
        "--root ROOT/no --cache CACHE    | --root cannot read \"ROOT/no\": there is no such folder",
        "--root ROOT/a --cache CACHE     | --root is \"ROOT/a\"; allowed: a folder",
        "--root ROOT --cache ROOT/a      | --cache is \"ROOT/a\"; allowed: a folder",
        "--root ROOT --cache ROOT        | --cache is \"ROOT\"; allowed: a folder that neither is nor has"
                + " the root, ROOT",
        "--root ROOT --cache ROOT/..     | --cache is \"ROOT/..\"; allowed: a folder that neither is nor has"
                + " the root, ROOT",
        "--root ROOT --cache ROOT/b      | --cache is \"ROOT/b\"; allowed: a new folder, an empty one, or one"
                + " that compress has made; this one has other files",
        "--root ROOT --cache ROOT/a/b    | --cache cannot make \"ROOT/a/b\": Not a directory",
        "--root ROOT --cache CACHE -j 0  | --jobs is \"0\"; allowed: 1 to 1024",
        "--root ROOT --cache CACHE --mime-types ROOT/no | --mime-types cannot read \"ROOT/no\": there is no"
                + " such file"})
    void wrongFlagIsReportedInOneLine(String flags, String message) throws Exception {
        site.write("a", "");
        site.write("b/c.gz", "mine");
        String root = site.root.toRealPath().toString();
        String[] words = flags.replace("ROOT", root).replace("CACHE", site.cache.toString()).split(" ");
        assertEquals(2, site.run(words));
        String expected = "FileServer compress: " + message.replace("ROOT", root) + "\n";
        assertEquals(expected, site.errors);
        assertEquals("", site.output);
        assertTrue(Files.exists(site.root.resolve("b/c.gz")));
    }

    @Test
    void helpIsPrinted() {
        assertEquals(0, site.run("--help"));
        assertTrue(site.output.startsWith("usage: FileServer compress [FLAGS]\n"));
    }

    @Test
    void twoDoNotWorkOnOneCache() throws Exception {
        assertEquals(0, site.compress());
        try (var mark = FileChannel.open(site.cache.resolve(".variants"), StandardOpenOption.WRITE);
                var lock = mark.lock()) {
            assertTrue(lock.isValid());
            assertEquals(2, site.compress());
        }
        assertEquals("FileServer compress: another compress is at work in --cache "
                + site.cache.toRealPath() + "\n", site.errors);
        assertEquals(0, site.compress());
    }

    @Test
    void programsThatAreMissingAreNamedAndTheOthersGoOn() throws Exception {
        site.write("a.html", TEXT);
        site.write("b.html", TEXT);
        programs.script("zstd", "head -c 100 \"$file\"");
        assertEquals(0, compressWithScripts());
        assertEquals(List.of("a.html.gz", "a.html.zst", "b.html.gz", "b.html.zst"), site.variants());
        assertEquals("FileServer compress: without the program brotli nothing is compressed by it;"
                + " it is in the package of this name\n", site.errors);
        assertTrue(site.output.contains("\nbrotli        0 "), site.output);
        programs.script("brotli", "head -c 100 \"$file\"");
        assertEquals(0, compressWithScripts());
        assertEquals("", site.errors);
        assertEquals(6, site.variants().size());
    }

    @Test
    void failingProgramIsReportedAndOthersGoOn() throws Exception {
        site.write("a.html", TEXT);
        programs.script("brotli", "echo half; echo 'no memory' >&2; exit 3");
        programs.script("zstd", "head -c 100 \"$file\"");
        assertEquals(1, compressWithScripts());
        assertEquals(List.of("a.html.gz", "a.html.zst"), site.variants());
        assertEquals("FileServer compress: a.html: brotli ended with 3: no memory\n", site.errors);
        site.assertSays("files: 0 compressed, 0 unchanged, 0 skipped, 1 failed;");
    }

    /** It has the time of the file, and would be served with it. */
    @Test
    void aVariantOfAnotherContentDoesNotStayWhereItsProgramIsGone() throws Exception {
        Path file = site.write("a.html", TEXT);
        programs.script("brotli", "head -c 100 \"$file\"");
        assertEquals(0, compressWithScripts());
        assertEquals(List.of("a.html.br", "a.html.gz"), site.variants());
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(file, TEXT + "more");
        Files.setLastModifiedTime(file, time);
        programs.script("brotli", "exit 1");
        assertEquals(1, compressWithScripts());
        assertEquals(List.of("a.html.gz"), site.variants());
        assertEquals(TEXT + "more", decoded("a.html.gz"));
    }

    @Test
    void aFileThatChangesMeanwhileIsDoneAgain() throws Exception {
        Path file = site.write("a.html", TEXT);
        programs.script("brotli", "[ -e done ] || { : > done; echo changed >> '" + file + "'; };"
                + " head -c 100 \"$file\"");
        assertEquals(0, compressWithScripts());
        assertEquals(List.of("a.html.br", "a.html.gz"), site.variants());
        for (String name : site.variants()) {
            assertEquals(Files.getLastModifiedTime(file),
                    Files.getLastModifiedTime(site.cache.resolve(name)));
        }
        assertEquals(TEXT + "changed\n", decoded("a.html.gz"));
    }

    private String decoded(String gzip) throws Exception {
        return new String(CompressedSite.decoded(site.cache.resolve(gzip)), UTF_8);
    }

    @Test
    void aFileThatAlwaysChangesFails() throws Exception {
        Path file = site.write("a.html", TEXT);
        programs.script("brotli", "echo changed >> '" + file + "'; head -c 100 \"$file\"");
        assertEquals(1, compressWithScripts());
        assertTrue(site.errors.contains("FileServer compress: a.html: it changes all the time\n"),
                site.errors);
        assertEquals(List.of(), site.variants());
    }

    /** The end comes when a program has written the half of what it will. */
    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM"})
    void nothingIsLeftHalfDone(String signal) throws Exception {
        site.write("a.html", TEXT);
        programs.script("brotli", ScriptedPrograms.WAITING);
        programs.start(site.command());
        long program = programs.awaitWaiting();
        programs.process.signal(signal);
        programs.process.process.waitFor();
        // gzip was done before brotli was begun
        assertFalse(site.variants().contains("a.html.br"));
        if (signal.equals("TERM")) {
            assertFalse(site.variants().stream().anyMatch(name -> name.startsWith(".part-")));
        }
        if (site.variants().contains("a.html.gz")) {
            assertEquals(TEXT, decoded("a.html.gz"));
        }
        if (signal.equals("TERM")) {
            assertFalse(programs.process.errors().contains("brotli"));
            ProcessHandle.of(program).ifPresent(handle -> handle.onExit().join());
        } else {
            ProcessHandle.of(program).ifPresent(ProcessHandle::destroyForcibly);
        }
        programs.script("brotli", "head -c 100 \"$file\"");
        assertEquals(0, compressWithScripts());
        assertEquals(List.of("a.html.br", "a.html.gz"), site.variants());
    }

    /** Their bytes are of UTF-8, but this locale has ASCII alone. */
    @Test
    void namesOutsideTheLocaleFail() throws Exception {
        assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "names here are of ASCII");
        site.write("caf\u00e9.html", TEXT);
        site.write("tea.html", TEXT);
        assertEquals(1, compressWithScripts());
        assertEquals(List.of("tea.html.gz"), site.variants());
        assertTrue(site.errors.contains(".html: its name has what is no character of this locale; take one of"
                + " UTF-8, as by LC_ALL=C.UTF-8\n"), site.errors);
        assertEquals(0, site.compress());
        assertTrue(site.variants().containsAll(List.of("caf\u00e9.html.gz", "tea.html.gz")));
        // where something cannot be looked at, nothing is taken to be gone
        Files.delete(site.root.resolve("tea.html"));
        assertEquals(1, compressWithScripts());
        assertTrue(site.variants().containsAll(List.of("caf\u00e9.html.gz", "tea.html.gz")));
        assertEquals(0, site.compress());
        assertFalse(site.variants().contains("tea.html.gz"));
    }

    @Test
    void progressIsShownOnATerminal() throws Exception {
        site.write("a.html", TEXT);
        String output = programs.outputOnTerminal(site.command());
        // a carriage return is the end of a line to whoever reads lines
        String shown = "\n\u001b[K1 of 1 files, 0.0 of 0.0 MB\n\u001b[Kfiles: 1 compressed";
        // programs that are missing are told before
        assertTrue(output.contains(shown), output);
        assertEquals(0, site.compress());
        assertFalse(site.output.contains("\u001b"), site.output);
    }

    private int compressWithScripts() throws Exception {
        return programs.run(site.command(), site);
    }
}
