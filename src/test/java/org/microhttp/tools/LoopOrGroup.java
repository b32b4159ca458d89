package org.microhttp.tools;

import java.time.Duration;
import java.util.List;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Inside;
import org.microhttp.Stats;

/** A loop by itself, or a group: what both can. */
public class LoopOrGroup implements AutoCloseable {

    /** One of them is null. */
    private final EventLoop loop;
    private final EventLoopGroup group;

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

    public Stats stats() {
        return loop != null ? loop.stats() : group.stats();
    }
}
