package org.microhttp.extras.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.microhttp.*;
import org.microhttp.extras.websocket.*;
import org.microhttp.testing.Heap;
import org.microhttp.testing.InputCommands;

/**
 * The server of the mode {@code sockets} of {@code Endurance}, for {@code ServerProcess}: WebSockets at
 * /socket, else a short text.
 */
public final class SocketsServer implements WebSocketListener {

    /** The name of the server's program. */
    public static final String MAIN = SocketsServer.class.getName();

    private final WebSocketGroup group = new WebSocketGroup();
    private final WebSocketOptions options = new WebSocketOptions();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger abnormal = new AtomicInteger();
    private final EventLoop loop;

    private SocketsServer() throws IOException {
        Options server = new Options().withHost("127.0.0.1").withPort(0)
                .withSocketTimeout(Duration.ofMinutes(10));
        loop = new EventLoop(server, new NoopLogger(),
                (request, callback) -> callback.accept(answer(request)));
    }

    public static void main(String[] arguments) throws IOException {
        var server = new SocketsServer();
        System.out.println(server.loop.getPort());
        InputCommands.answer(server::obey);
        server.loop.start();
    }

    private Response answer(Request request) {
        return request.path().equals("/socket") ? WebSocket.upgrade(request, options, this)
                : Response.text(200, "here");
    }

    @Override
    public void onOpen(WebSocket socket) {
        group.add(socket);
        open.incrementAndGet();
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason) {
        group.remove(socket);
        open.decrementAndGet();
        if (code != 1000) {
            abnormal.incrementAndGet();
        }
    }

    /**
     * "send TEXT" sends it to all; "heap" is what is live; "connections", "open" and "abnormal" are counted.
     */
    private Object obey(String line) {
        return switch (line.split(" ")[0]) {
            case "send" -> send(line.substring("send ".length()));
            case "heap" -> Heap.live();
            case "connections" -> loop.stats().connections();
            case "open" -> open;
            default -> abnormal;
        };
    }

    private String send(String text) {
        group.send(WebSocketMessage.text(text));
        return text;
    }
}
