package org.microhttp.compare;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The files that are archived: those of a folder, or ones that are made, alike on every machine since all
 * random numbers have one seed. Where they are asked for is known from the files alone.
 */
final class ArchivedTree {

    private static final long SEED = 15;

    /** Of these 10,000 are some 46 MB: half of them are no larger than the first, and they scatter so far. */
    private static final double MEDIAN = 2_800, SIGMA = 1;
    private static final int LEAST = 64, MOST = 1 << 20;

    /** As many of each as it is named here, in turn; how many lie in a folder. */
    private static final List<String> SUFFIXES =
            List.of("html", "html", "html", "html", "html", "html", "css", "js", "json", "svg");
    private static final int TOGETHER = 50;

    private static final String HELLO = "hello world!\n";

    private final Path root;
    private final List<Path> files;
    private final long bytes;
    private final Path ordinary;

    private ArchivedTree(Path root) throws IOException {
        this.root = root.toRealPath();
        try (Stream<Path> all = Files.walk(this.root)) {
            files = all.filter(Files::isRegularFile).filter(file -> isServed(this.root.relativize(file)))
                    .sorted().toList();
        }
        if (files.isEmpty()) throw new IOException("there is no file in " + root);
        Map<Path, Long> sizes = new LinkedHashMap<>();
        for (Path file : files) sizes.put(file, Files.size(file));
        bytes = sizes.values().stream().mapToLong(Long::longValue).sum();
        ordinary = files.stream().sorted(Comparator.comparing(sizes::get)).toList().get(files.size() / 2);
    }

    static ArchivedTree of(Path folder) throws IOException { return new ArchivedTree(folder); }

    /** A tree of one page, which is what the server without an archive answers. */
    static ArchivedTree hello(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("index.html"), HELLO);
        return new ArchivedTree(folder);
    }

    static ArchivedTree make(Path folder, int count) throws IOException {
        Random random = new Random(SEED);
        for (int i = 0; i < count; i++) {
            boolean first = i % TOGETHER == 0;
            String name = first ? "index.html" : "page" + i + "." + SUFFIXES.get(i % SUFFIXES.size());
            double size = MEDIAN * Math.exp(SIGMA * random.nextGaussian());
            Path file = folder.resolve("part" + i / TOGETHER).resolve(name);
            Files.createDirectories(file.getParent());
            Files.write(file, SampleText.page(random, (int) Math.max(LEAST, Math.min(size, MOST))));
        }
        return new ArchivedTree(folder);
    }

    /** What an archive leaves out by its name is not asked for. */
    private static boolean isServed(Path file) {
        for (Path part : file) {
            String name = part.toString();
            boolean left = name.startsWith(".") || name.contains("#") || name.equals("Thumbs.db")
                    || name.matches(".*(~|[.]log|[.]tmp|[.]temp|[.]lock)");
            if (left) return false;
        }
        return true;
    }

    Path root() { return root; }

    int files() { return files.size(); }

    long bytes() { return bytes; }

    /** Every address, and the file that answers: its own, and that of its folder if it is the index. */
    Map<String, Path> addresses() {
        Map<String, Path> addresses = new LinkedHashMap<>();
        for (Path file : files) {
            addresses.put(target(file), file);
            boolean index = file.endsWith("index.html");
            if (index) addresses.put(target(file).replaceFirst("index[.]html$", ""), file);
        }
        return addresses;
    }

    String target(Path file) {
        try {
            return new URI(null, null, "/" + root.relativize(file), null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** One of which half of the others are no larger. */
    Path ordinary() { return ordinary; }

    /** All files in a random order, the same each time. */
    List<Path> shuffled() {
        List<Path> shuffled = new ArrayList<>(files);
        Collections.shuffle(shuffled, new Random(SEED));
        return shuffled;
    }

    /** A URL a line, as the program for the load generator reads it. */
    Path list(Path file) throws IOException {
        return Files.write(file, shuffled().stream().map(one -> "http://server" + target(one)).toList());
    }
}
