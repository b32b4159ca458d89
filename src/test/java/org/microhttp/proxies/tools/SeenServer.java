package org.microhttp.proxies.tools;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.microhttp.EventLoop;
import org.microhttp.Options;
import org.microhttp.tools.TestServer;
import org.microhttp.wire.conformance.ConformanceCase;

/** A server to put behind a proxy: it answers each request with its target, and knows what it saw. */
public final class SeenServer implements AutoCloseable {

    private static final int LIMIT_SECONDS = 10;

    public final SeenLog log = new SeenLog();

    private final EventLoop loop;
    private final Thread thread;

    /** On any free port. */
    public SeenServer() throws IOException {
        Options options = TestServer.options().withMaxRequestSize(ConformanceCase.MAX);
        loop = new EventLoop(options, log, TestServer::echoTarget);
        thread = new Thread(loop::start, "server behind a proxy");
        thread.start();
    }

    public int port() {
        return loop.getPort();
    }

    @Override
    public void close() {
        stop();
    }

    /** Closes every connection, and the port. Returns when that is done; once more does no harm. */
    public void stop() {
        loop.stop();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (thread.isAlive()) {
            throw new IllegalStateException("the loop does not end");
        }
    }
}
