package org.microhttp.extras.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.extras.commandline.CommandLine;
import org.microhttp.extras.filesystem.InputFile;
import org.microhttp.extras.representation.CacheRules;
import org.microhttp.extras.representation.MediaTypes;

/**
 * What is served, and how; {@link #of} is what flags ask for, checked before anything is started.
 *
 * @param root    a folder
 * @param cache   the folder of compressed variants, which neither is nor has the root; null for none
 * @param memory  octets for content
 * @param listing whether folders are listed
 * @param types   the media type of each file name, such as {@link MediaTypes#builtIn}
 * @param rules   which Cache-Control files have, such as {@code CacheRules.of(List.of())} for none
 */
public record FileSettings(
        Path root, Path cache, long memory, boolean listing, MediaTypes types, CacheRules rules) {

    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([kmg]?)");

    private static final long DEFAULT_MEMORY = 64L << 20;
    private static final long MOST_MEMORY = 1L << 40;

    public static FileSettings of(CommandLine line) {
        Path root = InputFile.folder(line, FileFlags.ROOT, "");
        return new FileSettings(
                root,
                cache(line, root),
                memory(line),
                line.has(FileFlags.LIST),
                MediaTypes.of(line, FileFlags.MIME_TYPES),
                rules(line.all(FileFlags.CACHE_CONTROL)));
    }

    /**
     * {@return the same, by real paths}
     *
     * @throws IOException if there is no such folder
     * @throws IllegalArgumentException if nothing of the root could be served, because it is in the cache
     */
    public FileSettings real() throws IOException {
        Path realRoot = root.toRealPath();
        Path realCache = cache == null ? null : cache.toRealPath();
        if (realCache != null && realRoot.startsWith(realCache)) {
            throw new IllegalArgumentException(
                    "the cache, " + realCache + ", is or has the root, " + realRoot);
        }
        return new FileSettings(realRoot, realCache, memory, listing, types, rules);
    }

    /** As compress has it: one with the root in it would have the site's files among its own. */
    private static Path cache(CommandLine line, Path root) {
        if (!line.has(FileFlags.CACHE)) {
            return null;
        }
        Path cache = InputFile.folder(line, FileFlags.CACHE, "; FileServer compress makes it");
        CommandLine.check(!root.startsWith(cache), FileFlags.CACHE, line.get(FileFlags.CACHE, ""),
                "a folder that neither is nor has the root, " + root);
        return cache;
    }

    /** Some of it is not heap, but as much again as the heap is all that the JVM gives for that. */
    private static long memory(CommandLine line) {
        if (!line.has(FileFlags.MEMORY)) {
            return Math.min(DEFAULT_MEMORY, Runtime.getRuntime().maxMemory() / 4);
        }
        String text = line.get(FileFlags.MEMORY, "");
        Matcher parts = SIZE.matcher(text);
        long size = -1;
        if (parts.matches()) {
            int unit = parts.group(2).isEmpty() ? 0 : 1 + "kmg".indexOf(parts.group(2));
            size = Long.parseLong(parts.group(1)) << 10 * unit;
        }
        CommandLine.check(size >= 0 && size <= MOST_MEMORY, FileFlags.MEMORY, text,
                "0 to 1024g, in octets, k, m or g, as in 64m");
        return size;
    }

    private static CacheRules rules(List<String> rules) {
        try {
            return CacheRules.of(rules);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(FileFlags.CACHE_CONTROL + " is " + e.getMessage());
        }
    }
}
