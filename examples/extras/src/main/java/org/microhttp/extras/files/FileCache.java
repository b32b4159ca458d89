package org.microhttp.extras.files;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/**
 * The files that were asked for, by the keys of their paths. Of names that no file has nothing is kept, so
 * clients cannot fill it with names of their choice. What was not used for longest goes first when one of
 * the bounds is passed: memory for content, open files, files in all. Found by any thread without waiting;
 * changed by one at a time.
 */
final class FileCache {

    /** What is known of a file takes up to some 4 KiB, so all of it an eighth of the heap at most. */
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

    /** {@return null if it is not here} */
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

    /** Keeps a file open that was just opened; if it is no longer here, the caller alone has it. */
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

    /** Closes all that is kept open, for others that need descriptors. */
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

    /** Lets files go until so much is free; many at a time, so that they need not be sorted each time. */
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
