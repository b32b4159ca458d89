package org.microhttp.simulation;

import java.util.ArrayList;
import java.util.List;
import org.microhttp.Occupancy;

/** What clients occupy, counted from outside, and held to what the server counts and to its limits. */
final class Ledger {

    private static final long MILLI = 1_000_000;
    private static final long RETRY = 100 * MILLI;

    /** The timers have many slots, which are not looked at in every rest. */
    private static final int BETWEEN_LOOKS = 50;

    private final World world;
    private final Conditions conditions;
    private final int maxConnections, maxPending;
    private final DroppedRequests dropped;
    final Arrivals arrivals;
    private final List<HandledRequest> pending = new ArrayList<>();
    private int open, accepted, rests;

    /** How many bodies are received: each has a place for its request. */
    private int receiving;
    private long keptLow, keptHigh;
    long fullAt = -1, acceptFailedAt = -RETRY, freedAt = -RETRY;

    Ledger(World world) {
        this.world = world;
        conditions = world.conditions;
        maxConnections = conditions.settings().maxConnections();
        maxPending = conditions.settings().maxPending();
        dropped = new DroppedRequests(world);
        arrivals = new Arrivals(world);
    }

    void onAccept(SimulatedConnection life, int loop) {
        arrivals.onAccept(life, loop);
        open++;
        world.idleness.onProgress();
        accepted++;
        life.accepted = true;
        if (life.stranger) world.turns.touch(life);
        if (open > maxConnections) world.broken(life, "accepted above maxConnections");
    }

    /** How many deadlines there may be. */
    int entries() {
        return open + pending.size() + conditions.loops();
    }

    /** So much more, or less, is kept of what clients have sent and not read. */
    void onKept(long lowMore, long highMore) {
        keptLow += lowMore;
        keptHigh += highMore;
    }

    boolean hasPlace() {
        return open < maxConnections;
    }

    void onAcceptFailed() {
        acceptFailedAt = world.machine.now();
    }

    void onClosed(SimulatedConnection life) {
        if (!life.accepted) return;
        open--;
        if (life.stranger) accepted--;
        life.kept.clear(this);
        world.idleness.onProgress();
        freedAt = world.machine.now();
        if (world.isEnding()) dropped.count(life);
    }

    /** The handler gets a request: there must have been a place for it. */
    void onHanded(HandledRequest asked) {
        if (!conditions.limitsPending()) return;
        onReserve(asked.life);
        pending.add(asked);
    }

    /** A request takes a place, when it is handed over or its body is about to come. */
    void onReserve(SimulatedConnection life) {
        if (!conditions.limitsPending()) return;
        long sure = surelyPending(world.machine.now());
        boolean above = sure >= maxPending && !world.faults.clockEverStruck;
        life.brokenIf(above, "handed over above maxPendingRequests");
        if (sure + 1 == maxPending) fullAt = world.turns.begin();
    }

    /** One body more, or less, is received. */
    void onReceiving(int more) {
        if (isFull()) fullAt = world.machine.now();
        receiving += more;
    }

    void onGiven(HandledRequest asked) {
        if (pending.contains(asked) && isFull()) fullAt = world.machine.now();
    }

    /** How many have a place for certain at this time; forgets those that have none any more. */
    private long surelyPending(long now) {
        pending.removeIf(one -> one.released);
        return receiving + pending.stream().filter(one -> one.isOwed() && now < one.dueLow()).count();
    }

    private boolean isFull() {
        return pending.size() + receiving >= maxPending;
    }

    /** Whether there may have been no place in this turn. */
    boolean wasFull() {
        return isFull() || fullAt >= world.turns.begin();
    }

    /** Whether there may have been no place at some time. */
    boolean everFull() {
        return isFull() || fullAt >= 0;
    }

    /** Whether all loops have begun to leave. */
    boolean isLeavingKnown() {
        return !world.server.occupancy.hasTasks();
    }

    /** All loops sleep. */
    void checkRest() {
        Occupancy occupancy = world.server.occupancy;
        world.brokenIf(occupancy.hasTasks(), "sleeps though there are tasks");
        long counted = occupancy.openCount();
        if (counted != open) world.broken("counts " + counted + " connections of " + open);
        if (conditions.limitsConnections() && occupancy.connections() != open) {
            world.broken(occupancy.connections() + " places are taken by " + open);
        }
        long bytes = occupancy.bytes();
        boolean whole = !world.faults.clockEverStruck && !world.turns.ended;
        boolean wrong = bytes > keptHigh || whole && bytes < keptLow;
        if (wrong) world.broken(bytes + " bytes are kept, not " + keptLow + " to " + keptHigh);
        if (conditions.limitsPending() && !world.turns.ended) checkPending(occupancy.requests());
        checkAccepting();
        rests++;
        if (rests % BETWEEN_LOOKS == 0) checkTimers(occupancy);
        world.brokenIf(world.leaving && open == 0 && world.machine.now() - acceptFailedAt > 2 * RETRY
                && world.turns.begin() > world.turns.leftBy(),
                "stays though nothing is left");
    }

