package org.microhttp.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A program for the JDK's {@code HttpServer}, or for another provider of it, which a system property names.
 * Answers as {@link ThroughputServer} does, and at other paths uploads, downloads and streams. Its handlers
 * run on the server's own thread, or with {@code virtual} on virtual ones. Runs until it is killed.
 */
public final class JdkServer {

    /** How many events a stream has, and how far they are apart. */
    private static final int EVENTS = 200, APART_MILLIS = 5;

    private static final byte[] EVENT =
            ("data: " + "x".repeat(92) + "\n\n").getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HELLO = "hello world\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LARGE = new byte[1024 * 1024];
    private static final int PIECE = 8 * 1024;

    private JdkServer() { }

    public static void main(String[] args) throws Throwable {
        var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
        HttpServer server = HttpServer.create(address, 16_384);
        boolean virtual = args.length > 1 && args[1].equals("virtual");
        if (virtual) server.setExecutor(virtualThreads());
        server.createContext("/", JdkServer::answer);
        server.createContext("/receive", JdkServer::receive);
        server.createContext("/large", exchange -> respond(exchange, "application/octet-stream", LARGE));
        server.createContext("/pieces", JdkServer::respondInPieces);
        server.createContext("/events", JdkServer::stream);
        server.start();
    }

    /** The sources are compiled for Java 17, which has none. */
    private static ExecutorService virtualThreads() throws Throwable {
        return (ExecutorService) MethodHandles.publicLookup().findStatic(Executors.class,
                "newVirtualThreadPerTaskExecutor", MethodType.methodType(ExecutorService.class)).invoke();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        boolean post = exchange.getRequestMethod().equals("POST");
        byte[] body = post ? exchange.getRequestBody().readAllBytes() : HELLO;
        // it closes when asked to, but does not say so itself, and a client would take that for an error
        boolean close = "close".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Connection"));
        if (close) exchange.getResponseHeaders().set("Connection", "close");
        respond(exchange, post ? "application/octet-stream" : "text/plain", body);
    }

    private static void respond(HttpExchange exchange, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) { out.write(body); }
    }

    /** As a handler does that saves a file. */
    private static void receive(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        respond(exchange, "text/plain", HELLO);
    }

    private static void respondInPieces(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, LARGE.length);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int at = 0; at < LARGE.length; at += PIECE) out.write(LARGE, at, PIECE);
        }
    }

    private static void stream(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int i = 0; i < EVENTS; i++) {
                Thread.sleep(APART_MILLIS);
                out.write(EVENT);
                out.flush();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
