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

/** Finds files and their variants, and makes of them what is served. Blocks; for any thread. */
final class FileLoader {

    /** One file may take this part of the memory. */
    private static final int PARTS = 8;

    /** A file with variants above this is not kept: the kernel sends it from its cache without a copy. */
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

    /** {@return where a file is now, and its variants; null if no such file is there} */
    StoredFile find(String name) throws IOException {
        FoundFile found = tree.find(name);
        boolean file = found != null && found.version().isFile();
        return file ? new StoredFile(name, found, variants(found)) : null;
    }

    private Map<Coding, FileVersion> variants(FoundFile found) throws IOException {
        Map<Coding, FileVersion> variants = new EnumMap<>(Coding.class);
        // a name that is no text would lead to the variants of another file
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

    /** Null if there is none of this version of the file, or it is not worth it, or may not be read. */
    private FileVersion variant(FoundFile found, Coding coding) throws IOException {
        try {
            Path path = cache.path(found.path().toString(), coding);
            if (!exists(path)) {
                // most have not all variants, and an exception costs more than all other looks
                return null;
            }
            FileVersion version = FileVersion.of(path);
            boolean valid = version.isFile() && version.size() > 0
                    && version.modified().equals(found.version().modified()) && Files.isReadable(path);
            return valid ? version : null;
        } catch (FileSystemException e) {
            // there is none, or none can be: with the suffix its name may be too long
            return null;
        }
    }

    private static boolean exists(Path path) {
        boolean file = path.getFileSystem() == FileSystems.getDefault();
        return file ? path.toFile().exists() : Files.exists(path);
    }

    /**
     * Makes what is served of a file.
     *
     * @param now before the file was looked at
     * @return null if it is no longer what was found
     */
    ServedFile load(StoredFile stored, long now) throws IOException {
        // before it is read: what is written to it meanwhile must be noticed
        boolean settled = stored.file().version().isSettled();
        Resource resource = resource(stored, settled);
        List<FileContent> contents = contents(stored, resource);
        if (contents == null) {
            return null;
        }
        return new ServedFile(stored, settled, resource, contents, now);
    }

    /** Null if it is no longer what was found. */
    private List<FileContent> contents(StoredFile stored, Resource resource) throws IOException {
        if (isSmall(resource)) {
            try {
                return read(stored, resource);
            } catch (OutOfMemoryError e) {
                // of the heap, or of what the JVM gives for buffers: it can be sent all the same
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

    /** Null if it is no longer what was found. */
    private List<FileContent> unread(StoredFile stored, Resource resource) throws IOException {
        if (!tree.has(stored.file())) {
            return null;
        }
        return resource.variants().stream().map(variant -> new FileContent(resource, variant, null)).toList();
    }

    /** Null if it is no longer what was found. */
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
        // two contents that may come to have the same version have tags of their own
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

    /** Reads all of a variant; null if it is no longer what was found. */
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

    /** {@return null if it is no longer what was found} */
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
