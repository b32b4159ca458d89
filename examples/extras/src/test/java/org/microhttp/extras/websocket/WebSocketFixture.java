package org.microhttp.extras.websocket;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.microhttp.Options;
import org.microhttp.extras.testing.FrameClient;
import org.microhttp.extras.testing.NotedSocket;
import org.microhttp.testing.TestServer;

/** Connections of the package {@code websocket} over real sockets, which end with the test. */
abstract class WebSocketFixture {

    static final byte[] NONE = {};

    /** Enough for a client that is held up by a busy machine. */
    static final Duration SHORT = Duration.ofSeconds(1);

    volatile WebSocketOptions options = new WebSocketOptions();
    final NotedSocket noted = new NotedSocket();
    final List<AutoCloseable> opened = new ArrayList<>();
    TestServer server;

    void start(Options serverOptions, WebSocketListener listener) throws IOException {
        server = new TestServer(serverOptions, (request, callback) ->
                callback.accept(WebSocket.upgrade(request, options, listener)));
        opened.add(server);
    }

    FrameClient connect() throws Exception {
        return connect(0);
    }

    FrameClient connect(int receiveBufferSize) throws Exception {
        return connect(receiveBufferSize, "");
    }

    /** @param fields lines of the handshake, besides those that each one has */
    FrameClient connect(int receiveBufferSize, String fields) throws Exception {
        if (server == null) {
            start(TestServer.options(), noted);
        }
        var client = new FrameClient(server.itself.getPort(), receiveBufferSize, fields);
        opened.add(0, client);
        noted.expect("open");
        return client;
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        assertEquals(0, noted.left(), "calls after the end");
    }
}
