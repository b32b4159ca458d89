package org.microhttp.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * The JDK's own server in the comparison: answers as {@link ThroughputServer} does, on its one thread, which
 * is its default. Runs until it is killed.
 */
public final class JdkServer {

    private static final byte[] HELLO = "hello world\n".getBytes(StandardCharsets.US_ASCII);

    private JdkServer() { }

    public static void main(String[] args) throws IOException {
        var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
        HttpServer server = HttpServer.create(address, 16_384);
        server.createContext("/", JdkServer::answer);
        server.start();
        System.out.println("listening on 127.0.0.1:" + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        boolean post = exchange.getRequestMethod().equals("POST");
        byte[] body = post ? exchange.getRequestBody().readAllBytes() : HELLO;
        String type = post ? "application/octet-stream" : "text/plain";
        exchange.getResponseHeaders().set("Content-Type", type);
        // it closes when asked to, but does not say so itself, and a client would take that for an error
        boolean close = "close".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Connection"));
        if (close) exchange.getResponseHeaders().set("Connection", "close");
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) { out.write(body); }
    }
}
