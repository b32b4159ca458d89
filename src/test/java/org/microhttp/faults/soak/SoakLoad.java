package org.microhttp.faults.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Clients that do all right, each a thread that asks in rounds, until they are told to end. Between rounds
 * most of them can be stopped, so that little is on its way.
 */
final class SoakLoad {

    /** How many failures are kept in words. */
    private static final int TOLD = 20;

    /** Fair, so that who waits for all clients to rest is not passed by the next round. */
    private final ReentrantReadWriteLock rest = new ReentrantReadWriteLock(true);

    private final List<Thread> clients = new ArrayList<>();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    /**
     * What came of a round.
     *
     * @param what in words, for those that failed
     */
    record Round(long requests, long failed, String what) { }

    /** Has a client ask until the end, and pause after each round. */
    void add(String name, long pauseMillis, Callable<Round> round) {
        addRestless(name, pauseMillis, () -> unlessAllRest(round));
    }

    /** One that never rests: a server gives up who is silent for long. */
    void addRestless(String name, long pauseMillis, Callable<Round> round) {
        var client = new Thread(() -> run(name, pauseMillis, round), name);
        client.setDaemon(true);
        clients.add(client);
        client.start();
    }

    private void run(String name, long pauseMillis, Callable<Round> round) {
        while (!ended) {
            try {
                count(name, round.call());
            } catch (Exception e) {
                count(name, new Round(1, 1, "" + e));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
        }
    }

    private Round unlessAllRest(Callable<Round> round) throws Exception {
        rest.readLock().lock();
        try {
            return round.call();
        } finally {
            rest.readLock().unlock();
        }
    }

    private void count(String name, Round round) {
        requests.addAndGet(round.requests());
        failed.addAndGet(round.failed());
        if (round.failed() > 0 && failures.size() < TOLD) {
            failures.add(name + ": " + round.failed() + " of " + round.requests() + ": " + round.what());
        }
    }

    /** Does something while every client rests that may. */
    <T> T atRest(Callable<T> task) throws Exception {
        rest.writeLock().lock();
        try {
            return task.call();
        } finally {
            rest.writeLock().unlock();
        }
    }

    /** Has every client end its round. */
    void end() throws InterruptedException {
        ended = true;
        // who pauses need not go on with that
        clients.forEach(LockSupport::unpark);
        for (Thread client : clients) {
            client.join();
        }
    }

    long requests() {
        return requests.get();
    }

    long failed() {
        return failed.get();
    }

    /** The first failures, in words. */
    List<String> failures() {
        return List.copyOf(failures);
    }
}
