package org.microhttp;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A group of loops, or a loop by itself, on a free port; and what its connections share. */
final class ChaosServer {

    private static final int TRIES = 100;

    final int port;
    final List<Shared> loops = new ArrayList<>();
    private final EventLoopGroup group;
    private final EventLoop single;

    ChaosServer(ChaosLimits limits, Logger logger, Handler handler, Random random) throws Exception {
        if (limits.loops > 1) {
            int size = limits.loops;
            group = bind(random, free -> new EventLoopGroup(limits.options(free), logger, handler, size));
            single = null;
            port = group.getPort();
            for (Object loop : Inside.of(group, List.class)) {
                loops.add(Inside.of(loop, Shared.class));
            }
        } else {
            single = bind(random, free -> new EventLoop(limits.options(free), logger, handler));
            group = null;
            port = single.getPort();
            loops.add(Inside.of(single, Shared.class));
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

    Common common() {
        return loops.get(0).common;
    }

    /** False only when every loop has ended, or is about to. */
    boolean isServing() {
        return loops.stream().anyMatch(loop -> loop.selector.isOpen());
    }

    /** The time of the present turn; on a thread of the server. */
    long now() {
        for (Shared loop : loops) {
            if (loop.isLoopThread()) {
                return loop.now();
            }
        }
        throw new IllegalStateException("not a thread of the server");
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
