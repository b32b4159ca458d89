package org.microhttp.checks.faults.chaos;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.microhttp.Handler;
import org.microhttp.Request;

/**
 * Which requests a handler has in its hands, counted apart from the server's own count. A request is in them
 * from the call until just before its answer or failure, or until {@code handlerTimeout} is over by the
 * server's clock, whatever its client does meanwhile. One that waits for a thread of {@link Handler#blocking}
 * is in them only until it is abandoned. So this count is never above the true one, and the places that the
 * server has given out are never fewer.
 */
final class ChaosHands {

    /** One request that was handed over. */
    static final class Held {

        final ChaosRequest request;
        private final long began;
        private volatile long answered;

        /** While it waits for a thread. */
        private volatile Request waiting;

        private Held(ChaosRequest request, long began) {
            this.request = request;
            this.began = began;
        }

        /** It waits for a thread from now on. */
        void await(Request request) {
            waiting = request;
        }

        /** A thread has it. */
        void begin() {
            waiting = null;
        }

        private boolean isAbandoned() {
            Request request = waiting;
            return request != null && request.isAbandoned();
        }

        /** Takes down that the callback has returned. */
        void answered() {
            answered = System.nanoTime();
        }
    }

    private final ChaosLedger ledger;
    private final ChaosServer server;
    private final int most;
    private final long timeout;
    private final Set<Held> held = new HashSet<>();
    private final Map<Long, Held> seen = new ConcurrentHashMap<>();

    ChaosHands(ChaosLedger ledger, ChaosLimits limits, ChaosServer server) {
        this.ledger = ledger;
        this.server = server;
        most = limits.pending;
        timeout = limits.handling.toNanos();
    }

    /** @param began the server's time, from which it counts {@code handlerTimeout} */
    synchronized Held take(ChaosRequest request, long began) {
        var taken = new Held(request, began);
        held.add(taken);
        ledger.check(seen.put(request.id(), taken) == null, "handed over twice", "" + request);
        check();
        return taken;
    }

    synchronized void release(Held done) {
        held.remove(done);
    }

    /**
     * Compares with the limit, and with the server's count, which is read first as it may fall by time. A
     * server that has ended needs no places.
     */
    synchronized void check() {
        long taken = server.occupancy.requests();
        boolean serving = server.occupancy.isServing();
        long now = System.nanoTime();
        held.removeIf(request -> now - request.began >= timeout || request.isAbandoned());
        int count = held.size();
        ledger.check(count <= most, "maxPendingRequests", count + " pending of " + most);
        boolean kept = count <= taken || !serving;
        ledger.check(kept, "places", count + " pending, but " + taken + " places are taken");
    }

    /** Whether the handler was called with this request. */
    boolean hasSeen(long id) {
        return seen.containsKey(id);
    }

    /** Whether the answer was late or is missing, so that the server may have given up. */
    boolean isLate(long id) {
        Held one = seen.get(id);
        long answered = one.answered == 0 ? System.nanoTime() : one.answered;
        return answered - one.began >= timeout / 2;
    }
}
