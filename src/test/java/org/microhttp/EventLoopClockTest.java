package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/**
 * R4: a look at the clock is a call like another, and an Error in it, as of a full stack, costs a connection
 * at most, wherever it strikes.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EventLoopClockTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicInteger looks = new AtomicInteger();

    /** At which look of the loop's thread the clock fails; none, with 0. */
    private volatile int failing;

    /** What the machine's clock shows, unless the loop's thread may not look now. */
    private long look() {
        boolean own = Thread.currentThread().getName().startsWith("loop-");
        if (own && looks.incrementAndGet() == failing) throw new StackOverflowError("wanted");
        return System.nanoTime();
    }

    private TestServer server(Options options) throws Exception {
        return new TestServer(Inside.withClock(options, this::look, System::currentTimeMillis),
                TestServer::echoTarget);
    }

    /** Has the clock fail at the look that is so many looks away. */
    private void failAt(int away) {
        failing = looks.get() + away;
    }

    /** Asks once on a connection of its own, which may be the one that the failure costs. */
    private static void serve(TestServer server) throws Exception {
        server.connect().get("/1").halfClose().readUntilItFails();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void theLoopServesOn(int away) throws Exception {
        try (var server = server(TestServer.options())) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            failAt(away);
            while (looks.get() < failing) {
                serve(server);
            }
            server.assertServes();
            client.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void theLoopLetsGoOfEverythingWhenItIsStopped(int away) throws Exception {
        try (var server = server(TestServer.options())) {
            server.connect().get("/1").expectOk("/1");
            failAt(away);
            server.loop.stop();
            assertNull(server.join());
            Freed.bind(server.port());
        }
    }

    @ParameterizedTest
    @Tier.Gate
    @ValueSource(ints = {1, 3, 5})
    void theLoopLeavesAllTheSame(int away) throws Exception {
        try (var server = server(TestServer.options())) {
            server.connect().get("/1").expectOk("/1");
            failAt(away);
            long began = System.nanoTime();
            assertEquals(0, server.loop.stop(LONG));
            assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(20));
            assertNull(server.join());
        }
    }

    /** Those who are recently used stay for a second, but not for longer than their own time. */
    @Test
    void aConnectionHasNoMoreTimeWhenTheLoopLeaves() throws Exception {
        var options = TestServer.options().withSocketTimeout(Duration.ofMillis(100));
        try (var server = server(options)) {
            server.connect().get("/1").expectOk("/1");
            long began = System.nanoTime();
            assertEquals(0, server.loop.stop(LONG));
            assertTrue(System.nanoTime() - began < TimeUnit.MILLISECONDS.toNanos(900));
        }
    }
}
