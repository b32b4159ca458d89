package org.microhttp.simulation;

import java.util.function.Consumer;
import org.microhttp.*;

/** The handler of a world: does with each request what was planned. */
final class Handling implements Handler {

    private final World world;

    /** How often it threw, left an interrupt behind, and called back while a loop might hear it. */
    int thrown, interrupts, calls;

    Handling(World world) {
        this.world = world;
    }

    int thrown() {
        return thrown;
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        if (world.isBroken()) return;
        Life life = world.callers.asking(request.remoteAddress());
        if (life == null) {
            world.broken("a request of nobody: " + request.remoteAddress());
            return;
        }
        boolean own = request.remoteAddress().equals(life.client());
        if (!own) life.broken("a request of " + request.remoteAddress() + ", not of " + life.client());
        Asked asked = life.promises.onHandle(request, callback);
        if (asked == null) return;
        world.tally.requests++;
        end(asked);
        Manner manner = asked.reply.manner();
        if (manner != Manner.AT_ONCE && manner != Manner.LATER) world.tally.count("handler " + manner);
        act(asked, manner);
    }

    /** Ends the server from its own handler, if it is to end so now. If that fails, so does the handler. */
    private void end(Asked asked) {
        try {
            world.ending.onHandle();
        } catch (Error e) {
            world.onGiven(asked, true);
            throw e;
        }
    }

    private void act(Asked asked, Manner manner) {
        if (manner.isThrowing()) thrown++;
        if (manner == Manner.INTERRUPT) interrupts++;
        switch (manner) {
            case AT_ONCE -> give(asked);
            case LATER, LATER_TWICE, TWICE, AT_ONCE_AND_LATER -> giveTwiceOrLate(asked, manner);
            case NEVER -> { }
            case NULL -> {
                world.onGiven(asked, true);
                call(asked, null);
            }
            case THROW, ANSWER_AND_THROW, ELSEWHERE_AND_THROW, ERROR -> giveAndThrow(asked, manner);
            case BLOCK -> {
                world.machine.pass(asked.reply.delay());
                give(asked);
            }
            case INTERRUPT -> {
                Thread.currentThread().interrupt();
                give(asked);
            }
        }
    }

    private void giveTwiceOrLate(Asked asked, Manner manner) {
        long delay = asked.reply.delay();
        if (manner.isLate()) {
            world.machine.later(delay, () -> world.elsewhere(() -> give(asked)));
        } else {
            give(asked);
        }
        switch (manner) {
            case TWICE -> again(asked);
            case AT_ONCE_AND_LATER -> world.machine.later(delay, () -> world.elsewhere(() -> again(asked)));
            case LATER_TWICE -> world.machine.later(delay * 2, () -> world.elsewhere(() -> again(asked)));
            default -> { }
        }
    }

    private void giveAndThrow(Asked asked, Manner manner) {
        switch (manner) {
            case ANSWER_AND_THROW -> give(asked);
            case ELSEWHERE_AND_THROW -> world.elsewhere(() -> give(asked));
            default -> {
                // made, and never given
                world.lending.response(asked);
                world.onGiven(asked, true);
            }
        }
        if (manner == Manner.ERROR) throw new OutOfMemoryError("as planned, in the handler");
        throw new IllegalStateException("as planned, in the handler");
    }

    private void give(Asked asked) {
        asked.checkAbandoned();
        world.onGiven(asked, false);
        call(asked, world.lending.response(asked));
    }

    private void call(Asked asked, Response response) {
        calls++;
        if (response != null) world.lending.onGiven(asked);
        asked.callback.accept(response);
    }

    /** An answer that is not the first. */
    private void again(Asked asked) {
        if (asked.isOwed() && !asked.life.closed) return;
        call(asked, world.lending.another(asked));
    }
}
