package org.microhttp.wire.tools;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.microhttp.tools.RawClient;

/** Sends one byte now and then, from a thread of its own, until it is closed or that fails. */
public final class Trickle implements AutoCloseable {

    public final RawClient client;
    private final ScheduledExecutorService executor = new ScheduledThreadPoolExecutor(1);

    public Trickle(RawClient client, String octet, int everyMillis) {
        this.client = client;
        executor.scheduleAtFixedRate(() -> {
            try {
                client.send(octet);
            } catch (IOException e) {
                executor.shutdown();
            }
        }, everyMillis, everyMillis, TimeUnit.MILLISECONDS);
    }

    /** Waits until nothing can be sent any more. */
    public void awaitFailure(int limitSeconds) throws InterruptedException {
        if (!executor.awaitTermination(limitSeconds, TimeUnit.SECONDS)) {
            fail("the connection still takes bytes after " + limitSeconds + " s");
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
