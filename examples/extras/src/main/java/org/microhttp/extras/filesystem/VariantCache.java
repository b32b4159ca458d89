package org.microhttp.extras.filesystem;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import org.microhttp.extras.representation.Coding;

/**
 * The folder of compressed variants. The brotli variant of {@code css/main.css} is {@code
 * CACHE/css/main.css.br}. A variant has the file's time of modification, to the nanosecond, and belongs only
 * to the version of that time. An empty variant says that its coding saves too little, and is never sent.
 * Variants are replaced by renaming, so no variant is ever seen in part. For any thread.
 */
public final class VariantCache {

    /** The codings of variants: all but identity. */
    public static final List<Coding> CODINGS = List.of(Coding.GZIP, Coding.BROTLI, Coding.ZSTD);

    /** There is no variant of this version. */
    public static final long NONE = -1;

    private final Path folder;

    public VariantCache(Path folder) {
        this.folder = folder;
    }

    /** @param name of the file, relative to the root, with slashes, such as {@code css/main.css} */
    public Path path(String name, Coding coding) {
        return folder.resolve(name + coding.suffix());
    }

    /** Whether a path in the cache is that of a variant. */
    public static boolean isVariant(Path path) {
        String name = path.getFileName().toString();
        return CODINGS.stream().anyMatch(coding -> name.endsWith(coding.suffix()));
    }

    /** {@return the length of a variant in bytes; 0 if it is empty; {@link #NONE} if there is no variant} */
    public long length(FoundFile file, Coding coding) throws IOException {
        BasicFileAttributes variant = attributes(path(file.path().toString(), coding));
        return isOf(variant, file.version().modified()) ? variant.size() : NONE;
    }

    /**
     * Opens a variant. The open file is always the one that was checked, even if another replaces it.
     *
     * @param version the file's time of modification
     * @return null if no variant of this version may be sent, or if it was replaced meanwhile
     */
    public FileChannel open(String name, Coding coding, FileTime version) throws IOException {
        Path path = path(name, coding);
        BasicFileAttributes before = attributes(path);
        if (!isOf(before, version) || before.size() == 0) {
            return null;
        }
        FileChannel channel;
        try {
            channel = FileTree.openUnlinked(path);
        } catch (NoSuchFileException e) {
            return null;
        }
        BasicFileAttributes after = attributes(path);
        boolean same = isOf(after, version) && Objects.equals(after.fileKey(), before.fileKey())
                && channel.size() == before.size();
        if (same) {
            return channel;
        }
        channel.close();
        return null;
    }

    /** A link is no variant, wherever it leads. */
    private static boolean isOf(BasicFileAttributes variant, FileTime version) {
        return variant != null && variant.isRegularFile() && variant.lastModifiedTime().equals(version);
    }

    /** Null if there is no such file, or if it cannot be read, for example because its name is too long. */
    private static BasicFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
        } catch (FileSystemException e) {
            return null;
        }
    }
}
