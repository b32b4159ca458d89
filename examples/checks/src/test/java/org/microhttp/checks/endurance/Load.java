package org.microhttp.checks.endurance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Clients that do all right, each a thread that asks in rounds, until they are to end. Between rounds most of
 * them can be stopped, so that little is on its way.
 */
final class Load {

    /** Fair, so that a row which waits for all clients to rest is not passed by the next round. */
    private final ReentrantReadWriteLock rest = new ReentrantReadWriteLock(true);

    private final List<Thread> clients = new ArrayList<>();
    private final Report report;
    private volatile boolean ended;

    Load(Report report) {
        this.report = report;
    }

    /**
     * What came of a round.
     *
     * @param what in words, for those that failed
     */
    record Round(long requests, long failed, String what) {

        /** One request that was answered. */
        static final Round RIGHT = new Round(1, 0, "");

        /** Of one whose requests are counted elsewhere. */
        static final Round COUNTED = new Round(0, 0, "");
    }

    /** Has a client ask until the end, and pause after each round. */
    void add(String name, long pauseMillis, Callable<Round> round) {
        addRestless(name, pauseMillis, () -> unlessAllRest(round));
    }

    /** One that never rests: a server gives up a client that is silent for long. */
    void addRestless(String name, long pauseMillis, Callable<Round> round) {
        var client = new Thread(() -> run(name, pauseMillis, round), name);
        client.setDaemon(true);
        clients.add(client);
        client.start();
    }

    private Round unlessAllRest(Callable<Round> round) throws Exception {
        rest.readLock().lock();
        try {
            return round.call();
        } finally {
            rest.readLock().unlock();
        }
    }

    private void run(String name, long pauseMillis, Callable<Round> task) {
        while (!ended) {
            try {
                Round round = task.call();
                report.asked(name, round.requests, round.failed, round.what);
            } catch (Exception | AssertionError e) {
                report.asked(name, 1, 1, "" + e);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
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
        // a client that pauses need not go on with that
        clients.forEach(LockSupport::unpark);
        for (Thread client : clients) {
            client.join();
        }
    }
}
