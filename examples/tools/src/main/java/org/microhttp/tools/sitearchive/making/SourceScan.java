package org.microhttp.tools.sitearchive.making;

import static java.nio.file.FileVisitResult.CONTINUE;
import static java.nio.file.FileVisitResult.SKIP_SUBTREE;
import static java.nio.file.FileVisitResult.TERMINATE;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.microhttp.extras.filesystem.FileName;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.processes.BatchProgram;
import org.microhttp.tools.reporting.Progress;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/**
 * Finds the files of a site. Links are followed as {@link SourceLinks} says; one that leads to a folder that
 * it is in itself is a loop. What is found does not depend on the order of the walk, but its order does.
 */
final class SourceScan extends SimpleFileVisitor<Path> {

    /**
     * A folder that is walked through.
     *
     * @param host null if there are none, or above them
     * @param path from the root of its site on, with slashes at its ends; null above hosts
     * @param real where it is without links
     */
    private record Folder(String host, String path, Path real) {

        Folder inner(String name, Path place) {
            return path == null ? new Folder(name, "/", place)
                    : new Folder(host, path + name + "/", place);
        }

        String name() {
            return ArchiveFormat.path(host, path);
        }
    }

    /** What a link is that leads to a folder that it is in. */
    static final String LOOP = "it leads to a folder that it is in";

    final List<SourceFile> files = new ArrayList<>();

    /** The lists of redirects, one for each site. */
    final List<SourceFile> redirects = new ArrayList<>();

    /** As they are in keys. */
    final List<String> folders = new ArrayList<>();

    /** What cannot be archived, from the folder of the sources on, and why. */
    final SortedMap<String, String> failures = new TreeMap<>();

    /** What is left out, and why: links that are not followed, lists of redirects where they do nothing. */
    final SortedMap<String, String> leftOut = new TreeMap<>();

    /** Links that lead out of the sources and are followed, and where they lead. */
    final SortedMap<String, Path> outside = new TreeMap<>();

    /** Files and folders whose names are those of what is left out. */
    final SortedSet<String> leftOutByName = new TreeSet<>();

    /** Files that are beside the folders of hosts. */
    private final SortedSet<String> ofNoHost = new TreeSet<>();

    private final Path sources;
    private final boolean hosts;
    private final Object archive;
    private final SourceLinks links;
    private final Progress progress;
    private final Deque<Folder> open = new ArrayDeque<>();

    private SourceScan(ArchiveSettings settings, Progress progress) throws IOException {
        this.progress = progress;
        links = new SourceLinks(settings);
        sources = settings.sources();
        hosts = settings.hosts();
        archive = Files.exists(settings.archive())
                ? Files.readAttributes(settings.archive(), BasicFileAttributes.class).fileKey()
                : null;
    }

    /**
     * @throws IllegalArgumentException if the folder of the sources cannot be read, or is that of one site
     *         where each folder in it should be one
     */
    static SourceScan of(ArchiveSettings settings, Progress progress) throws IOException {
        var scan = new SourceScan(settings, progress);
        Files.walkFileTree(
                scan.sources, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, scan);
        progress.erase();
        if (BatchProgram.isEnding()) {
            throw new InterruptedIOException("it was told to end");
        }
        if (!scan.ofNoHost.isEmpty()) {
            throw new IllegalArgumentException(ArchiveFlags.SOURCES + " is \"" + settings.sources()
                    + "\", and " + scan.ofNoHost.first() + " in it is of no host; allowed with "
                    + ArchiveFlags.HOSTS + ": a folder for each host, and nothing else");
        }
        return scan;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
        if (BatchProgram.isEnding()) {
            return TERMINATE;
        }
        if (open.isEmpty()) {
            enter(new Folder(null, hosts ? null : "/", sources));
            return CONTINUE;
        }
        String name = name(path);
        Path real = name == null ? null : real(path, true);
        if (real == null) {
            return SKIP_SUBTREE;
        }
        boolean host = open.peek().path() == null;
        if (host && !ArchiveFormat.isHost(name)) {
            fail(path, "it is no name of a host; allowed: lower case letters, digits, dots and hyphens, or "
                    + ArchiveFormat.DEFAULT_HOST);
            return SKIP_SUBTREE;
        }
        enter(open.peek().inner(name, real));
        return CONTINUE;
    }

