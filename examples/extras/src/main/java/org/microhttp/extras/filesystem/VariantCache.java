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
 * Where the variants of files are. That of {@code css/main.css} in brotli is {@code CACHE/css/main.css.br}.
 * It has the time of modification of the file, to the nanosecond, and belongs to the version of that time
 * alone. An empty one says that this coding of that version is not worth it, and is never sent. Variants come
 * and go by a rename, so none is ever seen in part. For any thread.
 */
public final class VariantCache {

    /** All that a variant may have: each but the plain one. */
    public static final List<Coding> CODINGS = List.of(Coding.GZIP, Coding.BROTLI, Coding.ZSTD);

    /** There is no variant of this version. */
    public static final long NONE = -1;

    private final Path folder;

    public VariantCache(Path folder) {
        this.folder = folder;
    }

    /** @param name of the file, from the root on, with slashes: {@code css/main.css} */
    public Path path(String name, Coding coding) {
        return folder.resolve(name + coding.suffix());
    }

    /** Whether a path in the cache is that of a variant. */
    public static boolean isVariant(Path path) {
        String name = path.getFileName().toString();
        return CODINGS.stream().anyMatch(coding -> name.endsWith(coding.suffix()));
    }

    /** {@return the length of a variant; 0 if this coding is not worth it, {@link #NONE} if nobody knows} */
    public long length(FoundFile file, Coding coding) throws IOException {
        BasicFileAttributes variant = attributes(path(file.path().toString(), coding));
        return isOf(variant, file.version().modified()) ? variant.size() : NONE;
    }

    /**
     * Opens a variant. What is open is the variant that was looked at, also when another takes its place
     * meanwhile.
     *
     * @param version when the file was modified
     * @return null if there is none of this version that may be sent
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

    /** A link is none, wherever it leads. */
    private static boolean isOf(BasicFileAttributes variant, FileTime version) {
        return variant != null && variant.isRegularFile() && variant.lastModifiedTime().equals(version);
    }

    /** Null if there is no such file, or none can be seen: because its name is too long, for example. */
    private static BasicFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
        } catch (FileSystemException e) {
            return null;
        }
    }
}
