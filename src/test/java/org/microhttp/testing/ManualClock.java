package org.microhttp.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.*;

/** The machine's clock, and beside what passes on it what a test lets pass at once. */
public final class ManualClock {

    private final AtomicLong passed = new AtomicLong();

    /** Has a server that is made with these options see this clock. */
    public Options in(Options options) {
        return Inside.withClock(options, () -> System.nanoTime() + passed.get(), System::currentTimeMillis);
    }

    public void pass(Duration time) {
        passed.addAndGet(time.toNanos());
    }

    /** Returns when each loop has seen what time it is, and done what is due. */
    public void pass(Server server, Duration time) throws ReflectiveOperationException {
        pass(time);
        for (EventLoop loop : Inside.loops(server)) {
            var done = new CountDownLatch(1);
            Inside.executeWhenDueIsDone(loop, done::countDown);
            TestServer.await(done);
        }
    }
}
