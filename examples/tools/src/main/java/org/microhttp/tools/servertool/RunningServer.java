package org.microhttp.tools.servertool;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Logger;
import org.microhttp.Stats;
import org.microhttp.extras.tls.TlsServer;
import org.microhttp.extras.tls.TlsSettings;

/**
 * The loops of a tool, or a server with TLS, which has loops inside.
 *
 * @param address where clients connect to
 * @param start   serves until it is stopped
 * @param stop    as {@link EventLoopGroup#stop(Duration)}
 * @param end     closes it
 */
record RunningServer(SocketAddress address, Runnable start, ToIntFunction<Duration> stop,
        Supplier<Stats> stats, Runnable end) implements AutoCloseable {

    /** @param tls null for none */
    static RunningServer of(ServerSettings settings, Logger logger, Handler handler, TlsSettings tls)
            throws IOException {
        int loops = settings.threads();
        if (tls == null) {
            var group = new EventLoopGroup(settings.options(), logger, handler, loops);
            return new RunningServer(group.getAddress(), group::start, group::stop, group::stats,
                    group::close);
        }
        var server = new TlsServer(settings.options(), logger, handler, tls, loops);
        return new RunningServer(server.getAddress(), server::start, server::stop, server::stats,
                server::close);
    }

    @Override
    public void close() {
        end.run();
    }
}
