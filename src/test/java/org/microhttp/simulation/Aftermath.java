package org.microhttp.simulation;

import java.time.Duration;

/** What a server says when it has ended: how many requests it dropped, and whether it may start again. */
final class Aftermath {

    private final World world;

    Aftermath(World world) {
        this.world = world;
    }

    /** How many requests were dropped, on the thread that ran it. */
    int dropped() {
        return world.server.stop(Duration.ZERO);
    }

    /** One that is stopped by now does nothing when it is started again; but a group says that it may not. */
    void check() {
        if (world.conditions.grouped()) {
            checkRefusal();
            return;
        }
        if (!world.isStopped()) checkRefusal();
        world.server.stop();
        try {
            world.server.start();
        } catch (IllegalStateException e) {
            world.broken(null, "one that was stopped does not return at once: " + e.getMessage());
        }
    }

    private void checkRefusal() {
        try {
            world.server.start();
        } catch (IllegalStateException e) {
            return;
        }
        world.broken(null, "it can be started twice");
    }
}
