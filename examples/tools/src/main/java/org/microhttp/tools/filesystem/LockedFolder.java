package org.microhttp.tools.filesystem;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A folder that one process alone works in. A file in it, its mark, says whose it is; the lock of the mark
 * keeps others away, and is gone with the process, however that ends. What is not finished are parts, whose
 * names say so. For any thread.
 */
public final class LockedFolder implements AutoCloseable {

    private static final String PART = ".part-";

    private final Path folder;
    private final Path markFile;
    private final FileChannel mark;
    private final AtomicInteger parts = new AtomicInteger();
    private final FileAttribute<?>[] ownerOnly;

    private LockedFolder(Path folder, Path markFile) throws IOException {
        this.folder = folder;
        this.markFile = markFile;
        ownerOnly = only(folder, "rw-------");
        mark = FileChannel.open(markFile, CREATE, WRITE, NOFOLLOW_LINKS);
    }

    /**
     * Locks a folder that there is.
     *
     * @param name of the mark
     * @param said what is written into the mark, for who finds it
     * @return null if another process works in it
     */
    public static LockedFolder open(Path folder, String name, String said) throws IOException {
        var opened = new LockedFolder(folder, folder.resolve(name));
        try {
            if (opened.lock()) {
                opened.mark.write(ByteBuffer.wrap(said.getBytes(StandardCharsets.US_ASCII)));
                return opened;
            }
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
        opened.close();
        return null;
    }

    /**
     * Makes a folder that only this user may enter.
     *
     * @throws java.nio.file.FileAlreadyExistsException if something has this name
     */
    public static void make(Path folder) throws IOException {
        Files.createDirectory(folder, only(folder, "rwx------"));
    }

    /** Says whether a folder is one of this user, that nobody else may enter. */
    public static boolean isOwn(Path folder) throws IOException {
        if (!Files.isDirectory(folder, NOFOLLOW_LINKS)) {
            return false;
        }
        if (only(folder, "rwx------").length == 0) {
            return true;
        }
        FileRights rights = FileRights.of(folder, NOFOLLOW_LINKS);
        // Java does not say who this user is; what it makes says so
        Path probe = Files.createTempFile(folder.getParent(), ".", ".probe");
        try {
            return rights.mode().equals(PosixFilePermissions.fromString("rwx------"))
                    && rights.owner().equals(Files.getOwner(probe));
        } finally {
            Files.delete(probe);
        }
    }

    /** Rights that something is made with; none where there are no such rights. */
    private static FileAttribute<?>[] only(Path place, String rights) {
        boolean posix = place.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))
        } : new FileAttribute<?>[0];
    }

    /** Says whether a folder has this mark. */
    public static boolean isMarked(Path folder, String name) {
        return Files.exists(folder.resolve(name), NOFOLLOW_LINKS);
    }

    public static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }

    /** Whoever had the lock may have removed the mark before this got it. */
    private boolean lock() throws IOException {
        try {
            return mark.tryLock() != null && Files.exists(markFile, NOFOLLOW_LINKS);
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** A new empty file, which nobody else may read, for what is not finished. */
    public Path newPart() throws IOException {
        return Files.createFile(part("" + parts.incrementAndGet()), ownerOnly);
    }

    /** The path of a part that is known by a name, which is no number. */
    public Path part(String name) {
        return folder.resolve(PART + name);
    }

    /** Removes what was left unfinished. */
    public void removeParts() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                if (entry.getFileName().toString().startsWith(PART)) {
                    Files.deleteIfExists(entry);
                }
            }
        }
    }

    /** Removes the folder with its parts and its mark. Nothing else may be in it. */
    public void remove() throws IOException {
        removeParts();
        Files.deleteIfExists(markFile);
        Files.deleteIfExists(folder);
    }

    /** Lets others work in it. */
    @Override
    public void close() throws IOException {
        mark.close();
    }
}
