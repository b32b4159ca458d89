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
 * A bounded queue of lines, and the thread that makes and writes them. What is offered is written or dropped,
 * and counted as one of these, once. The lock is held only to take from the queue, to put into it, and to
 * count, never while something is made or written, to standard error neither.
 */
final class LineWriter {

    /** How long the first line of a batch waits for others, so that a busy server wakes the thread seldom. */
    private static final long GATHER_MILLIS = 50;

    private static final int BATCH = 256;
    private static final long CLOSE_MILLIS = 2000;

    /** What is queued: a line to be made, and how much memory that holds until then. */
    private record Line(int size, Supplier<String> text) { }

    private final WritableByteChannel out;
    private final int mostQueued;
    private final Thread thread = new Thread(this::run, "access-log");

    /** Guarded by this; so is all that follows. Lines in hand are those of the batch being written. */
    private final ArrayDeque<Line> queue = new ArrayDeque<>();
    private int inHand;
    private long queuedSize;
    private boolean closing;
    private boolean givenUp;
    private long written;
    private long dropped;
    private long reported;

    /** Whether the last write failed: a failure is said once. */
    private boolean failing;

    LineWriter(WritableByteChannel out, int mostQueued) {
        this.out = out;
        this.mostQueued = mostQueued;
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues a line, unless there is no room. */
    synchronized void offer(int size, Supplier<String> text) {
        if (closing || size > mostQueued - queuedSize) {
            dropped++;
            return;
        }
        queue.add(new Line(size, text));
        queuedSize += size;
        // the first wakes the thread, which then gathers others until there are too many to wait
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
            // closed, or given up; there is nothing left to write
            return;
        }
    }

    /** The message of an I/O error says what is wrong, and with which file. */
    private static String told(Throwable failure) {
        boolean said = failure instanceof IOException && failure.getMessage() != null;
        return said ? failure.getMessage() : failure.toString();
    }

    /** The next batch; an empty one at the end. */
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

    /** Writes a batch; answers with what went wrong, or null. */
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

    /** Counts a batch, of which all lines are dropped if it failed; says whether the one before had not. */
    private synchronized boolean count(List<Line> batch, Throwable failure) {
        // when it was given up these have been counted
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

    /** Not when it was given up: the process may end before this thread has said what it took upon itself. */
    private synchronized boolean hasRoom() {
        return queue.isEmpty() && !failing && !givenUp;
    }

    /** When there is room again, and at the end. */
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

    /** The thread ends when its write returns, which a file's does at once. */
    private synchronized void giveUp() {
        givenUp = true;
        dropped += inHand + queue.size();
        inHand = 0;
        queue.clear();
        thread.interrupt();
    }
}
