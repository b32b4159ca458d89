package org.microhttp.simulation;

import java.time.Duration;
import java.util.SplittableRandom;
import org.microhttp.simulation.network.Outsider;

/** How and when a world's server is ended. */
final class ServerEnd {

    enum Form { STOP, CLOSE, INTERRUPT, GRACE, GRACE_THEN_STOP, STOP_IN_HANDLER, GRACE_IN_HANDLER }

    private static final long SECOND = 1_000_000_000L;

    private static final long LONGEST = Duration.ofDays(365).toNanos();

    private final World world;
    private final Form form;
    private final long at;

    /** Of all clients, whose arrival it is, at the very time; -1 for none. */
    private final int arrival;
    private final long grace;
    private final boolean impatient;
    private boolean inHandler;
    private Outsider outsider;
    private int returned = -1;
    private int unanswered = -1;

    ServerEnd(World world, SplittableRandom random) {
        this.world = world;
        form = Conditions.pick(random, Form.values());
        long span = world.conditions.span();
        at = switch (random.nextInt(4)) {
            case 0 -> random.nextLong(1 + span + SECOND);
            case 1 -> span + random.nextLong(10 * SECOND);
            case 2 -> span + 100 * SECOND;
            default -> span + 700 * SECOND;
        };
        // who comes just then to a socket that others have, too, must be left to them
        int often = world.conditions.door().inherited() ? 2 : 6;
        arrival = random.nextInt(often) == 0 ? random.nextInt(world.conditions.clients()) : -1;
        impatient = random.nextInt(4) == 0;
        grace = Conditions.pick(random, 0L, random.nextLong(3 * SECOND), 100 * SECOND, longest());
    }

    /** Not where nobody can be let in who waits, which is tried ten times a second. */
    private long longest() {
        Conditions conditions = world.conditions;
        return conditions.descriptors() > conditions.loops() + 1 ? LONGEST : 100 * SECOND;
    }

    void plan() {
        world.machine.later(arrival < 0 ? at : world.lives.get(arrival).plan.start(), this::begin);
    }

    private void begin() {
        world.tell("ends by " + form);
        world.tally.count("end " + form);
        switch (form) {
            case STOP -> world.elsewhere(() -> world.stop(false));
            case CLOSE -> close();
            case INTERRUPT -> world.interrupt();
            case GRACE, GRACE_THEN_STOP -> beginLeaving();
            case STOP_IN_HANDLER, GRACE_IN_HANDLER -> {
                inHandler = true;
                world.machine.later(SECOND, this::giveUpHandler);
            }
        }
    }

    /** Who closes waits for the end. */
    private void close() {
        outsider = new Outsider(() -> world.stop(true));
        outsider.begin();
    }

    private void giveUpHandler() {
        if (!inHandler) return;
        inHandler = false;
        world.elsewhere(() -> world.stop(false));
    }

    private void beginLeaving() {
        world.onLeave(grace);
        if (impatient) {
            giveUpWaiting();
        } else {
            outsider = new Outsider(() -> returned = world.server.itself.stop(Duration.ofNanos(grace)));
            outsider.begin();
        }
        if (form == Form.GRACE_THEN_STOP) {
            world.machine.later(grace / 2, () -> world.elsewhere(() -> world.stop(false)));
        }
    }

    /** The time of who waits for the end is over: it is told what is unanswered, and the server goes on. */
    private void giveUpWaiting() {
        var gone = new Outsider(() -> unanswered = world.server.itself.stop(Duration.ofNanos(grace)),
                grace + SECOND);
        gone.begin();
        // isAlive may be true for a moment more
        if (gone.getState() != Thread.State.TERMINATED) {
            world.broken("stop waits on though its time is over");
        } else {
            world.ledger.checkUnanswered(unanswered);
        }
    }

    /** Whether somebody waited for the end no longer. */
    boolean hasGivenUp() {
        return unanswered >= 0;
    }

    /** A handler is called. */
    void onHandle() {
        if (!inHandler) return;
        inHandler = false;
        if (form == Form.STOP_IN_HANDLER) {
            world.stop(false);
            return;
        }
        int count;
        try {
            count = world.server.itself.stop(Duration.ofNanos(grace));
        } catch (Error e) {
            // the look at the clock has failed, and nothing was begun
            world.machine.later(SECOND, () -> world.elsewhere(() -> world.stop(false)));
            throw e;
        }
        world.onLeave(grace);
        if (count != 0) world.broken("stop says " + count + " on the loop's own thread");
    }

    /** What {@code stop} has returned, if somebody waited for it; else -1. */
    int returned() throws InterruptedException {
        if (outsider == null) return -1;
        outsider.join(20_000);
        world.brokenIf(outsider.isAlive(), "stop does not return");
        return returned;
    }
}
