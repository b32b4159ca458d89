package org.microhttp.testing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** A call of {@code stop(grace)} on a thread of its own, which waits until the loop has ended. */
public final class PendingStop {

    private static final int LIMIT_SECONDS = 50;

    final Thread thread;
    private final CompletableFuture<Integer> dropped = new CompletableFuture<>();

    public PendingStop(IntSupplier stop) {
        thread = new Thread(() -> {
            try {
                dropped.complete(stop.getAsInt());
            } catch (Throwable t) {
                dropped.completeExceptionally(t);
            }
        }, "stopping");
        thread.start();
    }

    /** Returns when it waits for the end, so that the loop knows that it has to stop. */
    public PendingStop awaitWaiting() {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return this;
    }

    /** What it returned, when it has. */
    public int dropped() throws Exception {
        return dropped.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
