package org.microhttp.tools.reporting;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How far files are done, for a person who waits; nothing of it is left at the end of a terminal's line. */
public final class Progress {

    /** Nothing, a line that is written anew, or a line now and then for what is no terminal. */
    public enum Kind {

        NONE(Long.MAX_VALUE),
        REWRITTEN(TimeUnit.MILLISECONDS.toNanos(100)),
        LINES(TimeUnit.SECONDS.toNanos(1));

        private final long intervalNanos;

        Kind(long intervalNanos) {
            this.intervalNanos = intervalNanos;
        }
    }

    /** Of ECMA-48: to the beginning of the line, and all of it erased. */
    private static final String ERASED = "\r\u001b[K";

    private static final int UNKNOWN = -1;

    private final PrintStream out;
    private final Kind kind;
    private final String what;
    private final int files;
    private final long bytes;
    private int filesDone;
    private long bytesDone;
    private long shownAt;

    /** How many of unknown many are done. */
    public Progress(PrintStream out, Kind kind, String what) {
        this(out, kind, what, UNKNOWN, 0);
    }

    /** @param what is done with them, as {@code compressed}; may be empty */
    public Progress(PrintStream out, Kind kind, String what, int files, long bytes) {
        this.out = out;
        this.kind = kind;
        this.what = what.isEmpty() ? "" : " " + what;
        this.files = files;
        this.bytes = bytes;
        shownAt = System.nanoTime() - kind.intervalNanos;
    }

    /** Counts a file, of so many bytes. From any thread. */
    public synchronized void done(long size) {
        filesDone++;
        bytesDone += size;
        long now = System.nanoTime();
        if (kind != Kind.NONE && now - shownAt >= kind.intervalNanos) {
            shownAt = now;
            out.print((kind == Kind.REWRITTEN ? ERASED : "") + text() + (kind == Kind.LINES ? "\n" : ""));
            out.flush();
        }
    }

    private String text() {
        if (files == UNKNOWN) {
            return String.format(Locale.ROOT, "%d files, %.1f MB%s", filesDone, bytesDone / 1e6, what);
        }
        return String.format(Locale.ROOT, "%d of %d files, %.1f of %.1f MB%s", filesDone, files,
                bytesDone / 1e6, bytes / 1e6, what);
    }

    /** Before another line is printed. */
    public synchronized void erase() {
        if (kind == Kind.REWRITTEN) {
            out.print(ERASED);
            out.flush();
        }
    }
}
