package org.microhttp.tools.sitearchive.making;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Set;
import org.microhttp.tools.filesystem.FileRights;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.filesystem.LockedFolder;
import org.microhttp.tools.processes.BatchProgram;

/**
 * Where an archive is made: a hidden folder beside it, so that a rename brings it to its place. No other user
 * may enter it and replace what is in it. It is there while an archive is made. What a crash has left in it
 * is removed when the same user makes that archive again. For any thread.
 */
final class WorkFolder implements AutoCloseable {

    private static final String MARK = ".archiving";

    private static final String SAID = "SiteArchive archive made what is in this folder, and removes it.\n";

    private static final String ARCHIVE = "archive";

    /** To remove it while threads still work in it. */
    private static final int ATTEMPTS = 10;

    private final Path archive;
    private final LockedFolder locked;
    private final Runnable removed;
    private boolean published;

    private WorkFolder(Path archive, LockedFolder locked) {
        this.archive = archive;
        this.locked = locked;
        removed = BatchProgram.removeAtEnd(this::removeAtEnd);
    }

    /**
     * @throws IllegalArgumentException if another process makes that archive, or the folder is somebody's
     * @throws IOException with a message that says that the folder is needed
     */
    static WorkFolder open(Path archive) throws IOException {
        Path folder = archive.resolveSibling("." + archive.getFileName() + ".work");
        try {
            return open(archive, folder);
        } catch (IOException e) {
            throw new IOException("the folder " + folder + " is needed: " + InputFile.reason(e), e);
        }
    }

    private static WorkFolder open(Path archive, Path folder) throws IOException {
        boolean isNew = make(folder);
        try {
            LockedFolder locked = LockedFolder.open(folder, MARK, SAID);
            if (locked == null) {
                throw new IllegalArgumentException(
                        "another process is at work on " + ArchiveFlags.ARCHIVE + " " + archive);
            }
            return open(archive, locked);
        } catch (IOException e) {
            if (isNew) {
                Files.deleteIfExists(folder.resolve(MARK));
                Files.deleteIfExists(folder);
            }
            throw e;
        }
    }

    private static WorkFolder open(Path archive, LockedFolder locked) throws IOException {
        try {
            locked.removeParts();
            return new WorkFolder(archive, locked);
        } catch (IOException e) {
            locked.close();
            throw e;
        }
    }

    /** Returns false if a crash has left one. What another user has made is not used, whatever is in it. */
    private static boolean make(Path folder) throws IOException {
        try {
            LockedFolder.make(folder);
            return true;
        } catch (FileAlreadyExistsException e) {
            boolean ours = LockedFolder.isOwn(folder)
                    && (LockedFolder.isMarked(folder, MARK) || LockedFolder.isEmpty(folder));
            if (!ours) {
                throw new IllegalArgumentException(folder + " is needed, and is not what archive has left"
                        + " there; allowed: nothing of this name");
            }
            return false;
        }
    }

    /** A new empty file. */
    Path newPart() throws IOException {
        return locked.newPart();
    }

    /** Keeps a part as the content of an id, of which one is enough. */
    void keep(Path part, String id) throws IOException {
        Files.move(part, content(id), StandardCopyOption.ATOMIC_MOVE);
    }

    Path content(String id) {
        return locked.part(id);
    }

    /** A new empty file that is to be the archive. */
    Path newArchive() throws IOException {
        return Files.createFile(locked.part(ARCHIVE));
    }

    /**
     * The mode of the archive that is there; null if there is none, or no modes. If another user has made
     * that one, nobody else may write to the new one.
     */
    private Set<PosixFilePermission> rights(Path file) throws IOException {
        if (Files.getFileAttributeView(archive, PosixFileAttributeView.class) == null
                || !Files.exists(archive)) {
            return null;
        }
        FileRights old = FileRights.of(archive);
        Set<PosixFilePermission> mode = new HashSet<>(old.mode());
        if (!old.owner().equals(Files.getOwner(file))) {
            mode.removeAll(Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
        }
        return mode;
    }

    /**
     * Puts the archive, which is on the disk already, in its place, at once and for good, with the rights of
     * the one that is there, if one is.
     */
    void publish(Path file) throws IOException {
        Set<PosixFilePermission> rights = rights(file);
        if (rights != null) {
            Files.setPosixFilePermissions(file, rights);
        }
        Files.move(file, archive, StandardCopyOption.ATOMIC_MOVE);
        published = true;
        try (FileChannel folder = FileChannel.open(archive.getParent(), READ)) {
            folder.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        try (locked) {
            locked.remove();
        } catch (IOException e) {
            // the archive is made all the same, and the next who makes it removes what is left
            if (!published) {
                throw e;
            }
        } finally {
            removed.run();
        }
    }

    private void removeAtEnd() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                locked.remove();
                return;
            } catch (IOException e) {
                // a thread has made a part meanwhile
                continue;
            }
        }
    }
}
