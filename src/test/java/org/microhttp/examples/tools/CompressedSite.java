package org.microhttp.examples.tools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import fileserver.Compressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** A site and its cache in a folder of a test, and what {@code FileServer compress} says of them. */
public final class CompressedSite {

    /** Text that is well worth it. */
    public static final String TEXT = "all work and no play makes a dull text; ".repeat(50);

    public final Path root;
    public final Path cache;

    /** What the last run printed. */
    public String output;
    public String errors;

    public CompressedSite(Path folder) throws IOException {
        root = Files.createDirectory(folder.resolve("site"));
        cache = folder.resolve("cache");
    }

    /** Writes a file of the site, with the folders that it is in. */
    public Path write(String name, String content) throws IOException {
        return write(name, content.getBytes(UTF_8));
    }

    public Path write(String name, byte[] content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    /** Runs it in this JVM, with these flags beside those of the folders, and returns its exit code. */
    public int compress(String... flags) {
        List<String> all = new ArrayList<>(List.of("--root", root.toString(), "--cache", cache.toString()));
        Collections.addAll(all, flags);
        return run(all.toArray(String[]::new));
    }

    /** Runs it with these flags alone. */
    public int run(String... flags) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int status = Compressor.run(
                new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), flags);
        output = out.toString(UTF_8);
        errors = err.toString(UTF_8);
        return status;
    }

    /** Runs it, and checks its first line and that it complains of nothing. */
    public void expect(String counts) {
        int status = compress();
        assertEquals("", errors);
        assertEquals(counts, output.lines().findFirst().orElseThrow());
        assertEquals(0, status);
    }

    /** The files in the cache, by their names from the cache on, sorted; without the one that marks it. */
    public List<String> variants() throws IOException {
        try (Stream<Path> files = Files.walk(cache)) {
            return files.filter(file -> !Files.isDirectory(file, NOFOLLOW_LINKS))
                    .map(file -> cache.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> !name.equals(".variants")).sorted().toList();
        }
    }

    /** The variants that there are of a file in every coding. */
    public static List<String> allOf(String name) {
        return List.of(name + ".br", name + ".gz", name + ".zst");
    }
}
