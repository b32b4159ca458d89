package org.microhttp.tools.fileserver;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.microhttp.extras.filesystem.FileTree;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.filesystem.VariantCache;
import org.microhttp.extras.representation.Coding;
import org.microhttp.tools.filesystem.Encoder;
import org.microhttp.tools.filesystem.FileRights;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.WRITE;


/**
 * Makes the variants of files that are missing. All of them are made of one copy of the file. They get their
 * names when the file was the same before and after; else all is done again. For any thread.
 */
final class VariantMaker {

    /** A variant is kept that saves one part in so many. */
    private static final int LEAST_SAVING = 20;

    private static final int ATTEMPTS = 5;

    private final Path root;
    private final FileTree tree;
    private final VariantCache cache;
    private final CacheFolder folder;
    private final VariantVersions versions;
    private final Set<Path> paths;
    private final List<Coding> codings;

    /**
     * @param versions of which the variants are that there are
     * @param paths    those that variants may have
     * @param codings  those that can be made here
     */
    VariantMaker(CompressSettings settings, CacheFolder folder, VariantVersions versions, Set<Path> paths,
            List<Coding> codings) throws IOException {
        root = settings.root();
        tree = new FileTree(root, settings.cache());
        cache = new VariantCache(settings.cache());
        this.folder = folder;
        this.versions = versions;
        this.paths = paths;
        this.codings = codings;
    }

    /** The codings of a version that have not been tried yet. */
    List<Coding> missing(FoundFile file) throws IOException {
        List<Coding> missing = new ArrayList<>();
        boolean known = versions.isOf(file);
        for (Coding coding : codings) {
            boolean there = known && cache.length(file, coding) != VariantCache.NONE;
            if (paths.contains(path(file, coding)) && !there) {
                missing.add(coding);
            }
        }
        return missing;
    }

    /** Gives the variants that there are of a version the rights that its file has now, or removes them. */
    void giveRights(FoundFile file) throws IOException {
        FileRights rights = rights(file);
        List<Path> variants = new ArrayList<>();
        for (Coding coding : VariantCache.CODINGS) {
            if (cache.length(file, coding) != VariantCache.NONE) {
                variants.add(path(file, coding));
            }
        }
        try {
            for (Path variant : variants) {
                rights.give(variant);
            }
        } catch (IOException e) {
            for (Path variant : variants) {
                folder.remove(variant);
            }
            throw e;
        }
    }

    private FileRights rights(FoundFile file) throws IOException {
        return FileRights.of(root.resolve(file.path()), NOFOLLOW_LINKS);
    }

    /** Makes what is missing, and returns the version that it is of; null if the file is gone meanwhile. */
    FoundFile make(FoundFile found) throws IOException, InterruptedException {
        FoundFile file = found;
        for (int attempt = 1; attempt <= ATTEMPTS && file != null; attempt++) {
            List<Coding> missing = missing(file);
            if (missing.isEmpty() || make(file, missing)) {
                return file;
            }
            file = tree.find(file.path().toString());
        }
        if (file == null) {
            return null;
        }
        throw new IOException("it changes all the time");
    }

    /** False if the file was changed meanwhile. What can be made is, even if something else cannot. */
    private boolean make(FoundFile file, List<Coding> missing) throws IOException, InterruptedException {
        Map<Coding, Path> parts = new EnumMap<>(Coding.class);
        Path copy = folder.newPart();
        try {
            if (!copy(file, copy)) {
                return false;
            }
            IOException failure = null;
            for (Coding coding : missing) {
                parts.put(coding, folder.newPart());
                try {
                    encode(file, copy, coding, parts.get(coding));
                } catch (IOException e) {
                    Files.delete(parts.remove(coding));
                    failure = e;
                }
            }
            return putAll(file, parts, failure);
        } finally {
            Files.deleteIfExists(copy);
            for (Path part : parts.values()) {
                Files.deleteIfExists(part);
            }
        }
    }

    private boolean putAll(FoundFile file, Map<Coding, Path> parts, IOException failure)
            throws IOException {
        if (!isUnchanged(file)) {
            return false;
        }
        for (Coding coding : VariantCache.CODINGS) {
            Path path = path(file, coding);
            if (parts.containsKey(coding)) {
                folder.put(parts.get(coding), path);
            } else if (paths.contains(path) && !versions.isOf(file)) {
                // it has the time of this version, but is of another one
                folder.remove(path);
            }
        }
        versions.put(file);
        if (failure != null) {
            throw failure;
        }
        return true;
    }

    private boolean isUnchanged(FoundFile file) throws IOException {
        try {
            return tree.isUnchanged(file);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private Path path(FoundFile file, Coding coding) {
        return cache.path(file.path().toString(), coding);
    }

    /** What is written after the copy has begun makes another version of the file. */
    private boolean copy(FoundFile file, Path copy) throws IOException, InterruptedException {
        if (!file.version().isSettled()) {
            Thread.sleep(FileVersion.TICK.toMillis());
        }
        try (FileChannel channel = tree.open(file); OutputStream out = Files.newOutputStream(copy)) {
            if (channel == null) {
                return false;
            }
            Channels.newInputStream(channel).transferTo(out);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void encode(FoundFile file, Path copy, Coding coding, Path part)
            throws IOException, InterruptedException {
        Encoder.encode(coding, copy, part);
        FileTime modified = file.version().modified();
        try (FileChannel variant = FileChannel.open(part, WRITE)) {
            if (!isWorthIt(file.version().size(), variant.size())) {
                variant.truncate(0);
            }
            var times = Files.getFileAttributeView(part, BasicFileAttributeView.class);
            times.setTimes(modified, null, null);
            if (!times.readAttributes().lastModifiedTime().equals(modified)) {
                throw new IOException("the cache cannot keep its time, " + modified
                        + "; allowed: a file system as that of the root");
            }
            // before it gets its name, or after a power failure that may be all there is
            variant.force(true);
        }
        rights(file).give(part);
    }

    private static boolean isWorthIt(long size, long encoded) {
        return size > 0 && (size - encoded) * LEAST_SAVING >= size;
    }
}
