package org.microhttp.simulation;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.simulation.network.Call;
import org.microhttp.simulation.network.Peer;

/** Calls of the machine that fail, at random: as input and output do, or as anything does out of memory. */
final class MachineFaults {

    private final World world;
    private final SplittableRandom random;
    private final int inAMillion;

    /** Whether a look at a clock has failed in this turn; in any. */
    boolean clockStruck, clockEverStruck;

    MachineFaults(World world, SplittableRandom random) {
        this.world = world;
        this.random = random;
        inAMillion = world.conditions.network().faults();
    }

    void onTurnEnd() {
        clockStruck = false;
    }

    /** Has a call fail with an Error, if its time has come. */
    void strike(Call call, Peer peer) {
        int rare = call == Call.WALL ? 20 : 1;
        if (isDue(rare)) throw error(call, peer);
    }

    /** The same, or with an IOException. */
    void strikeOrFail(Call call, Peer peer) throws IOException {
        int rare = call == Call.NESTED_SELECT ? 100 : 1;
        if (!isDue(rare)) return;
        boolean error = call == Call.SELECT || call != Call.NESTED_SELECT && random.nextBoolean();
        if (error) throw error(call, peer);
        note(call, peer, "IOException");
        throw new IOException("as planned, in " + call);
    }

    private boolean isDue(int times) {
        return inAMillion > 0 && world.serving && random.nextInt(1_000_000) < inAMillion * times;
    }

    private Error error(Call call, Peer peer) {
        Error error = switch (random.nextInt(3)) {
            case 0 -> new OutOfMemoryError("as planned, in " + call);
            case 1 -> new StackOverflowError("as planned, in " + call);
            default -> new LinkageError("as planned, in " + call);
        };
        note(call, peer, "Error");
        // the server pauses when a turn has failed, by the real clock: not so long
        LockSupport.unpark(Thread.currentThread());
        return error;
    }

    private void note(Call call, Peer peer, String what) {
        SimulatedConnection life = peer instanceof SimulatedConnection one ? one : null;
        world.tally.count("fault " + call + " " + what);
        world.tell("fault: " + what + " in " + call + (life == null ? "" : " of c" + life.number));
        if (call == Call.ACCEPT) world.onAcceptFailed();
        if (call == Call.CLOCK || call == Call.WALL) {
            clockStruck = true;
            clockEverStruck = true;
        }
        if (life != null && call != Call.ACCEPT) {
            life.promises.struck = true;
            life.promises.everStruck = true;
            world.turns.touch(life);
        }
    }
}
