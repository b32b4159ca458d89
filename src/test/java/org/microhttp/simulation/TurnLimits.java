package org.microhttp.simulation;

import static java.nio.channels.SelectionKey.OP_WRITE;

import org.microhttp.simulation.network.SimulatedKey;
import org.microhttp.simulation.network.SimulatedListener;

/**
 * What a turn of a loop may do at most, and what it must do before it leaves the rest to the next: with a key
 * that is dispatched exactly so much; in the whole turn, with its tasks and deadlines, some times that.
 */
final class TurnLimits {

    private static final int ACCEPTS = 64;
    private static final int READS = 20;
    private static final int LAST_READS = 16;
    private static final int REQUESTS = 128;

    /** Bytes that one turn of a loop writes, and from how many on some may wait for the next turn. */
    private static final long BYTES = 5 << 20, FEWEST_BYTES = 3 << 18;

    private final World world;
    private long turn, bytes;

    /** Whether some may have waited at the end of the turn before, or of another loop's turn before that. */
    private boolean waited;
    private int accepts, writers;

    /** Of whom a key is dispatched now, and what came of it so far; and whether a listener's is. */
    private SimulatedConnection life;
    boolean listener, failed;
    private int accepted, reads, writes, requests;

    TurnLimits(World world) {
        this.world = world;
    }

    /** What one connection did in the present turn. */
    static final class Work {

        private long turn = -1;
        private int reads, requests;
        private boolean writes;
    }

    void onTurnBegin() {
        turn++;
        waited = bytes > FEWEST_BYTES || waited && world.conditions.loops() > 1;
        bytes = 0;
        writers = 0;
        accepts = 0;
        life = null;
        listener = false;
    }

    private Work work(SimulatedConnection one) {
        Work work = one.work;
        if (work.turn != turn) {
            work.turn = turn;
            work.reads = 0;
            work.requests = 0;
            work.writes = false;
        }
        return work;
    }

    /** What follows is done for this key, until the next method is called. */
    void onDispatch(SimulatedKey key) {
        life = (SimulatedConnection) key.peer();
        listener = life == null;
        failed = false;
        accepted = 0;
        reads = 0;
        writes = 0;
        requests = 0;
    }

    /** Looks whether enough was done for the key. */
    void onDispatched(SimulatedKey key) {
        SimulatedConnection one = life;
        life = null;
        boolean accepting = listener;
        listener = false;
        if (world.isEnding() || world.isBroken()) return;
        if (accepting) {
            checkAccepted(((SimulatedListener) key.channel()).waiting());
        } else if (one != null && !one.closed && !one.promises.struck && !one.promises.isVague()) {
            checkWork(one);
        }
    }

    private void checkAccepted(int waiting) {
        boolean more = waiting > 0 && !failed && world.ledger.hasPlace() && !world.leaving
                && !world.isEnding();
        if (more && accepted != ACCEPTS) world.broken(accepted + " accepts in a turn, and more wait");
    }

    private void checkWork(SimulatedConnection one) {
        Promises promises = one.promises;
        boolean waits = (one.channel().key().interest() & OP_WRITE) != 0;
        boolean all = promises.isAllSent();
        // a turn that is full goes on in the next; those that are turned away count, and are not known here
        boolean full = requests == REQUESTS || world.conditions.limitsPending();
        one.brokenIf(waits && all && !full, "waits to write, and all is sent");
        if (promises.blocked || mayWait()) return;
        one.brokenIf(!waits && promises.isMidway(), "does not wait to write the rest");
        if (!promises.isAllSent()) {
            // one that was given elsewhere may not be here yet
            boolean late = !promises.isMidway() && promises.current().reply.manner().isElsewhere();
            if (!late) one.broken(writes + " writes in a turn, and the socket takes more");
            return;
        }
        // who is turned away, or refused behind what was written last, is not seen before the answer is
        boolean over = world.conditions.limitsPending() || promises.isWaiting() || promises.last
                || promises.refused || promises.mayStillStream() || promises.receiving != null
                || world.isEnding();
        // one whose turn was full before goes on in its next
        boolean served = requests > 0 || reads > 0;
        boolean more = !over && served && one.plan.whole(one.read) > promises.handed;
        if (more && requests != REQUESTS) one.broken(requests + " requests in a turn, and more are here");
    }

    void onAccept() {
        accepts++;
        accepted++;
        if (listener && accepted > ACCEPTS) world.broken("more than " + ACCEPTS + " accepts in a turn");
        if (accepts > 3 * ACCEPTS) world.broken(accepts + " accepts in a turn");
    }

    void onAcceptFailed() {
        failed = true;
    }

    void onRead(SimulatedConnection one) {
        Work work = work(one);
        work.reads++;
        reads++;
        // before it closes it looks once more, if not all was sent in one write: the client had time to send
        int most = writes > 1 || one.promises.failedBody.isCut() ? 2 : 1;
        one.brokenIf(one == life && reads > most && !world.leaving, "more than one read of what is ready");
        int allowed = READS + 2 * (one.givenLately + one.givenBefore);
        if (work.reads > allowed) one.broken("more than " + READS + " reads in a turn");
    }

    /** Whether more than one read was made in this turn. */
    boolean hasReadTwice(SimulatedConnection one) {
        return work(one).reads > 1;
    }

    void onWrite(SimulatedConnection one, long wanted) {
        one.brokenIf(!one.plan.isGreeted(one.read), "answers before it is known for whom");
        if (wanted > most()) one.broken("is to write " + wanted + " bytes at once");
        writes++;
    }

    /** So many bytes are written. At the end the loop writes more; while much waits, to each client. */
    void onWritten(SimulatedConnection one, int count) {
        bytes += count;
        Work work = work(one);
        if (!work.writes) writers++;
        work.writes = true;
        boolean bounded = bytes <= most() * (1 + writers);
        if (!bounded && !world.isEnding()) world.broken(bytes + " bytes are written in a turn");
    }

    private long most() {
        return world.conditions.share() > 0 ? 12L * world.conditions.share() : BYTES;
    }

    /** Whether some may have to wait with what they write: a clock that fails may make one turn of two. */
    boolean mayWait() {
        boolean fewer = world.conditions.share() > 0 || world.faults.clockEverStruck;
        return fewer || waited || bytes > FEWEST_BYTES;
    }

    /**
     * Whether it has read what is here, or as much as it may before it gives a request up; or it did that in
     * an earlier turn, and its refusal had to wait.
     */
    boolean hasReadOn(SimulatedConnection one) {
        return mayWait() || one.arrived == one.read || work(one).reads >= LAST_READS;
    }

    void onHandle(SimulatedConnection one) {
        if (life != null && life != one) one.broken("a request in the turn of c" + life.number);
        Work work = work(one);
        work.requests++;
        requests++;
        if (one == life && requests > REQUESTS) one.broken("more than " + REQUESTS + " requests in a turn");
        int most = REQUESTS * (3 + one.givenLately);
        if (work.requests > most) one.broken(work.requests + " requests in a turn");
    }
}
