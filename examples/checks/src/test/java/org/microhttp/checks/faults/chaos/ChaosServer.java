package org.microhttp.checks.faults.chaos;

import java.io.IOException;
import java.util.Random;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Inside;
import org.microhttp.Logger;
import org.microhttp.Occupancy;
import org.microhttp.Server;

/** A group of loops, or a loop by itself, on a free port; and what its connections share. */
final class ChaosServer {

    private static final int TRIES = 100;

    final Server itself;
    final int port;
    final int loops;
    final Occupancy occupancy;

    ChaosServer(ChaosLimits limits, Logger logger, Handler handler, Random random) throws Exception {
        itself = bind(random, free -> limits.loops > 1
                ? new EventLoopGroup(limits.options(free), logger, handler, limits.loops)
                : new EventLoop(limits.options(free), logger, handler));
        port = itself.getPort();
        loops = limits.loops;
        occupancy = new Occupancy(Inside.loops(itself).toArray(EventLoop[]::new));
    }

    /** Makes a server that listens on this port. */
    private interface Binding {
        Server bind(int port) throws IOException;
    }

    /**
     * Not one of those that the system gives to clients: when the server is gone, a client that connects to
     * such a port may get it for its own end, and so be connected with itself.
     */
    private static Server bind(Random random, Binding binding) throws IOException {
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
}
