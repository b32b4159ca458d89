package org.microhttp.extras.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.ByteBuffer;
import java.util.concurrent.*;
import org.microhttp.extras.websocket.WebSocket;
import org.microhttp.extras.websocket.WebSocketListener;

/**
 * Notes what a listener is called for: {@code open}, {@code text abc}, {@code binary 6162}, {@code close 1000
 * }.
 */
public final class NotedSocket implements WebSocketListener {

    private static final int LIMIT_SECONDS = 20;

    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final BlockingQueue<WebSocket> sockets = new LinkedBlockingQueue<>();

    @Override
    public void onOpen(WebSocket socket) {
        sockets.add(socket);
        calls.add("open");
    }

    @Override
    public void onText(WebSocket socket, String text) {
        calls.add("text " + text);
        if (text.equals("throw")) {
            throw new IllegalStateException("as it was told");
        }
    }

    @Override
    public void onBinary(WebSocket socket, ByteBuffer data) {
        calls.add(ClientFrames.word(ClientFrames.BINARY, data));
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason) {
        calls.add("close " + code + " " + reason);
    }

    /** The next connection that opens. */
    public WebSocket socket() throws InterruptedException {
        WebSocket socket = sockets.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertNotNull(socket);
        return socket;
    }

    public String next() throws InterruptedException {
        String call = calls.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertNotNull(call, "nothing was called");
        return call;
    }

    public NotedSocket expect(String... expected) throws InterruptedException {
        for (String call : expected) {
            assertEquals(call, next());
        }
        return this;
    }

    /** Skips what comes before the end, which must be the last call. */
    public String end() throws InterruptedException {
        String call = next();
        while (!call.startsWith("close ")) {
            call = next();
        }
        return call;
    }

    public int left() {
        return calls.size();
    }
}
