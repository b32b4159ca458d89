package org.microhttp.simulation;

/**
 * How many requests were here, and not answered, when loops have ended: at least and at most, and exactly for
 * most connections.
 */
final class DroppedRequests {

    private final World world;
    int low, high;

    DroppedRequests(World world) {
        this.world = world;
    }

    /** The end of a loop closes a connection; or something else at that time. */
    void count(SimulatedConnection life) {
        if (life.outputEnded || life.selector == null) return;
        Promises promises = life.promises;
        boolean owed = promises.isWaiting();
        boolean streaming = owed && !promises.isOwed();
        boolean unsent = promises.blocked || promises.isMidway();
        boolean vague = promises.isVague();
        boolean closedBefore = promises.failed || unsent && promises.deadlines.isWriteTime()
                || unsent && world.conditions.limitsBytes() || promises.struck;
        closedBefore |= mayBeRefused(life)
                || streaming && (promises.stream().isOver() || promises.stream().isCompleted()
                        || promises.stream().isUpgrade());
        boolean over = promises.isOwed() && world.machine.now() >= promises.current().dueLow();
        // answers that are blocked count as one, also with one to a request whose time is over
        boolean another = unsent && !(streaming && promises.isNext());
        int waiting = (owed && !(unsent && over) ? 1 : 0) + (another ? 1 : 0);
        // behind what is blocked, or when a turn has written as much as it may, an answer may wait
        boolean unsure = vague || (unsent || !promises.isAllSent()) && (!owed || over);
        int most = waiting + (unsure ? 1 : 0) + (promises.isBehindLast() ? 0 : behind(life, true));
        boolean perhapsLast = unsure || owed && world.conditions.limitsBytes() || streaming && world.leaving;
        int least = waiting + (perhapsLast || promises.isBehindLast() ? 0 : behind(life, false));
        low += closedBefore ? 0 : least - (vague ? waiting : 0);
        high += most;
        life.tell("drops " + least + " to " + most);
    }

    /** Whether its time may be over just now, before it was known for whom it comes: that has no answer. */
    private static boolean mayBeRefused(SimulatedConnection life) {
        Deadlines deadlines = life.promises.deadlines;
        // what is read just now may not be looked at
        if (deadlines.wasGreeted) return false;
        Deadlines.Moment moment = deadlines.moment();
        return moment.requestTime() || moment.socketTime() || life.promises.endSeen
                || life.world.conditions.limitsBytes();
    }

    /** Whether requests, whole or begun, were read behind those that were handed over: they count as one. */
    private int behind(SimulatedConnection life, boolean most) {
        return Math.min(1, countBehind(life, most));
    }

    private int countBehind(SimulatedConnection life, boolean most) {
        ClientPlan plan = life.plan;
        int whole = Math.max(plan.whole(life.read), life.promises.handed);
        int count = whole - life.promises.handed;
        if (whole > 0 && plan.isLast(whole - 1)) return count;
        // an empty line or a PROXY header that is read as the loop stops is not parsed any more
        boolean unparsed = most && (whole == 0 ? life.read > 0 : life.read > plan.start(whole));
        if (!unparsed && !life.promises.isInside(whole)) return count;
        // what is refused is no request
        boolean sure = whole < plan.requests().size() || !plan.refused();
        return most || sure ? count + 1 : count;
    }
}
