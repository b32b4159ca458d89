package org.microhttp.checks.faults.chaos;

import java.util.concurrent.locks.LockSupport;
import org.microhttp.Occupancy;

/**
 * Looks from a thread of its own, every few milliseconds, whether a server keeps its limits; and how late it
 * gets to look, which says how slow the machine is.
 */
final class ChaosWatch extends Thread {

    private static final long PERIOD_NANOS = 2_000_000;

    private final ChaosLedger ledger;
    private final ChaosLimits limits;
    private final ChaosServer server;
    private final ChaosHands hands;
    private volatile boolean ended;
    private volatile long latest;

    ChaosWatch(ChaosLedger ledger, ChaosLimits limits, ChaosServer server, ChaosHands hands) {
        super("chaos-watch");
        this.ledger = ledger;
        this.limits = limits;
        this.server = server;
        this.hands = hands;
    }

    @Override
    public void run() {
        while (!ended) {
            long began = System.nanoTime();
            LockSupport.parkNanos(PERIOD_NANOS);
            latest = Math.max(latest, System.nanoTime() - began - PERIOD_NANOS);
            look();
        }
    }

    private void look() {
        Occupancy occupied = server.occupancy;
        check("maxBufferedBytes", occupied.bytes(), limits.bytes);
        check("maxConnections", occupied.connections(), limits.connections);
        check("maxPendingRequests", occupied.requests(), limits.pending);
        // of several loops one may have closed a connection and another opened one between two looks
        if (limits.loops == 1) {
            check("maxConnections", server.itself.stats().connections(), limits.connections);
        }
        hands.check();
    }

    private void check(String limit, long used, long most) {
        ledger.check(used >= 0 && used <= most, limit, used + " of " + most);
    }

    /** How many nanoseconds a thread of this machine had to wait beyond its time, at most. */
    long latest() {
        return latest;
    }

    void end() throws InterruptedException {
        ended = true;
        join();
    }
}
