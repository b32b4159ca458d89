package org.microhttp.extras.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.extras.filesystem.FileTree;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.TargetPath;

/** The files of a folder, which may change at any time; files in use are cached. For any thread. */
final class FolderSource implements FileSource {

    /** Attempts to see the same version of a file in all steps. */
    private static final int TRIES = 5;

    private static final int LOCKS = 64;

    private final FileTree tree;
    private final FileLoader loader;
    private final FileCache files;

    /** Names of index files, the preferred first. */
    private final List<String> indexes;

    /** One thread at a time checks a file: the hash of its path selects the lock. */
    private final Object[] locks = new Object[LOCKS];

    FolderSource(FileTree tree, FileSettings settings) {
        this.tree = tree;
        loader = new FileLoader(tree, settings);
        files = new FileCache(settings.memory());
        indexes = settings.indexes();
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    @Override
    public ServedFile known(String key) {
        return files.find(key);
    }

    @Override
    public ServedFile find(TargetPath path) throws IOException {
        synchronized (locks[path.hashCode() & LOCKS - 1]) {
            long now = System.nanoTime();
            ServedFile known = files.find(path.key());
            if (known != null && known.isNew(now)) {
                return known;
            }
            StoredFile stored = stored(path);
            if (known != null && known.isOf(stored)) {
                known.looked(now);
                return known;
            }
            ServedFile loaded = load(path, stored, now);
            if (loaded == null) {
                files.remove(path.key());
            } else {
                files.put(path.key(), loaded);
            }
            return loaded;
        }
    }

    private ServedFile load(TargetPath path, StoredFile first, long now) throws IOException {
        StoredFile stored = first;
        if (stored != null && !stored.file().version().isSettled()) {
            // else a write during the read may not show; a file still being written is loaded again later
            LockSupport.parkNanos(FileVersion.TICK.toNanos());
            stored = stored(path);
        }
        for (int i = 0; i < TRIES && stored != null; i++) {
            ServedFile loaded = loader.load(stored, now);
            if (loaded != null) {
                return loaded;
            }
            stored = stored(path);
        }
        if (stored == null) {
            return null;
        }
        throw new NoSuchFileException(path.key());
    }

    private StoredFile stored(TargetPath path) throws IOException {
        if (!path.isFolder()) {
            return loader.find(path.name());
        }
        for (String index : indexes) {
            StoredFile stored = loader.find(path.key().substring(1) + index);
            if (stored != null) {
                return stored;
            }
        }
        return null;
    }

    @Override
    public FileVersion.Kind kind(String name) throws IOException {
        FoundFile found = tree.find(name);
        return found == null ? null : found.version().kind();
    }

    @Override
    public OpenFile open(String key, ServedFile file, Outcome outcome) throws IOException {
        FileContent content = file.content(outcome);
        OpenFile open = content.open();
        if (open == null || !open.isOpen() || !open.take()) {
            FileChannel channel = loader.open(file.stored, outcome.variant().coding());
            if (channel == null) {
                files.remove(key);
                return null;
            }
            open = new OpenFile(channel, content, System.nanoTime());
            open.take();
            files.keepOpen(key, file, content, open);
        }
        try {
            open.warm(outcome.first(), outcome.length(), System.nanoTime());
        } catch (IOException e) {
            open.release();
            throw e;
        }
        return open;
    }

    @Override
    public void forget(String key) {
        files.remove(key);
    }

    @Override
    public void closeAll() {
        files.closeAll();
    }

    @Override
    public long memory() {
        return files.kept();
    }

    @Override
    public int openFiles() {
        return files.open();
    }
}
