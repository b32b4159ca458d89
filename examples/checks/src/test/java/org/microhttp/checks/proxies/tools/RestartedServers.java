package org.microhttp.checks.proxies.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.microhttp.testing.ExampleProcess;

/**
 * Two processes of the example {@code GracefulServer}, each on a port that it keeps when it is restarted, as
 * an operator restarts them: the next one only when the one before listens again.
 */
public final class RestartedServers implements AutoCloseable {

    private static final int PROCESSES = 2;
    private static final int LIMIT_SECONDS = 60;

    private final List<ExampleProcess> processes = new ArrayList<>();

    public RestartedServers() throws IOException {
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(start(0));
            }
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    public List<Integer> ports() {
        return processes.stream().map(process -> process.port).toList();
    }

    /** Restarts each in turn by SIGTERM. They must end in order, and say that no request was dropped. */
    public void restartInTurn() throws IOException, InterruptedException {
        for (int i = 0; i < PROCESSES; i++) {
            ExampleProcess old = processes.get(i);
            old.terminate();
            assertTrue(old.process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), "it does not end");
            assertEquals("stopped, 0 requests dropped", old.output());
            assertEquals("", old.errors());
            // 128 and the number of SIGTERM
            assertEquals(143, old.process.exitValue());
            processes.set(i, start(old.port));
        }
    }

    private ExampleProcess start(int port) throws IOException {
        var started = ExampleProcess.start(
                "-XX:ActiveProcessorCount=2", "GracefulServer", Integer.toString(port));
        try {
            return started.listening();
        } catch (Throwable t) {
            started.process.destroyForcibly();
            throw t;
        }
    }

    @Override
    public void close() {
        processes.forEach(process -> process.process.destroyForcibly());
    }
}
