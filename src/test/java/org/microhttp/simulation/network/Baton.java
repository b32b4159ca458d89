package org.microhttp.simulation.network;

import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Says which thread runs. With one loop there is nothing to hand on. Those of a group come here for the first
 * time when they look at the clock, and wait until all are here; later each waits in its selector. When a
 * loop has ended, its thread goes on to its end, or to where it waits for the others, before another runs.
 */
final class Baton {

    /** A thread, and what it waits for. */
    final class Runner {

        final Thread thread = Thread.currentThread();
        SimulatedSelector selector;
        long until;
        boolean started;

        boolean mayRun(long now) {
            if (!started) return true;
            return until <= now || selector.isWoken() || thread.isInterrupted() || selector.hasReady();
        }
    }

    private final Machine machine;
    private final List<Runner> waiting = new ArrayList<>();

    /** Not thread-local, for a thread lives longer than a machine. */
    private final Map<Thread, Runner> runners = new ConcurrentHashMap<>();
    private int expected = 1;
    private volatile Runner holder;

    /** The only one, of a loop by itself. */
    private Runner alone;

    Baton(Machine machine) {
        this.machine = machine;
    }

    private Runner own() {
        return runners.get(Thread.currentThread());
    }

    /** So many loops are about to start. */
    synchronized void expect(int loops) {
        expected = loops;
        if (loops == 1) {
            alone = new Runner();
            alone.started = true;
        }
    }

    /** Lets a thread of a group that is new here wait for its turn; who runs, goes on. */
    void await() {
        if (alone != null || expected == 1 || own() != null) return;
        var runner = new Runner();
        runners.put(Thread.currentThread(), runner);
        arrive(runner);
        parkUntilHeld(runner);
    }

    private synchronized void arrive(Runner runner) {
        waiting.add(runner);
        if (waiting.size() < expected) return;
        // threads come in any order, and must not go on in any
        waiting.sort(Comparator.comparing(r -> r.thread.getName()));
        handTo(machine.next(waiting));
    }

    private void parkUntilHeld(Runner runner) {
        while (holder != runner) {
            LockSupport.park(this);
        }
    }

    private void handTo(Runner next) {
        waiting.remove(next);
        next.started = true;
        holder = next;
        LockSupport.unpark(next.thread);
    }

    /** The calling thread has come to its selector: whoever may go on does, perhaps itself. */
    void rest(SimulatedSelector selector, long until) {
        if (alone != null) {
            alone.selector = selector;
            alone.until = until;
            waiting.clear();
            waiting.add(alone);
            machine.next(waiting);
            return;
        }
        Runner runner = own();
        runner.selector = selector;
        runner.until = until;
        waiting.add(runner);
        handTo(machine.next(waiting));
        parkUntilHeld(runner);
    }

    /** The calling thread's loop has ended. */
    void leave() {
        if (alone != null || own() == null || waiting.isEmpty()) return;
        Thread leaving = Thread.currentThread();
        var reaper = new Thread(() -> {
            Thread.State state = leaving.getState();
            while (state != Thread.State.TERMINATED && state != Thread.State.WAITING) {
                Thread.yield();
                state = leaving.getState();
            }
            handTo(machine.next(waiting));
        }, "reaper");
        reaper.setDaemon(true);
        reaper.start();
    }
}
