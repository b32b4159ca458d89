package org.microhttp.tools.fileserver;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.CompressedSite;
import org.microhttp.tools.testing.SourceSite;

/**
 * {@code SiteArchive archive} and {@code FileServer compress}, told to end at random moments. They do so
 * within a second, the programs that they have started end, too, and nothing unfinished is left. Each run
 * prints its seed, and {@code -Dmicrohttp.seed} takes the moments of that run again.
 */
final class CompressEndTest {

    /** Files that take each program some hundred milliseconds. */
    private static final int FILES = 12;

    @TempDir
    private Path folder;
    private SourceSite site;
    private CompressedSite compressed;
    private Random random;
    private final List<Long> millis = new ArrayList<>();

    private enum Tool { ARCHIVE, COMPRESS }

    @Tier.Program
    @ParameterizedTest
    @EnumSource(Tool.class)
    void anEndAtTwoMomentsLeavesNothing(Tool tool) throws Exception {
        endAt(tool, 2);
    }

    @Tier.Full
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @ParameterizedTest
    @EnumSource(Tool.class)
    void anEndAtFortyMomentsLeavesNothing(Tool tool) throws Exception {
        endAt(tool, 40);
    }

    private void endAt(Tool tool, int moments) throws Exception {
        assumeTrue(Programs.isInstalled("brotli"), "no brotli");
        int seed = Integer.getInteger("microhttp.seed", new Random().nextInt(1_000_000));
        System.out.println("seed: " + seed);
        random = new Random(seed);
        writeFiles();
        long start = System.nanoTime();
        assertEquals(0, start(command(tool, 0)).waitFor());
        long whole = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        for (int round = 1; round <= moments; round++) {
            end(start(command(tool, round)), random.nextInt((int) whole));
            String told = "seed " + seed + ", moment " + round;
            assertEquals(List.of("site.cdb"), site.beside(), told);
            assertTrue(site.paths().contains("P/0"), told);
            assertVariants(told);
        }
        Collections.sort(millis);
        assertTrue(millis.isEmpty() || millis.get(millis.size() / 2) <= 1000,
                () -> "seed " + seed + ": it ended after so many milliseconds: " + millis);
    }

    private void writeFiles() throws IOException {
        site = new SourceSite(Files.createDirectory(folder.resolve("a")));
        compressed = new CompressedSite(Files.createDirectory(folder.resolve("c")));
        for (int i = 0; i < FILES; i++) {
            byte[] content = new byte[30_000];
            for (int at = 0; at < content.length; at++) {
                content[at] = (byte) ('a' + random.nextInt(9));
            }
            site.write(i + ".html", content);
            compressed.write(i + ".html", content);
        }
        assertEquals(0, site.make());
    }

    /** Every other archive has a site with a link to all that a process has. */
    private List<String> command(Tool tool, int round) throws IOException {
        if (tool == Tool.ARCHIVE) {
            Path link = site.root.resolve("all");
            Files.deleteIfExists(link);
            if (round % 2 == 1) {
                Files.createSymbolicLink(link, Path.of("/proc/self"));
            }
            return site.command("--compress", "identity,gzip,brotli", "--follow-outside");
        }
        if (Files.exists(compressed.cache)) {
            // so that all is to be done again
            Files.move(compressed.cache, folder.resolve("cache" + round));
        }
        return compressed.command();
    }

    private static Process start(List<String> command) throws IOException {
        return Programs.withoutJavaOptions(new ProcessBuilder(command)).redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD).start();
    }

    /** Waits for the moment, or for the end if that is before it. */
    private void end(Process process, int moment) throws Exception {
        if (process.waitFor(moment, TimeUnit.MILLISECONDS)) {
            return;
        }
        List<ProcessHandle> programs = process.descendants().toList();
        long start = System.nanoTime();
        String signal = ServerProcess.ignoresInterrupts() ? "TERM" : "INT";
        new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid()).start().waitFor();
        process.waitFor();
        millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        for (ProcessHandle program : programs) {
            program.onExit().get(30, TimeUnit.SECONDS);
        }
    }

    /** The variants that are there are whole. */
    private void assertVariants(String told) throws Exception {
        if (Files.notExists(compressed.cache)) {
            return;
        }
        for (String name : compressed.variants()) {
            assertFalse(name.startsWith(".part-"), told + ": " + name);
            Path variant = compressed.cache.resolve(name);
            Path file = compressed.root.resolve(name.substring(0, name.lastIndexOf('.')));
            assertArrayEquals(Files.readAllBytes(file), CompressedSite.decoded(variant), told + ": " + name);
        }
    }
}
