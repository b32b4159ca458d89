package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.simulation.network.Machine;
import org.microhttp.simulation.network.SimulatedSelector;
import org.microhttp.testing.TestServer;

/** Tasks run in their order, on one thread, a turn's share at a time; and none is lost, or it is said. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TaskQueueTest {

    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final List<String> ran = new ArrayList<>();
    private Selector selector;
    private TaskQueue tasks;

    @BeforeEach
    void start() throws IOException {
        selector = Selector.open();
        tasks = new TaskQueue(selector, failures::add);
    }

    @AfterEach
    void stop() throws IOException {
        selector.close();
    }

    private void add(String... names) {
        for (String name : names) {
            assertTrue(tasks.add(() -> ran.add(name)));
        }
    }

    private void assertRan(String... names) {
        assertEquals(List.of(names), ran);
    }

    /** A task of which another comes, which is like it. */
    private void addEndless(String name) {
        tasks.add(() -> {
            ran.add(name);
            addEndless(name + "'");
        });
    }

    @Test
    void runsThemInTheirOrder() {
        assertTrue(tasks.isEmpty());
        add("a", "b", "c");
        assertFalse(tasks.isEmpty());
        assertRan();
        tasks.run(100);
        assertRan("a", "b", "c");
        assertTrue(tasks.isEmpty());
        tasks.run(100);
        assertEquals(3, ran.size());
        assertEquals(List.of(), List.copyOf(failures));
    }

    @Test
    void endsATurnThoughEachTaskMakesAnother() {
        addEndless("a");
        addEndless("b");
        tasks.run(3);
        assertRan("a", "b", "a'");
        tasks.run(2);
        assertRan("a", "b", "a'", "b'", "a''");
        assertFalse(tasks.isEmpty());
    }

    @Test
    void runsAsManyInATurnAsItMay() {
        add("a", "b", "c", "d", "e");
        tasks.run(2);
        assertRan("a", "b");
        assertFalse(tasks.isEmpty());
        add("f");
        tasks.run(100);
        assertRan("a", "b", "c", "d", "e", "f");
        assertTrue(tasks.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void comesToTheEndHoweverFewATurnMayRun(int most) {
        add("a", "b", "c", "d", "e");
        int turns = 0;
        for (; !tasks.isEmpty(); turns++) {
            int before = ran.size();
            tasks.run(most);
            assertTrue(ran.size() <= before + most);
        }
        assertRan("a", "b", "c", "d", "e");
        assertTrue(turns <= 5 / most + 2, turns + " turns");
    }

    @Test
    void goesOnBehindOneThatFails() throws InterruptedException {
        tasks.add(() -> {
            throw new Error("wanted");
        });
        add("a");
        tasks.run(100);
        assertRan("a");
        assertEquals("wanted", failures.take().getMessage());
    }

    @Test
    void knowsItsThread() {
        assertFalse(tasks.isLoopThread());
        tasks.thread = Thread.currentThread();
        assertTrue(tasks.isLoopThread());
        ScriptedLoop.elsewhere(() -> ran.add("" + tasks.isLoopThread()));
        assertRan("false");
    }

    /** The selector would sleep until the test is given up. */
    @Test
    void wakesALoopThatSleeps() throws Exception {
        tasks.thread = Thread.currentThread();
        tasks.asleep = true;
        ScriptedLoop.elsewhere(() -> add("a"));
        assertEquals(0, selector.select());
        ScriptedLoop.elsewhere(tasks::wake);
        assertEquals(0, selector.select());
    }

    /** It looks before it sleeps, so a turn would be for nothing. The flag is for the loop alone to clear. */
    @Test
    void doesNotWakeALoopThatIsAwake() throws Exception {
        var selector = new SimulatedSelector(new Machine(0, 0, 0, null));
        var own = new TaskQueue(selector, failures::add);
        own.thread = Thread.currentThread();
        own.add(() -> { });
        ScriptedLoop.elsewhere(() -> own.add(() -> { }));
        ScriptedLoop.elsewhere(own::wake);
        assertFalse(selector.isWoken());
        own.asleep = true;
        ScriptedLoop.elsewhere(own::wake);
        assertTrue(selector.isWoken());
        assertTrue(own.asleep);
    }

    @Test
    void runsAtTheEndWhatIsHereAndRefusesWhatComesOfIt() {
        add("a", "b");
        tasks.add(() -> {
            ran.add("ended: " + tasks.ended);
            ran.add("taken: " + tasks.add(() -> ran.add("never")));
        });
        assertFalse(tasks.ended);
        tasks.run(1);
        tasks.close();
        assertRan("a", "b", "ended: true", "taken: false");
        assertTrue(tasks.isEmpty());
    }

    /** A mark is in the queue, and a task behind it. */
    @Test
    void runsAtTheEndWhatATurnHadNoShareFor() {
        add("a", "b");
        tasks.run(1);
        add("c");
        tasks.close();
        assertRan("a", "b", "c");
        assertTrue(tasks.isEmpty());
    }

    @Test
    void takesNoneAfterTheEnd() {
        tasks.close();
        assertFalse(tasks.add(() -> ran.add("never")));
        assertTrue(tasks.isEmpty());
        tasks.run(100);
        tasks.close();
        assertRan();
    }

    /** Four threads add until they are refused, while the loop comes to its end. */
    @RepeatedTest(50)
    void runsEveryTaskThatItTookHoweverManyThreadsAdd() {
        var taken = new AtomicInteger();
        var done = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                while (tasks.add(new Once(done))) {
                    taken.incrementAndGet();
                    // else a busy machine may never come to the end of what they add
                    while (taken.get() - done.get() > 10_000) {
                        Thread.yield();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        while (done.get() < 1_000) {
            tasks.run(100);
        }
        tasks.close();
        threads.forEach(TestServer::join);
        assertEquals(taken.get(), done.get());
        assertTrue(tasks.isEmpty());
        assertEquals(List.of(), List.copyOf(failures));
    }

    /** A task that is run once. */
    private static final class Once extends AtomicBoolean implements Runnable {

        private static final long serialVersionUID = 1;
        private final transient AtomicInteger done;

        Once(AtomicInteger done) {
            this.done = done;
        }

        @Override
        public void run() {
            if (getAndSet(true)) throw new IllegalStateException("once more");
            done.incrementAndGet();
        }
    }

    /** Else a task that adds another would keep the loop from its sockets. */
    @Test
    void tasksThatTasksAddWaitForTheNextTurn() {
        var ran = new ArrayList<Integer>();
        Runnable[] again = new Runnable[1];
        again[0] = () -> {
            ran.add(ran.size());
            tasks.add(again[0]);
        };
        tasks.add(again[0]);
        tasks.add(() -> ran.add(-1));
        tasks.runPresent(100);
        assertEquals(List.of(0, -1), ran);
        tasks.runPresent(100);
        assertEquals(List.of(0, -1, 2), ran);
    }

    /** The mark is not left behind, which would keep the loop awake. */
    @Test
    void aTurnThatIsCutShortLeavesNothingBehind() {
        for (int i = 0; i < 5; i++) {
            tasks.add(() -> { });
        }
        tasks.runPresent(2);
        tasks.runPresent(2);
        tasks.runPresent(2);
        tasks.runPresent(2);
        assertTrue(tasks.isEmpty());
    }
}
