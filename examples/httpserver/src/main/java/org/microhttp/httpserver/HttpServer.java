package org.microhttp.httpserver;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A program to try the provider: a server of the JDK's API that answers each request with the request's body,
 * or else with the class of the server. A program of your own needs nothing of this class.
 */
public final class HttpServer {

    private HttpServer() {
    }

    public static void main(String[] args) {
        try {
            if (args.length != 0 && (args.length != 2 || !args[0].equals("--port"))) {
                throw new IllegalArgumentException("no other flags; N is 8080 by default, and 0 a free port");
            }
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[1]);
            var server = new MicrohttpProvider().createHttpServer(new InetSocketAddress(port), 0);
            server.createContext("/", HttpServer::handle);
            server.start();
            System.out.println("listening on port " + server.getAddress().getPort());
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("HttpServer [--port N]: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void handle(HttpExchange exchange) throws IOException {
        String name = exchange.getHttpContext().getServer().getClass().getName();
        byte[] body = exchange.getRequestBody().readAllBytes();
        byte[] answer = body.length > 0 ? body : (name + "\n").getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }
}
