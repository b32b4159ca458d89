package org.microhttp.compare;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/**
 * The directory that all servers have: a file of each size, and 600 files as of a real site. Beside it are
 * the cache of their gzip variants, as FileServer has it, and the list of their URLs. It is the same on every
 * machine: all random numbers have one seed.
 */
final class MeasuredSite {

    private static final long SEED = 14;

    /** Where the list has its server; FileServer's own port. */
    private static final String BASE = "http://127.0.0.1:8080";

    /** A variant that saves less is not kept. */
    private static final double SAVED = 0.05;

    private static final int MOST = 1 << 20;

    /** How many files of a kind, how large half of them are at most, how far they scatter; if it is text. */
    private record Kind(String suffix, int count, double median, double sigma, boolean text) { }

    private static final List<Kind> KINDS = List.of(new Kind("html", 120, 12_000, 1.0, true),
            new Kind("css", 60, 8_000, 1.2, true), new Kind("js", 120, 15_000, 1.2, true),
            new Kind("svg", 40, 2_000, 1.0, true), new Kind("json", 20, 4_000, 1.3, true),
            new Kind("png", 70, 9_000, 1.3, false), new Kind("jpg", 90, 30_000, 1.0, false),
            new Kind("webp", 60, 18_000, 1.0, false), new Kind("woff2", 20, 24_000, 0.4, false));

    private final Path folder;
    private final Random random = new Random(SEED);

    MeasuredSite(Path folder) { this.folder = folder.toAbsolutePath(); }

    Path root() { return folder.resolve("root"); }

    Path cache() { return folder.resolve("cache"); }

    /** A URL a line, in a random order, as oha takes it; the program for wrk reads it too. */
    Path list() { return folder.resolve("urls.txt"); }

    Path file(FileContent content) { return folder.resolve("root" + content.target()); }

    /** Makes what is asked for; what is there already stays. */
    void prepare(List<FileContent> contents) throws IOException {
        Files.createDirectories(root());
        Files.createDirectories(cache());
        if (!Files.exists(list())) prepareMix();
        for (FileContent content : contents) {
            boolean missing = content.size > 0 && !Files.exists(file(content));
            if (missing) prepare(content);
        }
    }

    private void prepare(FileContent content) throws IOException {
        Path file = file(content);
        if (content == FileContent.HUGE) {
            try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
                sparse.setLength(content.size);
            }
            return;
        }
        byte[] block = new byte[1 << 16];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long left = content.size; left > 0; left -= block.length) {
                random.nextBytes(block);
                out.write(block, 0, (int) Math.min(left, block.length));
            }
        }
    }

    private void prepareMix() throws IOException {
        List<String> urls = new ArrayList<>();
        for (Kind kind : KINDS) {
            for (int i = 0; i < kind.count; i++) {
                String name = "mix/" + kind.suffix + "/" + i % 8 + "/file" + i + "." + kind.suffix;
                double size = kind.median * Math.exp(kind.sigma * random.nextGaussian());
                prepareFile(name, (int) Math.max(64, Math.min(size, MOST)), kind.text);
                urls.add(BASE + "/" + name);
            }
        }
        Collections.shuffle(urls, random);
        Files.write(list(), urls);
    }

    private void prepareFile(String name, int size, boolean text) throws IOException {
        byte[] content = text ? SampleText.words(random, size) : new byte[size];
        if (!text) random.nextBytes(content);
        Path file = root().resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        byte[] coded = gzip(content);
        if (!text || coded.length > (1 - SAVED) * size) return;
        // for nginx beside the file; for FileServer in its cache, with the file's time
        for (Path folder : List.of(root(), cache())) {
            Path variant = folder.resolve(name + ".gz");
            Files.createDirectories(variant.getParent());
            Files.write(variant, coded);
            Files.setLastModifiedTime(variant, Files.getLastModifiedTime(file));
        }
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        }
        return bytes.toByteArray();
    }
}