    /** One for each connection, and for each that has ended and has a place still. */
    private void checkTimers(Occupancy occupancy) {
        long ghosts = pending.stream().filter(one -> one.life.closed || one.life.outputEnded).count();
        long filed = occupancy.deadlines();
        if (filed < open || filed > open + ghosts) world.broken(filed + " deadlines for " + open);
    }

    private void checkPending(long taken) {
        // in a long turn the loop may see that a request's time is over, or not before the next turn
        long sure = surelyPending(world.machine.now());
        long now = world.turns.begin();
        // a place whose time is over when its connection ends is released in the tick after that
        long slack = 2 * world.resolution + 2 * MILLI;
        long most = receiving + pending.stream().filter(one -> now < one.dueHigh() + slack).count();
        // if the time of a call is not known, its place may be released early
        boolean early = taken < sure && !world.faults.clockEverStruck;
        if (early || taken > most) {
            world.broken(taken + " requests are pending, not " + sure + " to " + most);
        }
        if (taken > maxPending) world.broken(taken + " requests are pending");
    }

    private void checkAccepting() {
        boolean wanted = world.machine.listeners(world.port()).stream().anyMatch(l -> l.waiting() > 0);
        if (!wanted || world.leaving || open >= maxConnections) return;
        boolean waits = world.turns.begin() <= acceptFailedAt + RETRY + 2 * MILLI;
        boolean freed = freedAt > acceptFailedAt && world.machine.descriptors() < conditions.descriptors();
        world.brokenIf(!waits || freed, "does not accept");
    }

    /** What is said to be unanswered: who is owed an answer, and perhaps who has not read one. */
    void checkUnanswered(int count) {
        int low = 0;
        int high = 0;
        for (SimulatedConnection life : world.lives) {
            Promises promises = life.promises;
            if (life.closed || life.outputEnded || life.selector == null) continue;
            boolean sure = promises.isOwed() && world.machine.now() < promises.current().dueLow();
            low += sure ? 1 : 0;
            boolean perhaps = promises.isOwed() || !promises.isAllSent() || promises.isVague();
            // some may be turned away, and that not seen yet
            int known = Math.max(promises.handed, life.plan.whole(life.read));
            high += perhaps ? 1 + known - promises.finished : 0;
        }
        boolean wrong = count < low || count > high;
        if (wrong) world.broken("stop says " + count + " unanswered, not " + low + " to " + high);
    }

    /**
     * The server has ended.
     *
     * @param waited what {@code stop} has said to who waited; -1 if nobody did
     * @param count  what it says now
     */
    void checkEnd(int waited, int count) throws ReflectiveOperationException {
        Occupancy occupancy = world.server.occupancy;
        check("descriptors", world.machine.descriptors(), 0);
        check("connections", occupancy.connections() + occupancy.openCount(), 0);
        check("bytes", occupancy.bytes(), 0);
        // a loop that has ended hears of no answer
        boolean kept = occupancy.requests() > pending.size();
        if (kept) world.broken(occupancy.requests() + " requests at the end, of " + pending.size());
        check("unanswered", occupancy.unanswered(), 0);
        check("timers", occupancy.timers(), 0);
        check("tasks", occupancy.hasTasks() ? 1 : 0, 0);
        for (SimulatedConnection life : world.lives) {
            if (life.accepted && !life.freed) world.broken(life, "is not freed");
            life.promises.checkEnd();
        }
        boolean counted = !world.faults.clockEverStruck && conditions.network().faults() == 0;
        if (!counted) return;
        new StatsCheck(world, world.server.itself.stats()).check(accepted);
        boolean wrong = count < dropped.low || count > dropped.high || waited >= 0 && waited != count;
        if (wrong) {
            world.broken("stop says " + count + ", and said " + waited + ", not " + dropped.low
                    + " to " + dropped.high);
        }
    }

    private void check(String what, long is, long should) {
        if (is != should) world.broken(what + " at the end: " + is + ", not " + should);
    }
}
