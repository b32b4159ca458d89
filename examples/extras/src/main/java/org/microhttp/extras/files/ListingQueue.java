package org.microhttp.extras.files;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Lists few folders at a time on the threads of another executor, whose other threads stay free for files: a
 * large folder takes long. A waiting listing holds no thread.
 */
final class ListingQueue implements Executor {

    private static final int TOGETHER = 2;
    private static final int MOST_WAITING = 100;

    private final Executor executor;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    ListingQueue(Executor executor) {
        this.executor = executor;
    }

    /** @throws RejectedExecutionException if too many listings wait, or the other executor rejects it */
    @Override
    public void execute(Runnable listing) {
        synchronized (this) {
            if (running == TOGETHER) {
                if (waiting.size() == MOST_WAITING) {
                    throw new RejectedExecutionException("too many listings wait");
                }
                waiting.add(listing);
                return;
            }
            running++;
        }
        begin(listing);
    }

    private void begin(Runnable listing) {
        boolean taken = false;
        try {
            executor.execute(() -> run(listing));
            taken = true;
        } finally {
            if (!taken) {
                end();
            }
        }
    }

    private void run(Runnable listing) {
        try {
            listing.run();
        } finally {
            Runnable next = next();
            if (next != null) {
                begin(next);
            }
        }
    }

    /** Null if no listing waits; then one less runs. */
    private synchronized Runnable next() {
        Runnable next = waiting.poll();
        if (next == null) {
            running--;
        }
        return next;
    }

    private synchronized void end() {
        running--;
    }
}
