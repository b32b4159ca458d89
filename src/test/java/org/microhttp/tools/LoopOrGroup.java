package org.microhttp.tools;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.microhttp.*;

/** A loop by itself, or a group: what both can. */
public class LoopOrGroup implements AutoCloseable {

    /** What a test of both runs with, one after the other: {@code @EnumSource}. */
    public enum Kind {

        LOOP(1), GROUP(3),

        /** A group whose first loop accepts for all, as on a platform without shared ports. */
        HANDING_OVER(3);

        /** How many loops it has unless a test says otherwise. */
        public final int loops;

        Kind(int loops) {
            this.loops = loops;
        }

        public LoopOrGroup make(Options options, Logger logger, Handler handler, int size)
                throws IOException {
            return new LoopOrGroup(switch (this) {
                case LOOP -> new EventLoop(options, logger, handler);
                case GROUP -> new EventLoopGroup(options, logger, handler, size);
                case HANDING_OVER -> Inside.groupWithoutSharedPort(options, logger, handler, size);
            });
        }

        /** One that does not run yet. */
        public LoopOrGroup make(Options options, Handler handler) throws IOException {
            return make(options, new NoopLogger(), handler, loops);
        }
    }

    /** One of these is null. */
    public final EventLoop loop;
    public final EventLoopGroup group;

    public LoopOrGroup(AutoCloseable server) {
        loop = server instanceof EventLoop single ? single : null;
        group = server instanceof EventLoopGroup several ? several : null;
    }

    /** The loop, or those of the group. */
    @SuppressWarnings("unchecked")
    public final List<EventLoop> loops() throws ReflectiveOperationException {
        return loop != null ? List.of(loop) : Inside.of(group, List.class);
    }

    public void start() {
        if (loop != null) {
            loop.start();
        } else {
            group.start();
        }
    }

    public void stop() {
        if (loop != null) {
            loop.stop();
        } else {
            group.stop();
        }
    }

    public int stop(Duration grace) {
        return loop != null ? loop.stop(grace) : group.stop(grace);
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        } else {
            group.close();
        }
    }

    public int port() {
        return loop != null ? loop.getPort() : group.getPort();
    }

    public SocketAddress address() {
        return loop != null ? loop.getAddress() : group.getAddress();
    }

    public Stats stats() {
        return loop != null ? loop.stats() : group.stats();
    }
}
