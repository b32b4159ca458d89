package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.*;
import org.microhttp.testing.RawClient;

/** Sends a byte every 20 ms, from a thread of its own, until it is closed or that fails. */
final class Trickle implements AutoCloseable {

    final RawClient client;
    private final ScheduledExecutorService executor = new ScheduledThreadPoolExecutor(1);

    Trickle(RawClient client) {
        this.client = client;
        executor.scheduleAtFixedRate(() -> {
            try {
                client.send("x");
            } catch (IOException e) {
                executor.shutdown();
            }
        }, 20, 20, TimeUnit.MILLISECONDS);
    }

    /** Waits until nothing can be sent any more. */
    void awaitFailure() throws InterruptedException {
        assertTrue(executor.awaitTermination(60, TimeUnit.SECONDS), "the connection still takes bytes");
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
