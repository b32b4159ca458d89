package sitearchive.making;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import files.InputFile;
import files.LockedFolder;
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

/**
 * Where an archive is made: a hidden folder beside it, so that a rename brings it to its place. It is there
 * while an archive is made. What a crash has left in it is removed by the next who makes that archive. For
 * any thread.
 */
final class WorkFolder implements AutoCloseable {

    private static final String MARK = ".archiving";

    private static final String SAID = "SiteArchive archive made what is in this folder, and removes it.\n";

    private static final String ARCHIVE = "archive";

    private final Path archive;
    private final LockedFolder locked;
    private boolean published;

    private WorkFolder(Path archive, LockedFolder locked) {
        this.archive = archive;
        this.locked = locked;
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
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            boolean ours = Files.isDirectory(folder, NOFOLLOW_LINKS)
                    && (LockedFolder.isMarked(folder, MARK) || LockedFolder.isEmpty(folder));
            if (!ours) {
                throw new IllegalArgumentException(folder + " is needed, and has what is not of archive;"
                        + " allowed: nothing of this name");
            }
        }
        LockedFolder locked = LockedFolder.open(folder, MARK, SAID);
        if (locked == null) {
            throw new IllegalArgumentException(
                    "another process is at work on " + ArchiveFlags.ARCHIVE + " " + archive);
        }
        var opened = new WorkFolder(archive, locked);
        try {
            locked.removeParts();
            return opened;
        } catch (IOException e) {
            locked.close();
            throw e;
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

    /** A new empty file that is to be the archive. Who may not read the one that is there may not read it. */
    Path newArchive() throws IOException {
        Path file = Files.createFile(locked.part(ARCHIVE));
        Set<PosixFilePermission> rights = rights();
        if (rights != null) {
            // it is to be written, be the old one read-only
            rights.addAll(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
            Files.setPosixFilePermissions(file, rights);
        }
        return file;
    }

    /** Those of the archive that is there; null if there is none, or no such rights. */
    private Set<PosixFilePermission> rights() throws IOException {
        var old = Files.getFileAttributeView(archive, PosixFileAttributeView.class);
        boolean known = old != null && Files.exists(archive);
        return known ? new HashSet<>(old.readAttributes().permissions()) : null;
    }

    /**
     * Puts the archive, which is on the disk already, in its place, at once and for good, with the rights of
     * the one that is there, if one is.
     */
    void publish(Path file) throws IOException {
        Set<PosixFilePermission> rights = rights();
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
        }
    }
}
