package org.microhttp.tools.fileserver;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;
import org.microhttp.extras.filesystem.FileName;
import org.microhttp.extras.filesystem.VariantCache;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.filesystem.LockedFolder;
import org.microhttp.tools.processes.BatchProgram;

/**
 * The folder of the cache while it is worked on, by one process alone. A file in it says that all here is of
 * {@code compress}, so nothing is removed from a folder that was named by mistake; its lock keeps others
 * away. What is not finished has a name of its own until it is. For any thread.
 */
final class CacheFolder implements AutoCloseable {

    private static final String MARK = ".variants";

    private static final String SAID = "FileServer compress made what is in this folder, and removes from it"
            + " what is of no more use.\n";

    private final Path folder;
    private final LockedFolder locked;

    private final Runnable closed;

    private CacheFolder(Path folder, LockedFolder locked) {
        this.folder = folder;
        this.locked = locked;
        closed = BatchProgram.removeAtEnd(this::removeAtEnd);
    }

    /**
     * @param folder its real path
     * @throws IllegalArgumentException if it is not of {@code compress}, or another process works on it
     */
    static CacheFolder open(Path folder) throws IOException {
        CommandLine.check(isMade(folder) || LockedFolder.isEmpty(folder), CompressFlags.CACHE, "" + folder,
                "a new folder, an empty one, or one that compress has made; this one has other files");
        LockedFolder locked = LockedFolder.open(folder, MARK, SAID);
        if (locked == null) {
            throw new IllegalArgumentException(
                    "another compress is at work in " + CompressFlags.CACHE + " " + folder);
        }
        return new CacheFolder(folder, locked);
    }

    /** Says whether a folder is of {@code compress}. */
    static boolean isMade(Path folder) {
        return LockedFolder.isMarked(folder, MARK);
    }

    /** A new empty file, which nobody else may read, for what is not finished. */
    Path newPart() throws IOException {
        return locked.newPart();
    }

    /** Gives what is finished its name, in the place of what had it before. */
    void put(Path part, Path path) throws IOException {
        makeFolder(path.getParent());
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Through a link, nothing is made: it may lead out of the cache. */
    private void makeFolder(Path path) throws IOException {
        if (path.equals(folder) || Files.isDirectory(path, NOFOLLOW_LINKS)) {
            return;
        }
        makeFolder(path.getParent());
        try {
            Files.createDirectory(path);
        } catch (FileAlreadyExistsException e) {
            // also when another thread has just made it
            if (!Files.isDirectory(path, NOFOLLOW_LINKS)) {
                throw new FileSystemException(path.toString(), null,
                        "in the cache something else is where its folder should be");
            }
        }
    }

    /** Removes what was left unfinished. */
    void removeParts() throws IOException {
        locked.removeParts();
    }

    private void removeAtEnd() {
        try {
            removeParts();
        } catch (IOException e) {
            // the next run does it
            return;
        }
    }

    /** Removes a variant, if it is there. */
    void remove(Path path) throws IOException {
        Files.deleteIfExists(path);
    }

    /**
     * Removes the variants that are not in use, and then the folders that are empty. What is no variant
     * stays, and so does a link with all that is behind it.
     *
     * @param used tells by the path
     * @return how many were removed
     */
    int removeAllBut(Predicate<Path> used) throws IOException {
        var sweep = new Sweep(used);
        Files.walkFileTree(folder, sweep);
        return sweep.removed;
    }

    private final class Sweep extends SimpleFileVisitor<Path> {

        private final Predicate<Path> used;
        private int removed;

        Sweep(Predicate<Path> used) {
            this.used = used;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            boolean variant = attributes.isRegularFile() && VariantCache.isVariant(file)
                    && FileName.isText(file);
            if (variant && !used.test(file)) {
                Files.delete(file);
                removed++;
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            if (!visited.equals(folder)) {
                removeIfEmpty(visited);
            }
            return FileVisitResult.CONTINUE;
        }

        private void removeIfEmpty(Path visited) throws IOException {
            try {
                Files.delete(visited);
            } catch (DirectoryNotEmptyException e) {
                // it is in use
                return;
            }
        }
    }

    /** Lets others work on it. */
    @Override
    public void close() throws IOException {
        closed.run();
        locked.close();
    }
}
