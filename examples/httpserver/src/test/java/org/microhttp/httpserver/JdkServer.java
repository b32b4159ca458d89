package org.microhttp.httpserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.microhttp.testing.RawClient;

/** A server of the JDK's API on the library, with one handler, at a free port. */
public final class JdkServer implements AutoCloseable {

    private static final int LIMIT_SECONDS = 30;

    public final HttpServer server;

    /** What the handler has thrown last. */
    public final AtomicReference<Throwable> thrown = new AtomicReference<>();

    private final CountDownLatch failed = new CountDownLatch(1);
    private final List<RawClient> clients = new ArrayList<>();

    /** Not started yet. */
    private JdkServer() throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = new MicrohttpProvider().createHttpServer(address, 0);
    }

    public static JdkServer unstarted() throws IOException {
        return new JdkServer();
    }

    public static JdkServer start(HttpHandler handler) throws IOException {
        var started = new JdkServer();
        started.server.createContext("/", started.noted(handler));
        started.server.start();
        return started;
    }

    private HttpHandler noted(HttpHandler handler) {
        return exchange -> {
            try {
                handler.handle(exchange);
            } catch (Throwable t) {
                thrown.set(t);
                failed.countDown();
                throw t;
            }
        };
    }

    /** Waits until the handler has thrown something. */
    public Throwable awaitFailure() throws InterruptedException {
        if (!failed.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the handler goes on");
        }
        return thrown.get();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** A client of its own, which is closed with the server. */
    public RawClient client() throws IOException {
        return client(0);
    }

    public RawClient client(int receiveBufferSize) throws IOException {
        var client = new RawClient(port(), receiveBufferSize);
        clients.add(client);
        return client;
    }

    /** Answers with this text. */
    public static void respond(HttpExchange exchange, String text) throws IOException {
        exchange.sendResponseHeaders(200, text.length());
        exchange.getResponseBody().write(bytes(text));
        exchange.close();
    }

    /** Reads all, and answers with that. */
    public static void echo(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The head of a request with a body of that length. */
    public static String post(int length) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** The head of a request with a body in chunks. */
    public static String chunked() {
        return "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    /** Whether a thread of that name is there. */
    public static boolean hasThread(String name) {
        var threads = new Thread[2 * Thread.activeCount()];
        int count = Thread.enumerate(threads);
        return Arrays.stream(threads, 0, count).anyMatch(thread -> thread.getName().equals(name));
    }

    @Override
    public void close() throws IOException {
        server.stop(0);
        for (RawClient client : clients) {
            client.close();
        }
    }
}
