package org.microhttp.simulation;

import java.io.IOException;
import java.util.*;
import org.microhttp.simulation.network.*;

/**
 * The turns of a world's loops, and the rests between them, as the machine tells of them: hands each to the
 * parts of the world, at the end of a turn for the connections to which something has happened in it.
 */
final class Turns implements Witness {

    private static final long MILLI = 1_000_000;

    /** When to look whether something has happened to a connection at its deadline. */
    private record Due(long time, SimulatedConnection life) {
    }

    private final World world;
    private final SleepCheck quiet;
    private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::time));

    /** To whom something has happened in this turn; in one since all loops slept. */
    private final List<SimulatedConnection> touched = new ArrayList<>();
    private final List<SimulatedConnection> restless = new ArrayList<>();

    /** When the last turn has begun, and when one has ended. */
    private long begin, end;

    /** By when all loops knew that they leave. */
    private long leftBy = Long.MAX_VALUE;

    /** Whether a loop has ended. */
    boolean ended;

    Turns(World world) {
        this.world = world;
        quiet = new SleepCheck(world);
    }

    /** When the present turn has begun. */
    long begin() {
        return begin;
    }

    /** When the turn before has ended. */
    long end() {
        return end;
    }

    /** When every loop knew that it leaves: now, if some do not know yet. */
    long leftBy() {
        return Math.min(leftBy, world.machine.now());
    }

    /** Something happens to a connection: it is looked at when its loop's turn is over. */
    void touch(SimulatedConnection life) {
        if (life.touched) return;
        life.touched = true;
        touched.add(life);
    }

    /** Has a connection looked at when no loop has anything to do after this time. */
    void watch(SimulatedConnection life, long time) {
        due.add(new Due(time, life));
    }

    /** The whole machine has stood still between two turns. */
    void onPause() {
        end = world.machine.now();
    }

    @Override
    public void strike(Call call, Peer peer) {
        if (call == Call.CLOCK && world.serving) world.looks.onLook(world.machine.now());
        world.faults.strike(call, peer);
    }

    @Override
    public void strikeOrFail(Call call, Peer peer) throws IOException {
        world.faults.strikeOrFail(call, peer);
    }

    @Override
    public void onTurnBegin(SimulatedSelector selector) {
        begin = world.machine.now();
        if (world.story.told) world.tell(Story.TURN + selector.index);
        world.tally.turns++;
        world.looks.onTurn();
        world.bound.onTurnBegin();
    }

    @Override
    public void onTurnEnd(SimulatedSelector selector) {
        end = world.machine.now();
        world.looks.onTurn();
        world.faults.onTurnEnd();
        world.idleness.onTurnEnd(world.ledger.entries(), world.ledger.acceptFailedAt);
        boolean leaves = world.leaving && leftBy == Long.MAX_VALUE;
        if (leaves && world.ledger.isLeavingKnown()) leftBy = end;
        settle(selector);
    }

    private void settle(SimulatedSelector selector) {
        int kept = 0;
        for (SimulatedConnection life : touched) {
            if (life.selector == selector) {
                life.promises.settle(end);
                life.kept.settle(life.promises, world.ledger);
                restless.add(life);
                // what was signalled in this turn may be a task of the next
                boolean signals = life.promises.isStreaming() || life.promises.receiving != null;
                life.touched = signals && life.promises.hasTasks();
            }
            if (life.touched) {
                touched.set(kept++, life);
            }
        }
        touched.subList(kept, touched.size()).clear();
    }

    @Override
    public void onRest(long until) {
        if (world.isBroken()) return;
        touched.forEach(quiet::check);
        restless.forEach(quiet::check);
        restless.clear();
        world.brokenIf(until == Long.MAX_VALUE, "sleeps for ever");
        world.brokenIf(world.isEndedAtOnce(), "sleeps though it was stopped");
        world.ledger.checkRest();
        world.doorway.checkRest();
        world.lending.checkRest();
        while (!due.isEmpty() && world.ticks.isLate(due.peek().life, due.peek().time)) {
            Due over = due.remove();
            over.life.promises.deadlines.onDue(over.time);
        }
        if (world.leaving) checkLeaving();
    }

    private void checkLeaving() {
        long over = Math.max(world.leaveEnd, leftBy()) + world.resolution + 2 * MILLI;
        world.brokenIf(begin > over && end > over, "sleeps though the time to leave is over");
    }

    @Override
    public void onDispatch(SimulatedKey key) {
        world.machine.note(key.hashCode());
        world.bound.onDispatch(key);
    }

    @Override
    public void onDispatched(SimulatedKey key) {
        world.bound.onDispatched(key);
    }

    @Override
    public void onAccept(SimulatedListener listener, Peer peer) {
        if (peer == null) {
            world.tell("no descriptor to accept with");
            world.onAcceptFailed();
        } else {
            world.tally.lives++;
            world.ledger.onAccept((SimulatedConnection) peer, listener.key().selectorIndex());
            world.bound.onAccept();
        }
    }

    @Override
    public void onEnd(SimulatedSelector selector) {
        end = world.machine.now();
        ended = true;
        world.tell("loop " + selector.index + " has ended");
    }
}
