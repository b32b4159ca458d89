package org.microhttp.simulation;

import java.util.function.Consumer;
import org.microhttp.*;

/** The handler of a world: does with each request what was planned. */
final class WorldHandler implements ReceivedHandler<BodySubscriber> {

    private final World world;

    /** How often it left an interrupt behind, and called back while a loop might hear it. */
    int interrupts, calls;

    /** How many of the calls said that it had failed. */
    int failures;

    WorldHandler(World world) {
        this.world = world;
    }

    @Override
    public void handle(Request request, BodySubscriber receiver, Consumer<Response> callback) {
        SimulatedConnection life = asking(request);
        if (life == null) return;
        HandledRequest asked = life.promises.onHandle(request, receiver, callback);
        if (asked == null) return;
        world.tally.requests++;
        end(asked);
        HandlerBehaviour manner = asked.reply.manner();
        if (manner != HandlerBehaviour.AT_ONCE
                && manner != HandlerBehaviour.LATER) world.tally.count("handler " + manner);
        act(asked, manner);
    }

    /** Who receives the body of a request, as was planned. */
    BodySubscriber receiver(Request request) {
        SimulatedConnection life = asking(request);
        return life == null ? null : life.promises.onAsk(request);
    }

    /** Whose request it is; null if that is broken. */
    private SimulatedConnection asking(Request request) {
        if (world.isBroken()) return null;
        SimulatedConnection life = world.callers.asking(request);
        if (life == null) {
            world.broken("a request of nobody: " + request.remoteAddress());
            return null;
        }
        boolean own = request.remoteAddress().equals(life.client());
        if (!own) life.broken("a request of " + request.remoteAddress() + ", not of " + life.client());
        return life;
    }

    /** Leaves an interrupt behind. */
    void interrupt() {
        interrupts++;
        Thread.currentThread().interrupt();
    }

    /** Ends the server from its own handler, if it is to end so now. If that fails, so does the handler. */
    private void end(HandledRequest asked) {
        try {
            world.ending.onHandle();
        } catch (Error e) {
            world.onGiven(asked, true);
            throw e;
        }
    }

    private void act(HandledRequest asked, HandlerBehaviour manner) {
        AbandonAction.register(asked);
        switch (manner) {
            case AT_ONCE -> give(asked);
            case FAIL -> fail(asked);
            case FAIL_LATER -> later(asked.reply.delay(), () -> fail(asked));
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
                interrupt();
                give(asked);
            }
        }
    }

    private void giveTwiceOrLate(HandledRequest asked, HandlerBehaviour manner) {
        long delay = asked.reply.delay();
        if (manner.isLate()) {
            later(delay, () -> give(asked));
        } else {
            give(asked);
        }
        switch (manner) {
            case TWICE -> again(asked);
            case AT_ONCE_AND_LATER -> later(delay, () -> again(asked));
            case LATER_TWICE -> later(delay * 2, () -> again(asked));
            default -> { }
        }
    }

    private void later(long delay, Runnable action) {
        world.machine.later(delay, () -> world.elsewhere(action));
    }

    private void giveAndThrow(HandledRequest asked, HandlerBehaviour manner) {
        switch (manner) {
            case ANSWER_AND_THROW -> give(asked);
            case ELSEWHERE_AND_THROW -> world.elsewhere(() -> give(asked));
            default -> {
                // made, and never given
                world.lending.response(asked);
                world.onGiven(asked, true);
            }
        }
        if (manner == HandlerBehaviour.ERROR) {
            throw world.failures.make(asked, new OutOfMemoryError("as planned, in the handler"));
        }
        throw world.failures.make(asked, new IllegalStateException("as planned, in the handler"));
    }

    private void give(HandledRequest asked) {
        asked.checkAbandoned();
        AbandonAction.register(asked);
        world.onGiven(asked, false);
        call(asked, world.lending.response(asked));
        AbandonAction.register(asked);
    }

    private void fail(HandledRequest asked) {
        asked.checkAbandoned();
        world.onGiven(asked, true);
        asked.saysFailed = true;
        call(asked, world.lending.failed(asked));
        AbandonAction.register(asked);
    }

    /** Nobody waits for the answer that is given now. */
    void answerNobody(HandledRequest asked) {
        // a loop of a group that has ended takes its tasks while others run
        if (world.conditions.loops() > 1 && world.isEnding()) return;
        boolean early = world.machine.now() < asked.dueLow();
        if (asked.isOwed() && (asked.life.closed || early)) {
            world.onGiven(asked, false);
            asked.inVain = true;
        }
        call(asked, world.lending.another(asked));
    }

    private void call(HandledRequest asked, Response response) {
        calls++;
        if (response != null && response.failure() != null) failures++;
        if (response != null) world.lending.onGiven(asked);
        asked.callback.accept(response);
    }

    /** An answer that is not the first. */
    private void again(HandledRequest asked) {
        if (asked.isOwed() && !asked.life.closed) return;
        call(asked, world.lending.another(asked));
    }
}
