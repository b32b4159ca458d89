package org.microhttp.extras.accesslog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A bounded queue of lines, and the thread that makes and writes them. Each offered line is either written or
 * dropped, and counted once. The lock is held only to use the queue and to count, never while a line is made
 * or written, or while something is reported on standard error.
 */
final class LineWriter {

    /** How long the first line of a batch waits for others, so that a busy server seldom wakes the thread. */
    private static final long GATHER_MILLIS = 50;

    private static final int BATCH = 256;
    private static final long CLOSE_MILLIS = 2000;

    /** A line to be made, and how many bytes of memory it holds until then. */
    private record Line(int size, Supplier<String> text) { }

    private final WritableByteChannel out;
    private final int mostQueued;
    private final Thread thread = new Thread(this::run, "access-log");

    /** Guarded by this, as are the fields below. Lines in hand are those of the batch being written. */
    private final ArrayDeque<Line> queue = new ArrayDeque<>();
    private int inHand;
    private long queuedSize;
    private boolean closing;
    private boolean givenUp;
    private long written;
    private long dropped;
    private long reported;

    /** Whether the last write failed: of several failures in a row, only the first is reported. */
    private boolean failing;

    LineWriter(WritableByteChannel out, int mostQueued) {
        this.out = out;
        this.mostQueued = mostQueued;
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues a line; drops it if the queue is full or closed. */
    synchronized void offer(int size, Supplier<String> text) {
        if (closing || size > mostQueued - queuedSize) {
            dropped++;
            return;
        }
        queue.add(new Line(size, text));
        queuedSize += size;
        // the first line wakes the thread, which then waits for others until the queue is half full
        if (queue.size() == 1 || isMuch()) {
            notifyAll();
        }
    }

    private boolean isMuch() {
        return queuedSize > mostQueued / 2;
    }

    private void run() {
        try (out) {
            for (List<Line> batch = take(); !batch.isEmpty(); batch = take()) {
                Throwable failure = write(batch);
                if (count(batch, failure)) {
                    say("cannot write, and drops what comes: " + told(failure));
                }
                if (hasRoom()) {
                    reportDropped();
                }
            }
        } catch (IOException | InterruptedException e) {
            // the output cannot be closed, or the log was given up: there is nothing left to write
            return;
        }
    }

    /** The message of an I/O error already says what is wrong, and with which file. */
    private static String told(Throwable failure) {
        boolean said = failure instanceof IOException && failure.getMessage() != null;
        return said ? failure.getMessage() : failure.toString();
    }

    /** Waits for the next batch; it is empty after the last one. */
    private synchronized List<Line> take() throws InterruptedException {
        while (queue.isEmpty() && !closing) {
            wait();
        }
        if (!closing && queue.size() < BATCH) {
            wait(GATHER_MILLIS);
        }
        List<Line> batch = new ArrayList<>();
        while (!queue.isEmpty() && batch.size() < BATCH) {
            batch.add(queue.remove());
        }
        inHand = batch.size();
        return batch;
    }

    /** Writes a batch; returns what went wrong, or null. */
    private Throwable write(List<Line> batch) {
        try {
            var text = new StringBuilder();
            for (Line line : batch) {
                text.append(line.text().get());
            }
            ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text.toString());
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            return null;
        } catch (Exception | OutOfMemoryError e) {
            return e;
        }
    }

    /** Counts a batch, all as dropped if it failed; says whether this is the first failure in a row. */
    private synchronized boolean count(List<Line> batch, Throwable failure) {
        // giveUp has counted these lines
        if (givenUp) {
            return false;
        }
        inHand = 0;
        batch.forEach(line -> queuedSize -= line.size());
        if (failure == null) {
            written += batch.size();
        } else {
            dropped += batch.size();
        }
        boolean first = failure != null && !failing;
        failing = failure != null;
        return first;
    }

    /** False once given up: close reports then, because the process may end before this thread can. */
    private synchronized boolean hasRoom() {
        return queue.isEmpty() && !failing && !givenUp;
    }

    /** Called when there is room again, and at the end. */
    private void reportDropped() {
        long count;
        synchronized (this) {
            count = dropped - reported;
            reported = dropped;
        }
        if (count > 0) {
            say(count + " lines dropped");
        }
    }

    private static void say(String what) {
        System.err.println("access log: " + what);
    }

    synchronized long written() {
        return written;
    }

    synchronized long dropped() {
        return dropped;
    }

    void close() {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            giveUp();
        }
        reportDropped();
    }

    /** Drops all lines. The thread ends when its write returns; that of a file returns at once. */
    private synchronized void giveUp() {
        givenUp = true;
        dropped += inHand + queue.size();
        inHand = 0;
        queue.clear();
        thread.interrupt();
    }
}
