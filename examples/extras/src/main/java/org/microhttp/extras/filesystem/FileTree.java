package org.microhttp.extras.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.extras.representation.TargetPath;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

/**
 * The files and folders below a root, and nothing else. Links are followed if they lead to files below the
 * root; all others count as missing.
 * <p>
 * A name is first resolved to a path without links. Then that path is walked from the root: each folder is
 * opened relative to the one before, and never through a link. So a user who swaps a folder for a link
 * between these two steps gains nothing: the walk fails there. FIFOs, devices and all else that is neither
 * file nor folder are never opened. One gap is left, since Java cannot open a file without waiting: if a user
 * replaces a file by a FIFO between its check and its opening, the thread waits until someone writes to the
 * FIFO; the written bytes are not sent.
 * <p>
 * Where Java has no {@link SecureDirectoryStream}, there is no such walk: a file is opened by its whole path,
 * and then checked again, with all folders on its path. {@link #gaps} says what can still go wrong.
 */
public final class FileTree {

    /** How many items of a folder are listed; nobody reads more. */
    private static final int MOST_ITEMS = 10_000;

    private final Path root;
    private final Path excluded;

    /** Whether this system opens files relative to a folder. */
    private final boolean relative;

    /** Work inside an open folder. */
    @FunctionalInterface
    private interface Work<T> {

        T in(SecureDirectoryStream<Path> folder) throws IOException;
    }

    /**
     * @param root     the real path of the root
     * @param excluded the real path of a folder that is not served, wherever it is; null for none
     * @throws IOException if the root cannot be entered
     */
    public FileTree(Path root, Path excluded) throws IOException {
        this(root, excluded, isRelative(root));
    }

    FileTree(Path root, Path excluded, boolean relative) {
        this.root = root;
        this.excluded = excluded;
        this.relative = relative;
    }

