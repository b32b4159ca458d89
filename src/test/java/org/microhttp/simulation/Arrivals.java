package org.microhttp.simulation;

import java.util.List;

/**
 * Who is accepted, and by which loop: the one whose listener it is, unless another has fewer. When the server
 * leaves, who waits is let in, as many as may wait there, once at least and until the time is over.
 */
final class Arrivals {

    private final World world;
    private final Conditions conditions;
    private int letIn;

    /** The one that was registered last, which is the next that the log may say was accepted. */
    SimulatedConnection latest;

    Arrivals(World world) {
        this.world = world;
        conditions = world.conditions;
    }

    /** A loop accepts: notes with which loop the connection must be. */
    void onAccept(SimulatedConnection life, int accepting) {
        if (world.leaving && !world.bound.listener) {
            letIn++;
            life.brokenIf(conditions.door().inherited(), "is let in, and another has the socket next");
            checkLetIn(life);
        }
        if (world.leaving || world.turns.ended) return;
        List<Long> open = world.server.occupancy.open();
        int least = accepting;
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i) < open.get(least)) least = i;
        }
        life.placed = least;
    }

    private void checkLetIn(SimulatedConnection life) {
        int listeners = conditions.listeners();
        // one more than the backlog may wait on Linux
        life.brokenIf(letIn > listeners * (conditions.queue() + 1), "let in beyond the backlog");
        long begin = world.turns.begin();
        boolean over = begin >= world.leaveEnd + conditions.costs().clock();
        // the turn in which a loop learns that it leaves lets in who waits, however little time is left
        life.brokenIf(over && world.turns.leftBy() < begin, "let in though the time to leave is over");
    }

    /** It is with a loop now. */
    void onRegistered(SimulatedConnection life, int loop) {
        latest = life;
        // a loop that ends meanwhile gives back what it was handed
        boolean wrong = life.placed >= 0 && life.placed != loop && !world.isEnding();
        if (wrong) life.broken("is placed with loop " + loop + ", and loop " + life.placed + " had fewer");
    }

    /** Nobody lets it in any more. */
    void onRefused(SimulatedConnection life) {
        boolean due = world.leaving && world.serving && !world.stopped && !world.isBroken()
                && conditions.network().faults() == 0 && conditions.loops() == 1
                && letIn < conditions.queue();
        life.brokenIf(due && world.machine.now() < world.leaveEnd, "waited, and is not let in");
    }
}
