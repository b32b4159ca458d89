package org.microhttp.tools.fileserver;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.APPEND;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.extras.filesystem.FoundFile;

/**
 * Of which version of a file its variants are: its length and its time, of which a variant itself has the
 * time alone. They are in a file of the cache, in a line for each file, of length, nanoseconds and path; the
 * last line of a path holds. Lines are appended when variants are finished, so after a crash what has no line
 * is made again. For any thread.
 */
final class VariantVersions implements Closeable {

    private static final String NAME = ".versions";

    private static final Pattern LINE = Pattern.compile("(?m)^(\\d+ -?\\d+) (.+)\n");

    private final Map<String, String> versions = new HashMap<>();
    private final FileChannel channel;

    /**
     * @param cache its folder
     * @param used  the paths of files that are kept; null keeps all
     */
    VariantVersions(CacheFolder folder, Path cache, Set<String> used) throws IOException {
        Path file = cache.resolve(NAME);
        if (Files.isRegularFile(file, NOFOLLOW_LINKS)) {
            read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        }
        if (used != null) {
            versions.keySet().retainAll(used);
        }
        Path part = folder.newPart();
        var lines = new StringBuilder();
        versions.forEach((path, version) -> lines.append(line(path, version)));
        Files.writeString(part, lines);
        folder.put(part, file);
        channel = FileChannel.open(file, APPEND, NOFOLLOW_LINKS);
    }

    private void read(String lines) {
        Matcher line = LINE.matcher(lines);
        while (line.find()) {
            versions.put(line.group(2), line.group(1));
        }
    }

    private static String line(String path, String version) {
        return version + " " + path + "\n";
    }

    private static String version(FoundFile file) {
        return file.version().size() + " " + file.version().modified().to(TimeUnit.NANOSECONDS);
    }

    /** Says whether the variants that there are of a file are of this version of it. */
    synchronized boolean isOf(FoundFile file) {
        return version(file).equals(versions.get(file.path().toString()));
    }

    /** Keeps of which version the variants of a file are now. */
    synchronized void put(FoundFile file) throws IOException {
        if (isOf(file)) {
            return;
        }
        String path = file.path().toString();
        versions.put(path, version(file));
        ByteBuffer line = StandardCharsets.UTF_8.encode(line(path, version(file)));
        while (line.hasRemaining()) {
            channel.write(line);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
