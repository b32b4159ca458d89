package org.microhttp.extras.files;

import static org.microhttp.extras.representation.Coding.IDENTITY;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.extras.filesystem.FileName;
import org.microhttp.extras.filesystem.FileTree;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.filesystem.VariantCache;
import org.microhttp.extras.representation.Coding;
import org.microhttp.extras.representation.MediaTypes;
import org.microhttp.extras.representation.Resource;
import org.microhttp.extras.representation.Variant;

/** Finds files and their variants, and loads them as {@link ServedFile}s. Blocks; for any thread. */
final class FileLoader {

    /** A file may take at most the memory divided by this. */
    private static final int PARTS = 8;

    /** Files above this size, with variants, are not kept: the kernel sends them from its cache, uncopied. */
    private static final int LARGEST = 1 << 16;

    private final FileTree tree;
    private final VariantCache cache;
    private final MediaTypes types;
    private final CacheRules rules;
    private final long memory;
    private final AtomicLong loads = new AtomicLong(System.nanoTime());

    /** @param tree what is served */
    FileLoader(FileTree tree, FileSettings settings) {
        this.tree = tree;
        cache = settings.variants() == null ? null : new VariantCache(settings.variants());
        types = settings.types();
        rules = settings.rules();
        memory = settings.memory();
    }

    /** {@return the current version of a file, and its variants; null if there is no such file} */
    StoredFile find(String name) throws IOException {
        FoundFile found = tree.find(name);
        boolean file = found != null && found.version().isFile();
        return file ? new StoredFile(name, found, variants(found)) : null;
    }

    private Map<Coding, FileVersion> variants(FoundFile found) throws IOException {
        Map<Coding, FileVersion> variants = new EnumMap<>(Coding.class);
        // a name that the locale cannot decode would lead to the variants of another file
        if (cache == null || !FileName.isText(found.path())) {
            return variants;
        }
        for (Coding coding : VariantCache.CODINGS) {
            FileVersion version = variant(found, coding);
            if (version != null) {
                variants.put(coding, version);
            }
        }
        return variants;
    }

    /** Null if this version of the file has no such variant, or if that is empty or unreadable. */
    private FileVersion variant(FoundFile found, Coding coding) throws IOException {
        try {
            Path path = cache.path(found.path().toString(), coding);
            if (!exists(path)) {
                // most files lack some variants, and an exception costs more than all other checks
                return null;
            }
            FileVersion version = FileVersion.of(path);
            boolean valid = version.isFile() && version.size() > 0
                    && version.modified().equals(found.version().modified()) && Files.isReadable(path);
            return valid ? version : null;
        } catch (FileSystemException e) {
            // there is no variant, or cannot be: with the suffix, the name may be too long
            return null;
        }
    }

    private static boolean exists(Path path) {
        boolean file = path.getFileSystem() == FileSystems.getDefault();
        return file ? path.toFile().exists() : Files.exists(path);
    }

    /**
     * Loads a file to serve it.
     *
     * @param now the time before the file was checked, in nanoseconds
     * @return null if the file has changed since it was found
     */
    ServedFile load(StoredFile stored, long now) throws IOException {
        // asked before the file is read: a write during the read must be noticed
        boolean settled = stored.file().version().isSettled();
        Resource resource = resource(stored, settled);
        List<FileContent> contents = contents(stored, resource);
        if (contents == null) {
            return null;
        }
        return new ServedFile(stored, settled, resource, contents, now);
    }

    /** Null if the file has changed since it was found. */
    private List<FileContent> contents(StoredFile stored, Resource resource) throws IOException {
        if (isSmall(resource)) {
            try {
                return read(stored, resource);
            } catch (OutOfMemoryError e) {
                // the heap or the JVM's direct memory is full: the file can be sent without being kept
                return unread(stored, resource);
            }
        }
        return unread(stored, resource);
    }

    private boolean isSmall(Resource resource) {
        long size = 0;
        for (Variant variant : resource.variants()) {
            size += variant.length() + FileContent.OVERHEAD;
        }
        return size <= Math.min(memory / PARTS, LARGEST);
    }

    /** Null if the file has changed since it was found. */
    private List<FileContent> unread(StoredFile stored, Resource resource) throws IOException {
        if (!tree.has(stored.file())) {
            return null;
        }
        return resource.variants().stream().map(variant -> new FileContent(resource, variant, null)).toList();
    }

    /** Null if the file has changed since it was found. */
    private List<FileContent> read(StoredFile stored, Resource resource) throws IOException {
        List<FileContent> contents = new ArrayList<>();
        for (Variant variant : resource.variants()) {
            ByteBuffer content = read(stored, variant);
            if (content == null) {
                return null;
            }
            contents.add(new FileContent(resource, variant, content));
        }
        return contents;
    }

    private Resource resource(StoredFile stored, boolean settled) {
        FileVersion version = stored.file().version();
        // two contents that may have the same version get different tags
        long base = FileVersion.mix(settled ? 0 : loads.incrementAndGet()) + version.fingerprint();
        List<Variant> variants = new ArrayList<>();
        variants.add(new Variant(IDENTITY, version.size(), tag(base, "")));
        stored.variants().forEach((coding, variant) -> variants.add(new Variant(coding, variant.size(),
                tag(FileVersion.mix(base) + variant.fingerprint(), "-" + coding.token()))));
        String type = types.of(stored.name().substring(stored.name().lastIndexOf('/') + 1));
        String cacheControl = rules.of("/" + stored.name());
        return new Resource(type, version.modified().toInstant(), cacheControl, variants);
    }

    private static String tag(long number, String coding) {
        return String.format("\"%016x%s\"", number, coding);
    }

    /** Reads a whole variant; null if it has changed since it was found. */
    private ByteBuffer read(StoredFile stored, Variant variant) throws IOException {
        try (FileChannel channel = open(stored, variant.coding())) {
            if (channel == null) {
                return null;
            }
            ByteBuffer content = FileContent.buffer((int) variant.length());
            while (content.hasRemaining()) {
                if (channel.read(content) < 0) {
                    return null;
                }
            }
            return isUnchanged(stored, variant.coding()) ? content.flip() : null;
        }
    }

    /** {@return null if the file has changed since it was found} */
    FileChannel open(StoredFile stored, Coding coding) throws IOException {
        if (coding == IDENTITY) {
            return tree.open(stored.file());
        }
        FoundFile file = stored.file();
        FileChannel channel = cache.open(file.path().toString(), coding, file.version().modified());
        if (channel == null || isUnchanged(stored, coding)) {
            return channel;
        }
        channel.close();
        return null;
    }

    private boolean isUnchanged(StoredFile stored, Coding coding) throws IOException {
        FoundFile file = stored.file();
        if (coding == IDENTITY) {
            return tree.isUnchanged(file);
        }
        return stored.variants().get(coding).equals(variant(file, coding));
    }
}
