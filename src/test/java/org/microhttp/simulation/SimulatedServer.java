package org.microhttp.simulation;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Inside;
import org.microhttp.Logger;
import org.microhttp.Occupancy;
import org.microhttp.Options;
import org.microhttp.Stats;

/** A loop by itself, or a group: what both can. */
final class SimulatedServer {

    private final EventLoop loop;
    private final EventLoopGroup group;
    final List<EventLoop> loops = new ArrayList<>();
    final Occupancy occupancy;
    private Thread thread;

    SimulatedServer(Conditions conditions, Options options, Logger logger, Handler handler)
            throws IOException, ReflectiveOperationException {
        int size = conditions.loops();
        if (!conditions.grouped()) {
            loop = new EventLoop(options, logger, handler);
            group = null;
            loops.add(loop);
        } else {
            loop = null;
            refuseNone(options, logger, handler);
            group = conditions.sharedPort() ? new EventLoopGroup(options, logger, handler, size)
                    : Inside.groupWithoutSharedPort(options, logger, handler, size);
            for (int i = 0; i < size; i++) {
                loops.add(Inside.loop(group, i));
            }
        }
        occupancy = new Occupancy(loops.toArray(EventLoop[]::new));
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
        if (loop != null) {
            loop.start();
        } else {
            group.start();
        }
    }

    void stop() {
        if (loop != null) {
            loop.stop();
        } else {
            group.stop();
        }
    }

    /** Interrupts the thread that runs the first loop. */
    void interrupt() {
        thread.interrupt();
    }

    void close() {
        if (loop != null) {
            loop.close();
        } else {
            group.close();
        }
    }

    int stop(Duration grace) {
        return loop != null ? loop.stop(grace) : group.stop(grace);
    }

    int port() {
        return loop != null ? loop.getPort() : group.getPort();
    }

    Stats stats() {
        return loop != null ? loop.stats() : group.stats();
    }
}
