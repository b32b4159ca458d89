package fileserver;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A line that is written anew while files are done, where a person reads it, and is gone at the end. */
final class CompressProgress {

    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Of ECMA-48: to the beginning of the line, and all of it erased. */
    private static final String ERASED = "\r\u001b[K";

    private final PrintStream out;
    private final boolean shown;
    private final int files;
    private final double bytes;
    private int filesDone;
    private long bytesDone;
    private long shownAt = System.nanoTime() - INTERVAL_NANOS;

    CompressProgress(PrintStream out, boolean shown, int files, long bytes) {
        this.out = out;
        this.shown = shown;
        this.files = files;
        this.bytes = bytes;
    }

    synchronized void done(FoundFile file) {
        filesDone++;
        bytesDone += file.version().size();
        long now = System.nanoTime();
        if (shown && now - shownAt >= INTERVAL_NANOS) {
            shownAt = now;
            out.printf(Locale.ROOT, "%s%d of %d files, %.1f of %.1f MB",
                    ERASED, filesDone, files, bytesDone / 1e6, bytes / 1e6);
            out.flush();
        }
    }

    /** Before another line is printed. */
    synchronized void erase() {
        if (shown) {
            out.print(ERASED);
            out.flush();
        }
    }
}