    /** Also true for a root that cannot be listed: its files are opened by name in any case. */
    private static boolean isRelative(Path root) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(root)) {
            return stream instanceof SecureDirectoryStream;
        } catch (AccessDeniedException e) {
            if (!Files.isExecutable(root)) {
                throw e;
            }
            return true;
        }
    }

    /** {@return what this system cannot promise, as a sentence for an operator; null if there is no gap} */
    public String gaps() {
        if (relative) {
            return null;
        }
        String gap = "no SecureDirectoryStream for " + root + ": only the times of folders show whether one"
                + " was swapped for a link while a file was opened";
        return FileVersion.showsAllChanges(root) ? gap
                : gap + "; a user who may write there can set them, and so have a file from outside served; a"
                + " change that keeps a file's length and time of modification is not noticed";
    }

    /**
     * Finds the file or folder with a name.
     *
     * @param name relative to the root, without {@code .} and {@code ..} in it
     * @return null if nothing that may be served has this name
     */
    public FoundFile find(String name) throws IOException {
        try {
            Path path = root.getFileSystem().getPath(name);
            // a name with a drive, as "C:x", is not below the root
            return path.getRoot() == null ? find(path) : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private FoundFile find(Path path) throws IOException {
        try {
            Path real = root.resolve(path).toRealPath();
            if (!real.startsWith(root) || excluded != null && real.startsWith(excluded)) {
                return null;
            }
            Path inside = root.relativize(real);
            return isHidden(inside) ? null : new FoundFile(inside, FileVersion.of(real));
        } catch (AccessDeniedException e) {
            throw e;
        } catch (FileSystemException e) {
            // no such file, a file in place of a folder, a name too long, or links in a circle
            return null;
        }
    }

    /** Checks a path without links: a visible link may lead to a hidden file. */
    private static boolean isHidden(Path inside) {
        for (int i = 0; i < inside.getNameCount(); i++) {
            String name = inside.getName(i).toString();
            if (!name.isEmpty() && !TargetPath.isServed(name, i == 0)) {
                return true;
            }
        }
        return false;
    }

    /** Says whether a file or folder is still there, without links on its path, and unchanged. */
    public boolean has(FoundFile found) throws IOException {
        if (!relative) {
            return isUnchanged(found);
        }
        try {
            return within(found.folder(),
                    folder -> found.version().matches(attributes(folder, found.path())));
        } catch (AccessDeniedException e) {
            return isUnchanged(found);
        }
    }

    /**
     * Opens a file.
     *
     * @return null if it may have changed since it was found
     */
    public FileChannel open(FoundFile found) throws IOException {
        if (!relative) {
            return openByName(found);
        }
        try {
            return openWithin(found);
        } catch (AccessDeniedException e) {
            // Java opens no folder that it may not list
            return openByName(found);
        }
    }

    private FileChannel openWithin(FoundFile found) throws IOException {
        return within(found.folder(), folder -> {
            Path name = found.path().getFileName();
            if (!found.version().matches(attributes(folder, name))) {
                return null;
            }
            // for files, the JDK returns this class, as FileChannel.open does
            var channel = (FileChannel) folder.newByteChannel(name, Set.of(READ, NOFOLLOW_LINKS));
            try {
                if (channel.size() == found.version().size() && isUnchanged(found, folder)) {
                    return channel;
                }
            } catch (IOException e) {
                channel.close();
                throw e;
            }
            channel.close();
            return null;
        });
    }

    /**
     * Opens a file by its whole path: in folders that may be entered but not listed, such as with mode 0711,
     * and where there is no other way. Replacing a folder by a link changes the time of its parent folder. So
     * the path led through no link if all its folders have the same versions before and after the opening,
     * and if no folder was changed so recently that another change might have the same time.
     */
    private FileChannel openByName(FoundFile found) throws IOException {
        List<FileVersion> before = settledFolders(found);
        if (before == null) {
            return null;
        }
        FileChannel channel = openUnlinked(root.resolve(found.path()));
        boolean same = false;
        try {
            same = channel.size() == found.version().size() && isUnchanged(found)
                    && folders(found).equals(before);
        } finally {
            if (!same) {
                channel.close();
            }
        }
        return same ? channel : null;
    }

    /** Opens a file, and no link in the default file system; others may reject the option for that. */
    static FileChannel openUnlinked(Path path) throws IOException {
        boolean own = path.getFileSystem() == FileSystems.getDefault();
        return own ? FileChannel.open(path, READ, NOFOLLOW_LINKS) : FileChannel.open(path, READ);
    }

    /** Waits and returns null if one is no folder, or if its next change might not show. */
    private List<FileVersion> settledFolders(FoundFile found) throws IOException {
        List<FileVersion> folders = folders(found);
        if (folders.stream().allMatch(folder -> folder.isFolder() && folder.isSettled())) {
            return folders;
        }
        LockSupport.parkNanos(FileVersion.TICK.toNanos());
        return null;
    }

    /** The root, and all folders between it and a file. */
    private List<FileVersion> folders(FoundFile found) throws IOException {
        List<FileVersion> folders = new ArrayList<>(List.of(FileVersion.of(root)));
        for (int i = 1; i < found.path().getNameCount(); i++) {
            folders.add(FileVersion.of(root.resolve(found.path().subpath(0, i))));
        }
        return folders;
    }

    /** Only the first check sees changes that keep size and time; only the second sees every link. */
    private boolean isUnchanged(FoundFile found, SecureDirectoryStream<Path> folder) throws IOException {
        return isUnchanged(found) && found.version().matches(attributes(folder, found.path()));
    }

    /** Says whether the path of a file still leads to the version that was found. */
    public boolean isUnchanged(FoundFile found) throws IOException {
        return found.version().equals(FileVersion.of(root.resolve(found.path())));
    }

    /**
     * Lists the items of a folder that may be served, except names that the locale cannot decode.
     *
     * @return null if it may have changed since it was found
     */
    public FolderList list(FoundFile found) throws IOException {
        if (relative) {
            return within(found.path(), folder -> list(found, folder));
        }
        List<FileVersion> before = settledFolders(found);
        if (before == null) {
            return null;
        }
        try (DirectoryStream<Path> folder = Files.newDirectoryStream(root.resolve(found.path()))) {
            FolderList list = list(found, folder);
            return isUnchanged(found) && folders(found).equals(before) ? list : null;
        }
    }

    private FolderList list(FoundFile found, DirectoryStream<Path> folder) throws IOException {
        boolean atRoot = found.path().toString().isEmpty();
        List<FolderItem> items = new ArrayList<>();
        long more = 0;
        try {
            for (Path entry : folder) {
                Path name = entry.getFileName();
                boolean served = TargetPath.isServed(name.toString(), atRoot) && FileName.isText(name);
                FolderItem item = null;
                if (served && items.size() < MOST_ITEMS) {
                    item = item(folder, found.path().resolve(name));
                } else if (served) {
                    more++;
                }
                if (item != null) {
                    items.add(item);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return new FolderList(items, more);
    }

    /** Null if the item is gone, is neither file nor folder, or may not be served. */
    private FolderItem item(DirectoryStream<Path> folder, Path path) throws IOException {
        String name = path.getFileName().toString();
        try {
            BasicFileAttributes item = folder instanceof SecureDirectoryStream<Path> secure
                    ? attributes(secure, path)
                    : Files.readAttributes(root.resolve(path), BasicFileAttributes.class, NOFOLLOW_LINKS);
            if (item.isSymbolicLink()) {
                FoundFile end = find(path);
                return end == null ? null : item(name, end.version());
            }
            boolean served = item.isRegularFile() || item.isDirectory();
            return served && !root.resolve(path).equals(excluded)
                    ? new FolderItem(name, item.isDirectory(), item.size(), item.lastModifiedTime())
                    : null;
        } catch (FileSystemException e) {
            return null;
        }
    }

    private static FolderItem item(String name, FileVersion end) {
        boolean served = end.isFile() || end.isFolder();
        return served ? new FolderItem(name, end.isFolder(), end.size(), end.modified()) : null;
    }

    /** Opens a folder without following links, and works in it; null for the root. */
    private <T> T within(Path folder, Work<T> work) throws IOException {
        SecureDirectoryStream<Path> open = openRoot();
        try {
            int depth = folder == null || folder.toString().isEmpty() ? 0 : folder.getNameCount();
            for (int i = 0; i < depth; i++) {
                SecureDirectoryStream<Path> outer = open;
                open = enter(outer, folder.getName(i));
                outer.close();
            }
            return work.in(open);
        } finally {
            open.close();
        }
    }

    private SecureDirectoryStream<Path> openRoot() throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(root);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException("this system cannot open files relative to a folder");
    }

    private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> outer, Path name)
            throws IOException {
        // opening a FIFO would wait
        if (!attributes(outer, name).isDirectory()) {
            throw new NoSuchFileException(name.toString());
        }
        return outer.newDirectoryStream(name, NOFOLLOW_LINKS);
    }

    /** Of a link, not of its target. */
    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> folder, Path path)
            throws IOException {
        return folder.getFileAttributeView(path.getFileName(), BasicFileAttributeView.class, NOFOLLOW_LINKS)
                .readAttributes();
    }
}
