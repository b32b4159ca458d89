package org.microhttp.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.*;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.Tier;

/** A server of HTTPS of the JDK's API, whose configurator says what is agreed with each client. */
@Tier.Program
final class JdkHttpsServerTest {

    private static final InetSocketAddress FREE =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static final String CONNECTIONS = "jdk.httpserver.maxConnections";

    /** For both sides: with a certificate, which it trusts. */
    private static SSLContext context() throws Exception {
        TlsFiles files = TlsFiles.of("EC jdk");
        return files.client(files);
    }

    /** Says what was agreed, and who the client is. */
    private static void describe(HttpExchange exchange) throws IOException {
        var session = ((HttpsExchange) exchange).getSSLSession();
        byte[] text = (session.getProtocol() + " " + session.getPeerPrincipal().getName())
                .getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, text.length);
        exchange.getResponseBody().write(text);
        exchange.close();
    }

    @Test
    void theConfiguratorDecidesAndTheHandlerSeesTheSession() throws Exception {
        SSLContext context = context();
        HttpsServer server = new MicrohttpProvider().createHttpsServer(FREE, 0);
        var seen = new CompletableFuture<InetSocketAddress>();
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                seen.complete(parameters.getClientAddress());
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setProtocols(new String[] {"TLSv1.2"});
                wanted.setNeedClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        server.createContext("/", JdkHttpsServerTest::describe);
        server.start();
        try {
            HttpClient client = HttpClient.newBuilder().sslContext(context).build();
            URI target = URI.create("https://localhost:" + server.getAddress().getPort() + "/");
            HttpRequest request = HttpRequest.newBuilder(target).build();
            String answer = client.send(request, BodyHandlers.ofString()).body();
            assertEquals("TLSv1.2 CN=EC jdk", answer);
            assertEquals(InetAddress.getLoopbackAddress(), seen.join().getAddress());
            assertThrows(IllegalStateException.class, () -> server.setHttpsConfigurator(null));
        } finally {
            server.stop(0);
        }
    }

    /** More than the front allows if nothing is set. */
    @Test
    void clientsThatAreSilentDelayNobody() throws Exception {
        SSLContext context = context();
        HttpsServer server = served(context);
        try (var silent = new SilentClients(server.getAddress().getPort(), context)) {
            silent.come(1_100, SilentClients.Step.CONNECTED);
            silent.assertDelayNobody();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void theNumberOfConnectionsIsThatOfTheProperty() throws Exception {
        SSLContext context = context();
        System.setProperty(CONNECTIONS, "1200");
        HttpsServer server = served(context);
        System.clearProperty(CONNECTIONS);
        int port = server.getAddress().getPort();
        try (var silent = new SilentClients(port, context);
                var first = new TlsClient(port, context, "TLSv1.3")) {
            silent.come(1_010, SilentClients.Step.CONNECTED);
            silent.assertDelayNobody();
            // at the limit another would have its place
            first.get("/").readUntil("\r\n\r\n");
        } finally {
            server.stop(0);
        }
    }

    private static HttpsServer served(SSLContext context) throws IOException {
        HttpsServer server = new MicrohttpProvider().createHttpsServer(FREE, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
        server.start();
        return server;
    }

    @Test
    void withoutAConfiguratorNobodyIsServed() throws Exception {
        HttpsServer server = new MicrohttpProvider().createHttpsServer(FREE, 0);
        server.createContext("/", JdkHttpsServerTest::describe);
        server.start();
        try {
            HttpClient client = HttpClient.newBuilder().sslContext(context()).build();
            URI target = URI.create("https://localhost:" + server.getAddress().getPort() + "/");
            HttpRequest request = HttpRequest.newBuilder(target).build();
            assertThrows(IOException.class, () -> client.send(request, BodyHandlers.ofString()));
        } finally {
            server.stop(0);
        }
    }
}
