package org.microhttp.tools.fileserver;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.microhttp.extras.filesystem.FileName;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.representation.MediaTypes;
import org.microhttp.extras.representation.TargetPath;
import org.microhttp.tools.filesystem.FileRights;
import org.microhttp.tools.processes.BatchProgram;

import static java.nio.file.FileVisitResult.CONTINUE;
import static java.nio.file.FileVisitResult.SKIP_SUBTREE;
import static java.nio.file.FileVisitResult.TERMINATE;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;


/**
 * Finds the files of a site that are worth a try: those that are served, of a type that can be compressed. No
 * link is followed: the server has the variants of what a link leads to under the name of that. Folders that
 * only some users may enter are left out, unless the cache is as closed: others could read variants there.
 */
final class SiteScan extends SimpleFileVisitor<Path> {

    /** The files, in the order in which they were found. */
    final List<FoundFile> files = new ArrayList<>();

    /** All folders below the root, from there on. */
    final Set<Path> folders = new HashSet<>();

    /** Folders that only some users may enter, from the root on if they are inside of it. */
    final List<Path> closed = new ArrayList<>();

    /** What cannot be looked at, from the root on, and why. */
    final Map<Path, IOException> failures = new LinkedHashMap<>();

    /** How many files are none for us. */
    int skipped;

    private final Path root;
    private final Path cache;
    private final MediaTypes types;

    private SiteScan(CompressSettings settings) {
        root = settings.root();
        cache = settings.cache();
        types = settings.types();
    }

    static SiteScan of(CompressSettings settings) throws IOException {
        var scan = new SiteScan(settings);
        for (Path way = scan.root; way != null; way = way.getParent()) {
            if (scan.isClosed(way)) {
                scan.closed.add(way);
                return scan;
            }
        }
        Files.walkFileTree(scan.root, scan);
        BatchProgram.requireRunning();
        return scan;
    }

    /** Whether some users may enter the cache and not this folder. What has both inside keeps nobody out. */
    private boolean isClosed(Path folder) throws IOException {
        FileRights rights = FileRights.of(folder, NOFOLLOW_LINKS);
        if (rights.letAllIn() || cache.startsWith(folder)) {
            return false;
        }
        for (Path way = cache; !root.startsWith(way); way = way.getParent()) {
            if (rights.letInAllOf(FileRights.of(way))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a folder is closed, or cannot be looked at, which is kept then. */
    private boolean isLeftOut(Path folder) {
        Path inside = root.relativize(folder);
        try {
            if (isClosed(folder)) {
                closed.add(inside);
                return true;
            }
            return false;
        } catch (IOException e) {
            failures.put(inside, e);
            return true;
        }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        if (folder.equals(root)) {
            return CONTINUE;
        }
        if (folder.equals(cache) || !isServed(folder) || isLeftOut(folder)) {
            return SKIP_SUBTREE;
        }
        folders.add(root.relativize(folder));
        return CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (BatchProgram.isEnding()) {
            return TERMINATE;
        }
        String type = types.of(file.getFileName().toString());
        Path path = root.relativize(file);
        if (!attributes.isRegularFile() || !isServed(file) || !types.isCompressible(type)) {
            skipped++;
        } else if (FileName.isText(path)) {
            files.add(new FoundFile(path, FileVersion.of(file)));
        } else {
            failures.put(path, new IOException("its name has what is no character of this locale;"
                    + " take one of UTF-8, as by LC_ALL=C.UTF-8"));
        }
        return CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
        boolean folder = Files.isDirectory(file, NOFOLLOW_LINKS);
        if (isServed(file) && !(folder && isLeftOut(file))) {
            failures.put(root.relativize(file), failure);
        }
        return CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException failure) {
        if (failure != null) {
            failures.put(root.relativize(folder), failure);
        }
        return CONTINUE;
    }

    private boolean isServed(Path path) {
        return TargetPath.isServed(path.getFileName().toString(), root.equals(path.getParent()));
    }
}
