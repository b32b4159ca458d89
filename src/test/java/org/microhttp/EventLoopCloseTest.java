package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.microhttp.tools.TestServer.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.tools.*;

/** Who closes a server that does not end gives up after ten seconds, which pass here as soon as it waits. */
class EventLoopCloseTest {

    /** For one thread, all but the first look at it is later. */
    private static final class PatienceClock extends Clock {

        private volatile Thread waiting;
        private boolean looked;

        @Override
        long nanoTime() {
            long now = super.nanoTime();
            if (Thread.currentThread() != waiting) return now;
            long later = looked ? TimeUnit.SECONDS.toNanos(11) : 0;
            looked = true;
            return now + later;
        }
    }

    private final PatienceClock clock = new PatienceClock();
    private final RecordingLogger log = new RecordingLogger();
    private CountDownLatch blocked;
    private final CountDownLatch released = new CountDownLatch(1);
    private final Handler blocking = (request, callback) -> {
        blocked.countDown();
        await(released);
        callback.accept(TestServer.ok("too late"));
    };

    private Options options() {
        Options options = TestServer.options();
        options.clock = clock;
        return options;
    }

    /** Has a thread of its own close it, and waits for that. */
    private void close(Runnable action) throws Exception {
        var closer = Executors.newSingleThreadExecutor();
        try {
            closer.submit(() -> {
                clock.waiting = Thread.currentThread();
                action.run();
            }).get(8, TimeUnit.SECONDS);
        } finally {
            closer.shutdown();
        }
    }

    /** Once for all of its loops. */
    @ParameterizedTest
    @EnumSource
    void givesUpOnOneThatDoesNotEnd(LoopOrGroup.Kind kind) throws Exception {
        blocked = new CountDownLatch(kind.loops);
        var server = kind.make(options(), log, blocking, kind.loops);
        var thread = new Thread(server::start);
        thread.start();
        List<RawClient> clients = new ArrayList<>();
        try {
            // one on each loop, as the emptiest gets the next, before one of them is blocked
            for (int i = 1; i <= kind.loops; i++) {
                clients.add(new RawClient(server.port()));
                log.await("accept", i);
            }
            for (RawClient client : clients) {
                client.get("/");
            }
            blocked.await();
            close(server::close);
            assertTrue(thread.isAlive());
            assertEquals(kind.loops, log.count("leave_timeout"));
            assertEquals("1", log.await("leave_timeout").value("requests"));
        } finally {
            released.countDown();
        }
        TestServer.join(thread);
        for (RawClient client : clients) {
            client.close();
        }
        Freed.bind(server.port());
    }
}
