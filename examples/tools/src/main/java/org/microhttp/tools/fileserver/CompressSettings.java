package org.microhttp.tools.fileserver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.extras.representation.MediaTypes;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.filesystem.InputFile;

/**
 * What the flags of {@code compress} ask for. What is wrong is an {@link IllegalArgumentException} that says
 * so.
 *
 * @param root  the real path of a folder, as is the cache
 */
record CompressSettings(Path root, Path cache, int jobs, MediaTypes types) {

    static CompressSettings of(CommandLine line) {
        for (Flag flag : List.of(CompressFlags.ROOT, CompressFlags.CACHE)) {
            line.required(flag);
        }
        int processors = Runtime.getRuntime().availableProcessors();
        int jobs = line.number(CompressFlags.JOBS, processors, 1, 1024);
        MediaTypes types = InputFile.mediaTypes(line, FileFlags.MIME_TYPES);
        Path root = InputFile.folder(line, CompressFlags.ROOT, "");
        return new CompressSettings(root, cache(line, root), jobs, types);
    }

    /** Makes it, if it is not there. */
    private static Path cache(CommandLine line, Path root) {
        String text = line.get(CompressFlags.CACHE, "");
        try {
            Path cache = Path.of(text);
            if (!Files.exists(cache)) {
                Files.createDirectories(cache);
            }
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    CompressFlags.CACHE + " cannot make \"" + text + "\": " + InputFile.reason(e));
        }
        Path real = InputFile.folder(line, CompressFlags.CACHE, "");
        CommandLine.check(!root.startsWith(real), CompressFlags.CACHE, text,
                "a folder that neither is nor has the root, " + root);
        return real;
    }
}
