package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.channels.*;
import java.util.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.TestServer;

/** Which loop a connection goes to, and what is given back when one ends; by loops that never turn. */
class GroupContextTest {

    private static final int CONNECTIONS = 5;
    private static final int REQUESTS = 4;

    private final Options options =
            new Options().withMaxConnections(CONNECTIONS).withMaxPendingRequests(REQUESTS);
    private final GroupContext group = new GroupContext(options);
    private final List<LoopContext> loops = new ArrayList<>();
    private Selector selector;

    @BeforeEach
    void start() throws IOException {
        selector = Selector.open();
        for (int i = 0; i < 3; i++) {
            loops.add(new LoopContext(selector, options, new NoopLogger(), TestServer::echoTarget, group));
            new Acceptor(loops.get(i), selector, options, null);
            group.add(loops.get(i));
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (LoopContext loop : loops) {
            Inside.acceptor(loop).close();
        }
        selector.close();
    }

    private void open(int... counts) {
        for (int i = 0; i < counts.length; i++) {
            loops.get(i).connectionCount.set(counts[i]);
        }
    }

    private int open() {
        return loops.stream().mapToInt(loop -> loop.connectionCount.get()).sum();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0 0 0|0|0", "0 0 0|2|2", "1 0 0|0|1", "1 1 0|0|2", "1 1 0|2|2", "2 1 1|0|1", "5 4 3|1|2",
        "1 5 1|1|0", "3 3 3|1|1", "9 0 9|1|1",
    })
    void placesAConnectionOnTheLoopWithTheFewest(String counts, int accepting, int expected) {
        open(Arrays.stream(counts.split(" ")).mapToInt(Integer::parseInt).toArray());
        int before = open();
        LoopContext chosen = loops.get(expected);
        int fewest = chosen.connectionCount.get();
        assertSame(chosen, group.placeConnection(loops.get(accepting)));
        assertEquals(fewest + 1, chosen.connectionCount.get());
        assertEquals(before + 1, open());
    }

    @Test
    void stoppingLoopTakesOnlyItsOwnConnections() {
        open(2, 0, 1);
        loops.get(1).leave(0);
        assertSame(loops.get(2), group.placeConnection(loops.get(0)));
        open(2, 0, 1);
        assertSame(loops.get(1), group.placeConnection(loops.get(1)));
    }

    /** So a loop that leaves knows all that are on their way to it, also one that is placed just then. */
    @Test
    void stoppingLoopGetsNoNewConnections() {
        LoopContext emptiest = loops.get(1);
        for (int i = 0; i < 100; i++) {
            emptiest.end.leaving = false;
            open(1_000_000, 0, 1_000_000);
            var thread = new Thread(() -> {
                for (int n = 0; n < 3_000; n++) {
                    group.placeConnection(loops.get(0));
                }
            });
            thread.start();
            while (emptiest.connectionCount.get() == 0) {
                Thread.onSpinWait();
            }
            emptiest.leave(0);
            int count = emptiest.connectionCount.get();
            TestServer.join(thread);
            assertEquals(count, emptiest.connectionCount.get());
        }
    }

    @Test
    void placesEachOnceHoweverManyLoopsAccept() {
        List<Thread> threads = new ArrayList<>();
        for (LoopContext loop : loops) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < 10_000; i++) {
                    group.placeConnection(loop);
                }
            }));
        }
        threads.forEach(Thread::start);
        threads.forEach(TestServer::join);
        assertEquals(30_000, open());
        loops.forEach(loop -> assertEquals(10_000, loop.connectionCount.get(), 2));
    }

    @Test
    void wakesEveryAcceptorThatWaitsForAPlace() throws Exception {
        assertTrue(group.connections.tryTake(CONNECTIONS));
        loops.forEach(loop -> Inside.acceptor(loop).onReady());
        assertEquals(Long.MAX_VALUE, Inside.acceptor(loops.get(0)).nanosToNext(loops.get(0).clock.now()));
        loops.forEach(loop -> loop.tasks.asleep = true);
        group.releaseConnection();
        assertEquals(CONNECTIONS - 1, Inside.used(group.connections));
        loops.forEach(loop -> assertEquals(0, Inside.acceptor(loop).nanosToNext(loop.clock.now())));
        // woken: else it would sleep for long
        assertEquals(0, selector.select());
    }

    /** Two loops that release the places that they could not use would otherwise wake each other for ever. */
    @Test
    void aFailedAcceptIsTriedAgainAfterACloseButNotForAPlace() throws Exception {
        LoopContext loop = loops.get(0);
        // so that an accept throws an IOException
        Inside.of(Inside.acceptor(loop), ServerSocketChannel.class).close();
        Inside.acceptor(loop).onReady();
        assertEquals(0, Inside.used(group.connections));
        long before = Inside.acceptor(loop).nanosToNext(loop.clock.now());
        assertTrue(before > 0 && before <= 100_000_000, before + " ns");
        assertTrue(group.connections.tryTake(1));
        group.releaseConnection();
        assertFalse(Inside.acceptor(loop).canGoOn());
        assertEquals(before, Inside.acceptor(loop).nanosToNext(loop.clock.now()));
        assertEquals(0, Inside.acceptor(loop).nanosToNext(loop.clock.now() + before));
        assertTrue(group.connections.tryTake(1));
        loops.get(1).connectionClosed();
        assertTrue(Inside.acceptor(loop).canGoOn());
        assertEquals(0, Inside.acceptor(loop).nanosToNext(loop.clock.now()));
    }

    @Test
    void hasNoLimitByDefault() {
        var free = new GroupContext(new Options().withMaxPendingRequests(Options.NO_LIMIT));
        assertFalse(free.connections.isLimited());
        assertFalse(free.requests.isLimited());
        assertTrue(free.bytes.isLimited());
        assertEquals(CONNECTIONS, group.connections.limit);
        assertEquals(REQUESTS, group.requests.limit);
        assertEquals(options.bufferLimit(Runtime.getRuntime().maxMemory()), group.bytes.limit);
    }
}
