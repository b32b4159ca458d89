package org.microhttp.tools.fileserver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.extras.files.FileHandlerBuilder;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.filesystem.InputFile;

/**
 * What the flags of FileServer ask for, checked before anything is started. What is wrong is an {@link
 * IllegalArgumentException} that says so.
 *
 * @param root  the real path of a folder
 * @param cache the real path of the folder of variants; null for none
 */
record FileArguments(Path root, Path cache, FileHandlerBuilder builder) {

    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([kmg]?)");

    private static final long MOST_MEMORY = 1L << 40;

    private static final String RULE_FORM = "PATTERN=VALUE, as in '*.css=max-age=3600'";

    static FileArguments of(CommandLine line) {
        Path root = InputFile.folder(line, FileFlags.ROOT, "");
        FileHandlerBuilder builder = FileHandler.of(root);
        Path cache = cache(line, root);
        if (cache != null) {
            builder.withVariants(cache);
        }
        if (line.has(FileFlags.MEMORY)) {
            builder.withMemory(memory(line.get(FileFlags.MEMORY, "")));
        }
        if (line.has(FileFlags.LIST)) {
            builder.withListing();
        }
        builder.withMediaTypes(InputFile.mediaTypes(line, FileFlags.MIME_TYPES));
        line.all(FileFlags.CACHE_CONTROL).forEach(rule -> addRule(builder, rule));
        return new FileArguments(root, cache, builder);
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

    private static long memory(String text) {
        Matcher parts = SIZE.matcher(text);
        long size = -1;
        if (parts.matches()) {
            int unit = parts.group(2).isEmpty() ? 0 : 1 + "kmg".indexOf(parts.group(2));
            size = Long.parseLong(parts.group(1)) << 10 * unit;
        }
        CommandLine.check(size >= 0 && size <= MOST_MEMORY, FileFlags.MEMORY, text,
                "0 to 1024g, in bytes, k, m or g, as in 64m");
        return size;
    }

    private static void addRule(FileHandlerBuilder builder, String rule) {
        int equals = rule.indexOf('=');
        CommandLine.check(equals > 0, FileFlags.CACHE_CONTROL, rule, RULE_FORM);
        try {
            builder.withCacheControl(rule.substring(0, equals), rule.substring(equals + 1));
        } catch (IllegalArgumentException e) {
            CommandLine.check(false, FileFlags.CACHE_CONTROL, rule,
                    "directives of Cache-Control behind the first =, as in public, max-age=60");
        }
    }

    FileHandler handler() {
        try {
            return builder.build();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    FileFlags.ROOT + " is \"" + root + "\": " + InputFile.failure(root, e));
        }
    }
}
