package org.microhttp.tools.testing;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.microhttp.testing.Programs;
import org.microhttp.tools.fileserver.Compressor;

/** A site and its cache in a folder of a test, and what {@code FileServer compress} says of them. */
public final class CompressedSite extends WrittenSite {

    /** Text that is well worth it. */
    public static final String TEXT = "all work and no play makes a dull text; ".repeat(50);

    private static final Set<String> OWN = Set.of(".variants", ".versions");

    public final Path cache;

    public CompressedSite(Path folder) throws IOException {
        super(folder.resolve("site"), Compressor::run);
        cache = folder.resolve("cache");
    }

    /** One whose files can be compressed in all codings. */
    public static CompressedSite inAllCodings(Path folder) throws IOException {
        assumeTrue(Programs.isInstalled("brotli"), "no brotli");
        assumeTrue(Programs.isInstalled("zstd"), "no zstd");
        return new CompressedSite(folder);
    }

    /** Runs it in this JVM, with these flags beside those of the folders, and returns its exit code. */
    public int compress(String... flags) {
        List<String> all = new ArrayList<>(List.of("--root", root.toString(), "--cache", cache.toString()));
        Collections.addAll(all, flags);
        return run(all.toArray(String[]::new));
    }

    /** The command of a process that does it. */
    public List<String> command() {
        List<String> command = new ArrayList<>(List.of(Programs.JAVA));
        command.addAll(Programs.SHORT);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"),
                "org.microhttp.tools.fileserver.FileServer",
                "compress", "--root", "" + root, "--cache", "" + cache));
        return command;
    }

    /** Runs it, and checks its first line and that it complains of nothing. */
    public void expect(String counts) {
        int status = compress();
        assertEquals("", errors);
        assertEquals(counts, output.lines().findFirst().orElseThrow());
        assertEquals(0, status);
    }

    /** The files in the cache, by their names from the cache on, sorted; without those about them. */
    public List<String> variants() throws IOException {
        try (Stream<Path> files = Files.walk(cache)) {
            return files.filter(file -> !Files.isDirectory(file, NOFOLLOW_LINKS))
                    .map(file -> cache.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> !OWN.contains(name)).sorted().toList();
        }
    }

    /** The content of a variant; its suffix says how it is encoded. */
    public static byte[] decoded(Path variant) throws Exception {
        byte[] content = Files.readAllBytes(variant);
        if (variant.toString().endsWith(".gz") || variant.toString().endsWith(".gzip")) {
            return new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes();
        }
        String program = variant.toString().endsWith(".br") ? "brotli" : "zstd";
        Process process = new ProcessBuilder(program, "-dc").redirectInput(variant.toFile()).start();
        byte[] decoded = process.getInputStream().readAllBytes();
        assertEquals(0, process.waitFor());
        return decoded;
    }

    /** The variants that there are of a file in every coding. */
    public static List<String> allOf(String name) {
        return List.of(name + ".br", name + ".gz", name + ".zst");
    }
}
