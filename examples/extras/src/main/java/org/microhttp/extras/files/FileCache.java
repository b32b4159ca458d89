package org.microhttp.extras.files;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/**
 * The files that were requested, by the keys of their paths. Names without a file are not kept, so clients
 * cannot fill the cache with names of their choice. Three limits apply: memory for content, open files, and
 * files in all; above a limit, the least recently used files are removed. For any thread: lookups never wait,
 * and one thread at a time makes changes.
 */
final class FileCache {

    /** Metadata of a file takes up to some 4 KiB, so all metadata an eighth of the heap at most. */
    private static final int MOST_FILES =
            (int) Math.min(20_000, Runtime.getRuntime().maxMemory() / (32 << 10));

    private static final int MOST_OPEN = 1_000;

    private final Map<String, ServedFile> files = new ConcurrentHashMap<>();
    private final long mostKept;
    private long kept;
    private int open;

    /** @param mostKept bytes of memory for content */
    FileCache(long mostKept) {
        this.mostKept = mostKept;
    }

    /** {@return the file; null if it is not cached} */
    ServedFile find(String key) {
        return files.get(key);
    }

    synchronized void put(String key, ServedFile file) {
        remove(key);
        files.put(key, file);
        kept += file.kept();
        if (kept > mostKept) {
            makeRoom(ServedFile::kept, kept - mostKept * 7 / 8);
        }
        if (files.size() > MOST_FILES) {
            makeRoom(any -> 1, MOST_FILES / 8);
        }
    }

    synchronized void remove(String key) {
        ServedFile file = files.remove(key);
        if (file == null) {
            return;
        }
        kept -= file.kept();
        for (FileContent content : file.contents()) {
            if (content != null) {
                close(content);
            }
        }
    }

    private void close(FileContent content) {
        OpenFile file = content.open();
        if (file != null) {
            content.open(null);
            open--;
            file.release();
        }
    }

    /** Keeps a file open that was just opened; if it is no longer cached, the caller stays its only user. */
    synchronized void keepOpen(String key, ServedFile file, FileContent content, OpenFile opened) {
        if (files.get(key) != file) {
            opened.release();
            return;
        }
        close(content);
        content.open(opened);
        open++;
        if (open > MOST_OPEN) {
            makeRoom(FileCache::countOpen, MOST_OPEN / 8);
        }
    }

    /** Removes and closes all open files, so that their descriptors are free. */
    synchronized void closeAll() {
        makeRoom(FileCache::countOpen, open);
    }

    private static long countOpen(ServedFile file) {
        long count = 0;
        for (FileContent content : file.contents()) {
            count += content != null && content.open() != null ? 1 : 0;
        }
        return count;
    }

    /** Removes files until their sizes add up to {@code wanted}; many at a time, so that sorting is rare. */
    private void makeRoom(ToLongFunction<ServedFile> size, long wanted) {
        record Aged(String key, long usedAt, long size) {
        }
        long now = System.nanoTime();
        List<Aged> oldest = files.entrySet().stream()
                .map(entry -> new Aged(entry.getKey(), entry.getValue().usedAt() - now,
                        size.applyAsLong(entry.getValue())))
                .filter(aged -> aged.size > 0)
                .sorted(Comparator.comparingLong(Aged::usedAt))
                .toList();
        long freed = 0;
        for (Aged aged : oldest) {
            if (freed >= wanted) {
                return;
            }
            remove(aged.key);
            freed += aged.size;
        }
    }

    /** {@return bytes of memory that content takes} */
    synchronized long kept() {
        return kept;
    }

    /** {@return how many files are kept open} */
    synchronized int open() {
        return open;
    }
}
