package org.microhttp.tools.sitearchive.making;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.microhttp.extras.representation.Coding;
import org.microhttp.extras.representation.MediaTypes;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.filesystem.Encoder;
import org.microhttp.tools.filesystem.InputFile;

/**
 * What the flags of {@code archive} ask for. What is wrong is an {@link IllegalArgumentException} that says
 * so, before anything is done.
 *
 * @param sources the real path of a folder
 * @param archive in a folder by its real path
 * @param codings at least one
 * @param rules   fields by path
 * @param index   whether an index file answers for its folder
 * @param strip   whether a page answers for its name without the suffix
 */
record ArchiveSettings(
        Path sources, Path archive, boolean hosts, boolean followOutside, Set<Coding> codings,
        MediaTypes types, FieldRules rules, boolean index, boolean strip, boolean cache, boolean etag,
        boolean fileListing, boolean folderListing, int jobs, boolean progress, boolean debug) {

    private static final List<String> CODING_NAMES = List.of("identity", "gzip", "brotli", "zstd");

    static ArchiveSettings of(CommandLine line) throws InterruptedException {
        for (Flag flag : List.of(ArchiveFlags.SOURCES, ArchiveFlags.ARCHIVE)) {
            line.required(flag);
        }
        boolean noTag = line.has(ArchiveFlags.EXCLUDE_ETAG);
        if (noTag && line.has(ArchiveFlags.INCLUDE_ETAG)) {
            throw new IllegalArgumentException(ArchiveFlags.INCLUDE_ETAG + " and " + ArchiveFlags.EXCLUDE_ETAG
                    + " are given; allowed: one of the two");
        }
        int processors = Runtime.getRuntime().availableProcessors();
        return new ArchiveSettings(
                InputFile.folder(line, ArchiveFlags.SOURCES, ""),
                archive(line),
                line.has(ArchiveFlags.HOSTS),
                line.has(ArchiveFlags.FOLLOW_OUTSIDE),
                codings(line),
                InputFile.mediaTypes(line, ArchiveFlags.MIME_TYPES),
                FieldRules.of(line),
                !line.has(ArchiveFlags.EXCLUDE_INDEX),
                !line.has(ArchiveFlags.EXCLUDE_STRIP),
                !line.has(ArchiveFlags.EXCLUDE_CACHE),
                !noTag,
                !line.has(ArchiveFlags.EXCLUDE_FILE_LISTING),
                line.has(ArchiveFlags.INCLUDE_FOLDER_LISTING),
                line.number(ArchiveFlags.JOBS, processors, 1, 1024),
                line.has(ArchiveFlags.PROGRESS),
                line.has(ArchiveFlags.DEBUG));
    }

    /** A link is replaced itself, as by {@code mv}: what it leads to is an archive to go back to. */
    private static Path archive(CommandLine line) {
        String text = line.required(ArchiveFlags.ARCHIVE);
        try {
            CommandLine.check(Path.of(text).getFileName() != null && !text.isEmpty(), ArchiveFlags.ARCHIVE,
                    text, "a file");
            Path path = Path.of(text).toAbsolutePath();
            Path archive = path.getParent().toRealPath().resolve(path.getFileName());
            CommandLine.check(!Files.exists(archive) || isReplaceable(archive), ArchiveFlags.ARCHIVE, text,
                    "a new file, an empty one, or an archive; this is something else");
            return archive;
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    ArchiveFlags.ARCHIVE + " cannot be \"" + text + "\": " + InputFile.folderReason(e));
        }
    }

    /** Whatever was named by mistake stays as it is. */
    private static boolean isReplaceable(Path archive) throws IOException {
        if (Files.isSymbolicLink(archive)) {
            return true;
        }
        if (!Files.isRegularFile(archive, NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel file = FileChannel.open(archive)) {
            return file.size() == 0 || ArchiveFile.isArchive(file);
        }
    }

    private static Set<Coding> codings(CommandLine line) throws InterruptedException {
        String text = line.get(ArchiveFlags.COMPRESS, CODING_NAMES.get(0));
        Set<Coding> codings = EnumSet.noneOf(Coding.class);
        for (String word : text.split(",", -1)) {
            int at = CODING_NAMES.indexOf(word);
            CommandLine.check(at >= 0, ArchiveFlags.COMPRESS, text,
                    String.join(", ", CODING_NAMES) + ", or several of them with commas between");
            codings.add(Coding.values()[at]);
        }
        for (Coding coding : codings) {
            if (!Encoder.isAvailable(coding)) {
                throw new IllegalArgumentException(ArchiveFlags.COMPRESS + " is \"" + text
                        + "\", and the program " + Encoder.program(coding)
                        + " is not there; it is in the package of this name");
            }
        }
        return codings;
    }
}
