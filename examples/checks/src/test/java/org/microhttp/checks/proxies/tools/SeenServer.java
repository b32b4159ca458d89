package org.microhttp.checks.proxies.tools;

import java.io.IOException;
import org.microhttp.testing.TestServer;
import org.microhttp.wire.model.ParserVector;

/** A server to put behind a proxy: it answers each request with its target, and knows what it saw. */
public final class SeenServer implements AutoCloseable {

    public final SeenLog log = new SeenLog();

    private final TestServer server = new TestServer(
            TestServer.options().withMaxRequestSize(ParserVector.DEFAULT_LIMITS.requestSize()), log,
            TestServer::echoTarget);

    /** On any free port. */
    public SeenServer() throws IOException {
    }

    public int port() {
        return server.port();
    }

    /** Closes every connection, and the port. Returns when that is done; once more does no harm. */
    public void stop() throws IOException {
        server.stop();
    }

    @Override
    public void close() throws IOException {
        stop();
    }
}