    private void enter(Folder folder) {
        open.push(folder);
        if (folder.path() != null) {
            folders.add(folder.name());
        }
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
        if (BatchProgram.isEnding()) {
            return TERMINATE;
        }
        String name = name(path);
        Path real = name == null ? null : real(path, false);
        if (real == null) {
            return CONTINUE;
        }
        if (!attributes.isRegularFile()) {
            fail(path, "it is neither a file nor a folder");
        } else if (archive == null || !archive.equals(attributes.fileKey())) {
            add(name, path, real, attributes);
        }
        return CONTINUE;
    }

    /** Where it is without links; null if it is a link that is not followed. That is reported. */
    private Path real(Path path, boolean isFolder) {
        Path folder = open.peek().real();
        Path real = folder.resolve(path.getFileName());
        if (!Files.isSymbolicLink(real)) {
            return real;
        }
        try {
            Path target = real.toRealPath();
            String why = links.refusal(folder, target, isFolder);
            if (why != null) {
                leftOut.put(shown(path), why);
                return null;
            }
            if (links.isOutside(target)) {
                outside.put(shown(path), target);
            }
            return target;
        } catch (AccessDeniedException e) {
            fail(path, InputFile.reason(e));
        } catch (IOException e) {
            fail(path, "it is a link that leads to nothing");
        }
        return null;
    }

    private void add(String name, Path path, Path real, BasicFileAttributes attributes) {
        Folder folder = open.peek();
        if (folder.path() == null) {
            ofNoHost.add(shown(path));
            return;
        }
        Object key = attributes.fileKey() == null ? path : attributes.fileKey();
        var file = new SourceFile(folder.host(), folder.path() + name, real, key, attributes.size());
        progress.done(file.size());
        if (!name.equals(SourceNames.REDIRECTS)) {
            files.add(file);
        } else if (folder.path().equals("/")) {
            redirects.add(file);
        } else {
            leftOut.put(shown(path), "redirects are read in the folder of a site, and in none below it");
        }
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException failure) {
        if (open.isEmpty()) {
            throw unreadable(failure);
        }
        if (name(path) == null) {
            return CONTINUE;
        }
        if (failure instanceof FileSystemLoopException) {
            leftOut.put(shown(path), LOOP);
        } else if (real(path, true) != null) {
            fail(path, InputFile.reason(failure));
        }
        return CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path path, IOException failure) {
        open.pop();
        if (failure != null && open.isEmpty()) {
            throw unreadable(failure);
        }
        if (failure != null) {
            fail(path, InputFile.reason(failure));
        }
        return CONTINUE;
    }

    private IllegalArgumentException unreadable(IOException failure) {
        return new IllegalArgumentException(ArchiveFlags.SOURCES + " cannot read \"" + sources + "\": "
                + InputFile.folderReason(failure));
    }

    /** Null if it is not archived for its name. */
    private String name(Path path) {
        try {
            String name = SourceNames.of(path);
            if (!SourceNames.isLeftOut(name)) {
                return name;
            }
            leftOutByName.add(shown(path));
        } catch (IllegalArgumentException e) {
            fail(path, e.getMessage());
        }
        return null;
    }

    private void fail(Path path, String why) {
        failures.put(shown(path), why);
    }

    /** A path as text, in which what is no text stands as in a URI. */
    private String shown(Path path) {
        var shown = new StringBuilder();
        for (Path name : sources.relativize(path)) {
            shown.append(shown.isEmpty() ? "" : "/");
            shown.append(FileName.isText(name) ? name : FileName.encoded(name));
        }
        return shown.toString();
    }
}
