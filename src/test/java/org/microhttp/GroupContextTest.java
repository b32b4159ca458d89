package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.tools.TestServer;

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
            loop.acceptor.close();
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
    void placesAConnectionWhereTheFewestAre(String counts, int accepting, int expected) {
        open(Arrays.stream(counts.split(" ")).mapToInt(Integer::parseInt).toArray());
        int before = open();
        LoopContext chosen = loops.get(expected);
        int fewest = chosen.connectionCount.get();
        assertSame(chosen, group.placeConnection(loops.get(accepting)));
        assertEquals(fewest + 1, chosen.connectionCount.get());
        assertEquals(before + 1, open());
    }

    @Test
    void placesABurstEvenly() {
        for (int i = 0; i < 9; i++) {
            group.placeConnection(loops.get(0));
        }
        loops.forEach(loop -> assertEquals(3, loop.connectionCount.get()));
    }

    @Test
    void placesNothingWithALoopThatLeavesButItsOwn() {
        open(2, 0, 1);
        loops.get(1).leave(0);
        assertSame(loops.get(2), group.placeConnection(loops.get(0)));
        open(2, 0, 1);
        assertSame(loops.get(1), group.placeConnection(loops.get(1)));
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
    void hasThePlaceOfAConnectionAgain() {
        for (int i = 0; i < CONNECTIONS; i++) {
            assertTrue(group.connections.tryTake(1));
        }
        assertFalse(group.connections.tryTake(1));
        group.giveBackPlace(true);
        assertEquals(CONNECTIONS - 1, Inside.used(group.connections));
        group.giveBackPlace(false);
        assertEquals(CONNECTIONS - 2, Inside.used(group.connections));
    }

    @Test
    void tellsEveryAcceptorThatWaitsThatAPlaceIsFree() throws Exception {
        assertTrue(group.connections.tryTake(CONNECTIONS));
        loops.forEach(loop -> loop.acceptor.onReady());
        assertEquals(Long.MAX_VALUE, loops.get(0).nanosToNext(loops.get(0).now()));
        loops.forEach(loop -> loop.tasks.asleep = true);
        group.giveBackPlace(true);
        loops.forEach(loop -> assertEquals(0, loop.nanosToNext(loop.now())));
        // woken: else it would sleep for long
        assertEquals(0, selector.select());
    }

    @Test
    void hasNoLimitWhereNoneIsSet() {
        var free = new GroupContext(new Options());
        assertFalse(free.connections.isLimited());
        assertFalse(free.requests.isLimited());
        assertTrue(free.bytes.isLimited());
        assertEquals(CONNECTIONS, group.connections.limit);
        assertEquals(REQUESTS, group.requests.limit);
        assertEquals(options.bufferLimit(Runtime.getRuntime().maxMemory()), group.bytes.limit);
    }
}
