package org.microhttp.faults.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Logger;
import org.microhttp.Occupancy;
import org.microhttp.Stats;

/** A group of loops, or a loop by itself, on a free port; and what its connections share. */
final class ChaosServer {

    private static final int TRIES = 100;

    final int port;
    final int loops;
    final Occupancy occupancy;
    private final EventLoopGroup group;
    private final EventLoop single;

    ChaosServer(ChaosLimits limits, Logger logger, Handler handler, Random random) throws Exception {
        loops = limits.loops;
        if (loops > 1) {
            group = bind(random, free -> new EventLoopGroup(limits.options(free), logger, handler, loops));
            single = null;
            port = group.getPort();
            occupancy = Occupancy.of(group);
        } else {
            single = bind(random, free -> new EventLoop(limits.options(free), logger, handler));
            group = null;
            port = single.getPort();
            occupancy = new Occupancy(single);
        }
    }

    /** Makes a server that listens on this port. */
    private interface Binding<T> {
        T bind(int port) throws IOException;
    }

    /**
     * Not one of those that the system gives to clients: when the server is gone, a client that connects to
     * such a port may get it for its own end, and so be connected with itself.
     */
    private static <T> T bind(Random random, Binding<T> binding) throws IOException {
        IOException failure = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return binding.bind(20_000 + random.nextInt(12_000));
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    void start() {
        if (group != null) {
            group.start();
        } else {
            single.start();
        }
    }

    void stop() {
        if (group != null) {
            group.stop();
        } else {
            single.stop();
        }
    }

    int stop(Duration grace) {
        return group != null ? group.stop(grace) : single.stop(grace);
    }

    void close() {
        if (group != null) {
            group.close();
        } else {
            single.close();
        }
    }

    Stats stats() {
        return group != null ? group.stats() : single.stats();
    }
}
