package org.microhttp.simulation;

import java.time.Duration;
import org.microhttp.Response;

/** What a server says when it has ended: how many requests it dropped, and whether it may start again. */
final class ShutdownReport {

    private final World world;

    ShutdownReport(World world) {
        this.world = world;
    }

    /** How many requests were dropped, on the thread that ran it. */
    int dropped() {
        return world.server.itself.stop(Duration.ZERO);
    }

    /** Answers that come now are dropped, and released before the callback returns. */
    void answer() {
        for (SimulatedConnection life : world.lives) {
            for (HandledRequest one : life.promises.asked()) {
                if (one == null) continue;
                one.checkNotices();
                boolean late = one.reply.manner().isElsewhere() || one.inVain;
                boolean lost = one.given && !late && one.request.isAbandoned();
                life.brokenIf(lost, "a request was answered, and is abandoned");
                life.brokenIf(!one.given && !one.request.isAbandoned(), "nobody waits, and it is not said");
                if (!one.given) answer(one);
            }
        }
    }

    private void answer(HandledRequest one) {
        Response response = world.lending.response(one);
        world.lending.onGiven(one);
        one.callback.accept(response);
        boolean kept = one.lent != null && one.lent.owed() > 0;
        if (kept) one.life.broken("is given when the loop has ended, and not released: " + one.lent);
    }

    /** One that is stopped by now does nothing when it is started again. */
    void check() {
        world.server.itself.stop();
        try {
            world.server.start();
        } catch (IllegalStateException e) {
            world.broken("one that was stopped does not return at once: " + e.getMessage());
        }
    }
}
