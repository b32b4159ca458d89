package org.microhttp.providers;

import com.sun.management.OperatingSystemMXBean;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A program for the JDK's {@code HttpServer}, which is of the provider that the system property names. Runs
 * until it is killed.
 */
final class ProvidedServer {

    /** How many events a stream has, and how far they are apart. */
    static final int EVENTS = 200;
    private static final int APART_MILLIS = 5;

    static final byte[] EVENT = ("data: " + "x".repeat(92) + "\n\n").getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SMALL = "hello, world\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LARGE = new byte[1024 * 1024];
    private static final int PIECE = 8 * 1024;
    private static final int BACKLOG = 1024;

    private ProvidedServer() { }

    /** Takes a port, and whether handlers run on threads of the provider's own. */
    public static void main(String[] args) throws Throwable {
        HttpServer server =
                HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), BACKLOG);
        if (!Boolean.parseBoolean(args[1])) server.setExecutor(virtualThreads());
        server.createContext("/small", exchange -> respond(exchange, SMALL));
        server.createContext("/receive", ProvidedServer::receive);
        server.createContext("/large", exchange -> respond(exchange, LARGE));
        server.createContext("/pieces", ProvidedServer::respondInPieces);
        server.createContext("/events", ProvidedServer::stream);
        server.createContext("/cpu", exchange -> respond(exchange, cpuNanos()));
        server.start();
    }

    /** The sources are compiled for Java 17, which has none. */
    private static ExecutorService virtualThreads() throws Throwable {
        return (ExecutorService) MethodHandles.publicLookup().findStatic(Executors.class,
                "newVirtualThreadPerTaskExecutor", MethodType.methodType(ExecutorService.class)).invoke();
    }

    /** The CPU time that this process has taken. */
    private static byte[] cpuNanos() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Long.toString(system.getProcessCpuTime()).getBytes(StandardCharsets.US_ASCII);
    }

    private static void respond(HttpExchange exchange, byte[] body) throws IOException {
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    /** As a handler does that saves a file. */
    private static void receive(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        respond(exchange, SMALL);
    }

    private static void respondInPieces(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, LARGE.length);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int at = 0; at < LARGE.length; at += PIECE) {
                out.write(LARGE, at, PIECE);
            }
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
