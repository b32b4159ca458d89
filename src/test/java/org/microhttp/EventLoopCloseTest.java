package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.microhttp.tools.TestServer.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.Freed;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RecordingLogger;
import org.microhttp.tools.TestServer;

/** Who closes a server that does not end gives up after ten seconds, which pass here as soon as it waits. */
class EventLoopCloseTest {

    private static final int LOOPS = 3;

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
    private final CountDownLatch blocked = new CountDownLatch(LOOPS);
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

    @Test
    void givesUpOnALoopThatDoesNotEnd() throws Exception {
        var loop = new EventLoop(options(), log, blocking);
        var thread = new Thread(loop::start);
        thread.start();
        try (var client = new RawClient(loop.getPort())) {
            client.get("/");
            log.await("read_request");
            close(loop::close);
            assertTrue(thread.isAlive());
            assertEquals("1", log.await("leave_timeout").value("requests"));
        } finally {
            released.countDown();
        }
        TestServer.join(thread);
        Freed.bind(loop.getPort());
    }

    /** Once for all of its loops. */
    @Test
    void givesUpOnAGroupThatDoesNotEnd() throws Exception {
        var group = new EventLoopGroup(options(), log, blocking, LOOPS);
        var thread = new Thread(group::start);
        thread.start();
        List<RawClient> clients = new ArrayList<>();
        try {
            // one on each loop, as the emptiest gets the next, before one of them is blocked
            for (int i = 1; i <= LOOPS; i++) {
                clients.add(new RawClient(group.getPort()));
                log.await("accept", i);
            }
            for (RawClient client : clients) {
                client.get("/");
            }
            blocked.await();
            close(group::close);
            assertTrue(thread.isAlive());
            assertEquals(LOOPS, log.count("leave_timeout"));
        } finally {
            released.countDown();
        }
        TestServer.join(thread);
        for (RawClient client : clients) {
            client.close();
        }
        Freed.bind(group.getPort());
    }
}
