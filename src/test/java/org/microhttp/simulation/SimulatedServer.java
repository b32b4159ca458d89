package org.microhttp.simulation;

import java.io.IOException;
import java.util.List;
import org.microhttp.*;

/** A loop by itself, or a group, as the conditions say; and who runs it. */
final class SimulatedServer {

    final Server itself;
    final List<EventLoop> loops;
    final Occupancy occupancy;
    private Thread thread;

    SimulatedServer(Conditions conditions, Options options, Logger logger, Handler handler)
            throws IOException, ReflectiveOperationException {
        itself = conditions.grouped() ? group(conditions, options, logger, handler)
                : new EventLoop(options, logger, handler);
        loops = Inside.loops(itself);
        if (conditions.share() > 0) Inside.withShares(loops, conditions.share());
        occupancy = new Occupancy(loops.toArray(EventLoop[]::new));
    }

    private static EventLoopGroup group(Conditions conditions, Options options, Logger logger,
            Handler handler) throws IOException {
        refuseNone(options, logger, handler);
        return conditions.sharedPort() ? new EventLoopGroup(options, logger, handler, conditions.loops())
                : Inside.groupWithoutSharedPort(options, logger, handler, conditions.loops());
    }

    /** A group has a loop at least. */
    private static void refuseNone(Options options, Logger logger, Handler handler) throws IOException {
        try (var none = new EventLoopGroup(options, logger, handler, 0)) {
            throw new IllegalStateException("a group of none, on port " + none.getPort());
        } catch (IllegalArgumentException e) {
            return;
        }
    }

    void start() {
        thread = Thread.currentThread();
        itself.start();
    }

    /** Interrupts the thread that runs the first loop. */
    void interrupt() {
        thread.interrupt();
    }
}
