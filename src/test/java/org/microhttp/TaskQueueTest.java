package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

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

/** Tasks run in their order, on one thread, a turn's share at a time; each runs once, or is refused. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TaskQueueTest {

    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final List<String> ran = new ArrayList<>();
    private final SimulatedSelector selector = new SimulatedSelector(new Machine(0, 0, 0, null));
    private final TaskQueue tasks = new TaskQueue(selector, failures::add);

    private void add(String... names) {
        for (String name : names) {
            assertTrue(tasks.add(() -> ran.add(name)));
        }
    }

    private void assertRan(String... names) {
        assertEquals(List.of(names), ran);
    }

    /** A task that adds another one like it. */
    private void addEndless(String name) {
        tasks.add(() -> {
            ran.add(name);
            addEndless(name + "'");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void tasksRunOnceInTheirOrderHoweverFewATurnMayRun(int most) {
        assertTrue(tasks.isEmpty());
        add("a", "b", "c", "d");
        assertRan();
        for (int count = Math.min(most, 4); ran.size() < 4; count = Math.min(most, 4 - ran.size())) {
            int before = ran.size();
            tasks.run(most);
            assertEquals(before + count, ran.size());
            assertEquals(ran.size() == 4, tasks.isEmpty());
        }
        add("e");
        tasks.run(most);
        tasks.run(most);
        assertRan("a", "b", "c", "d", "e");
        assertEquals(List.of(), List.copyOf(failures));
    }

    /** Otherwise they would keep the loop from its sockets. */
    @Test
    void tasksThatTasksAddWaitForTheNextTurn() {
        addEndless("a");
        add("b");
        tasks.runPresent(100);
        assertRan("a", "b");
        tasks.runPresent(100);
        assertRan("a", "b", "a'");
        add("c");
        tasks.run(2);
        assertRan("a", "b", "a'", "a''", "c");
        assertFalse(tasks.isEmpty());
    }

    /** Its mark does not stay, which would keep the loop awake. */
    @Test
    void aTurnThatIsCutShortLeavesNothing() {
        add("a", "b", "c", "d", "e");
        for (int i = 0; i < 4; i++) {
            tasks.runPresent(2);
        }
        assertTrue(tasks.isEmpty());
    }

    @Test
    void theNextTaskRunsThoughOneFails() {
        tasks.add(() -> {
            throw new Error("wanted");
        });
        add("a");
        tasks.run(100);
        assertRan("a");
        assertEquals("wanted", failures.remove().getMessage());
    }

    /** A loop that is awake looks before it sleeps. Only the loop clears the flag. */
    @Test
    void onlyALoopThatSleepsIsWoken() {
        tasks.thread = Thread.currentThread();
        assertTrue(tasks.isLoopThread());
        ConnectionFixture.elsewhere(() -> add("" + tasks.isLoopThread()));
        ConnectionFixture.elsewhere(tasks::wake);
        assertFalse(selector.isWoken());
        tasks.run(1);
        assertRan("false");
        tasks.asleep = true;
        ConnectionFixture.elsewhere(() -> add("a"));
        assertTrue(selector.isWoken());
        assertTrue(tasks.asleep);
    }

    /** Also those that a turn had no share for, with a mark among them. */
    @Test
    void atTheEndPresentTasksRunAndNewOnesAreRefused() {
        assertFalse(tasks.ended);
        add("a", "b");
        tasks.runPresent(1);
        tasks.add(() -> {
            ran.add("ended: " + tasks.ended);
            ran.add("taken: " + tasks.add(() -> ran.add("never")));
        });
        tasks.close();
        assertRan("a", "b", "ended: true", "taken: false");
        assertFalse(tasks.add(() -> ran.add("never")));
        assertTrue(tasks.isEmpty());
        tasks.run(100);
        tasks.close();
        assertEquals(4, ran.size());
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
}
