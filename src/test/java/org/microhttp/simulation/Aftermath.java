package org.microhttp.simulation;

import java.time.Duration;
import org.microhttp.Response;

/** What a server says when it has ended: how many requests it dropped, and whether it may start again. */
final class Aftermath {

    private final World world;

    Aftermath(World world) {
        this.world = world;
    }

    /** How many requests were dropped, on the thread that ran it. */
    int dropped() {
        return world.server.itself.stop(Duration.ZERO);
    }

    /** Answers that come now are dropped, and released before the callback returns. */
    void answer() {
        for (Life life : world.lives) {
            for (Asked one : life.promises.asked()) {
                if (one != null && !one.given) answer(one);
            }
        }
    }

    private void answer(Asked one) {
        Response response = world.lending.response(one);
        world.lending.onGiven(one);
        one.callback.accept(response);
        boolean kept = one.lent != null && one.lent.owed() > 0;
        if (kept) one.life.broken("is given when the loop has ended, and not released: " + one.lent);
    }

    /** One that is stopped by now does nothing when it is started again; but a group says that it may not. */
    void check() {
        if (world.conditions.grouped()) {
            checkRefusal();
            return;
        }
        world.server.itself.stop();
        try {
            world.server.start();
        } catch (IllegalStateException e) {
            world.broken("one that was stopped does not return at once: " + e.getMessage());
        }
    }

    private void checkRefusal() {
        try {
            world.server.start();
        } catch (IllegalStateException e) {
            return;
        }
        world.broken("it can be started twice");
    }
}
