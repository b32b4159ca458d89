package org.microhttp.httpserver;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.httpserver.JdkServer.*;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.net.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;

/** What a handler of the JDK's API sees and sends when the library serves it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class JdkServerTest {

    private static HttpHandler text(String text) {
        return exchange -> respond(exchange, text);
    }

    @ParameterizedTest
    @CsvSource({"/, root", "/app, root", "/apps/, apps", "/apps/x, apps", "/apps/foo, foo",
        "/apps/foobar, foo", "/Apps/, root", "/apps%2Ffoo, foo", "http://y/apps/z?q, apps",
        "http://y, root"})
    void theLongestPathThatATargetBeginsWithCounts(String target, String context) throws Exception {
        try (var server = JdkServer.unstarted()) {
            server.server.createContext("/apps/foo", text("foo"));
            server.server.createContext("/", text("root"));
            server.server.createContext("/apps/", text("apps"));
            server.server.start();
            assertEquals(context, server.client().get(target).response().text());
        }
    }

    /** What follows is a host to the JDK's URI, and a path to a proxy that has checked it. */
    @ParameterizedTest
    @CsvSource({"//x/apps", "///apps", "//apps", "//x/"})
    void aTargetThatBeginsWithTwoSlashesHasNoContext(String target) throws Exception {
        try (var server = JdkServer.unstarted()) {
            server.server.createContext("/", text("root"));
            server.server.createContext("/apps", text("apps"));
            server.server.start();
            RawClient client = server.client();
            assertEquals(404, client.get(target).response().status());
            String chunks = JdkServer.chunked().replace(" / ", " " + target + " ") + "0\r\n\r\n";
            assertEquals(404, client.send(chunks).response().status());
        }
    }

    @Test
    void aContextThatIsRemovedIsNotFound() throws Exception {
        try (var server = JdkServer.unstarted()) {
            HttpContext context = server.server.createContext("/a");
            assertThrows(IllegalArgumentException.class, () -> server.server.createContext("/a"));
            assertThrows(IllegalArgumentException.class, () -> server.server.createContext("a"));
            server.server.start();
            assertEquals(500, server.client().get("/a").response().status());
            context.setHandler(text("a"));
            assertEquals("a", server.client().get("/a").response().text());
            server.server.removeContext("/a");
            RawClient client = server.client();
            assertEquals(404, client.get("/a").response().status());
            assertEquals(404, client.send("POST" + post(100_000).substring(4)).response().status());
            assertThrows(IllegalArgumentException.class, () -> server.server.removeContext("/a"));
        }
    }

    @Test
    void aHandlerSeesTheRequest() throws Exception {
        var seen = new CompletableFuture<String>();
        try (var server = JdkServer.start(exchange -> {
            Headers fields = exchange.getRequestHeaders();
            assertThrows(UnsupportedOperationException.class, () -> fields.add("A", "b"));
            assertThrows(UnsupportedOperationException.class, () -> fields.get("x-a").add("c"));
            assertThrows(UnsupportedOperationException.class, () -> fields.entrySet().clear());
            seen.complete(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath() + " "
                    + exchange.getProtocol() + " " + fields.get("X-A") + fields.size() + " "
                    + exchange.getRemoteAddress().getAddress().isLoopbackAddress() + " "
                    + exchange.getLocalAddress().getPort() + exchange.getHttpContext().getPath());
            exchange.sendResponseHeaders(204, -1);
        })) {
            server.client().send("PUT /%61?b HTTP/1.1\r\nHost: x\r\nx-a: 1\r\nX-A: 2\r\n\r\n").response();
            String expected = "PUT /a HTTP/1.1 [1, 2]2 true " + server.port() + "/";
            assertEquals(expected, seen.get(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void attributesAreTheExchangesAndElseTheContexts() throws Exception {
        try (var server = JdkServer.unstarted()) {
            HttpContext context = server.server.createContext("/", exchange -> {
                String before = "" + exchange.getAttribute("own") + exchange.getAttribute("shared");
                exchange.setAttribute("own", 1);
                respond(exchange, before + exchange.getAttribute("own"));
            });
            context.getAttributes().put("shared", 2);
            server.server.start();
            RawClient client = server.client();
            assertEquals("null21", client.get("/").response().text());
            assertEquals("null21", client.get("/").response().text());
        }
    }

    @Test
    void aResponseToHeadHasTheFieldsAndNoBody() throws Exception {
        try (var server = JdkServer.start(exchange -> {
            exchange.getResponseHeaders().set("Content-Length", "5");
            exchange.sendResponseHeaders(200, -1);
            exchange.getResponseBody().write(bytes("hello"));
            exchange.close();
        })) {
            RawClient client = server.client();
            for (int i = 0; i < 2; i++) {
                RawResponse response = client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n").response(true);
                assertEquals("5", response.header("Content-Length"));
            }
            assertNull(server.thrown.get());
        }
    }

    @ParameterizedTest
    @CsvSource({"200, -1, 0", "204, 5, ", "304, 5, ", "200, 5, 5"})
    void theFramingFollowsFromStatusAndLength(int status, long length, String sent) throws Exception {
        try (var server = JdkServer.start(exchange -> {
            exchange.sendResponseHeaders(status, length);
            if (status != 204 && status != 304 && length >= 0) {
                exchange.getResponseBody().write(bytes("hello"));
            }
            exchange.close();
        })) {
            RawClient client = server.client();
            for (int i = 0; i < 2; i++) {
                RawResponse response = client.get("/").response();
                assertEquals(status, response.status());
                assertEquals(sent, response.header("Content-Length"));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"200, OK", "206, Partial Content", "207, ''", "299, ''", "308, ''", "404, Not Found",
        "422, ''", "505, HTTP Version Not Supported", "511, ''"})
    void theReasonPhrasesAreThoseOfTheJdk(int status, String phrase) throws Exception {
        try (var server = JdkServer.start(exchange -> exchange.sendResponseHeaders(status, -1))) {
            String head = server.client().get("/").response().head();
            assertEquals("HTTP/1.1 " + status + " " + phrase, head.substring(0, head.indexOf("\r\n")));
        }
    }

    @Test
    void filtersRunInOrderAndMayReplaceTheStreams() throws Exception {
        try (var server = JdkServer.unstarted()) {
            HttpContext context = server.server.createContext("/", text("text"));
            context.getFilters().add(Filter.beforeHandler("", exchange ->
                    exchange.getResponseHeaders().set("X-First", "1")));
            context.getFilters().add(new Filter() {
                @Override
                public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
                    exchange.setStreams(null, new FilterOutputStream(exchange.getResponseBody()) {
                        @Override
                        public void write(int value) throws IOException {
                            out.write(Character.toUpperCase(value));
                        }
                    });
                    chain.doFilter(exchange);
                }

                @Override
                public String description() {
                    return "";
                }
            });
            server.server.start();
            RawResponse response = server.client().get("/").response();
            assertEquals("TEXT", response.text());
            assertEquals("1", response.header("X-First"));
        }
    }

    @Test
    void authenticatorRefusesStrangers() throws Exception {
        try (var server = JdkServer.unstarted()) {
            HttpHandler named = exchange -> respond(exchange, exchange.getPrincipal().getUsername());
            server.server.createContext("/", named)
                    .setAuthenticator(new BasicAuthenticator("here") {
                        @Override
                        public boolean checkCredentials(String user, String password) {
                            return password.equals("secret");
                        }
                    });
            server.server.start();
            RawClient client = server.client();
            RawResponse refused = client.get("/").response();
            assertEquals(401, refused.status());
            assertTrue(refused.header("WWW-Authenticate").startsWith("Basic realm=\"here\""));
            String token = Base64.getEncoder().encodeToString(bytes("ada:secret"));
            client.send("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic " + token + "\r\n\r\n");
            assertEquals("ada", client.response().text());
        }
    }

    /** One that runs its tasks itself would block the loop, which has yet to bring the body. */
    @Test
    void anExecutorThatRunsItsTasksItselfDoesNotBlockTheLoop() throws Exception {
        try (var server = JdkServer.unstarted()) {
            server.server.createContext("/", JdkServer::echo);
            server.server.setExecutor(Runnable::run);
            server.server.start();
            RawClient client = server.client().send(post(100_000)).send("x".repeat(100_000));
            assertEquals(100_000, client.response().body().length);
        }
    }

    /** Without one that the program has set, too. */
    @Test
    void aHandlerMayGoOnByTheExecutorOfItsServer() throws Exception {
        try (var server = JdkServer.unstarted()) {
            server.server.createContext("/", exchange ->
                    server.server.getExecutor().execute(() ->
                            assertDoesNotThrow(() -> respond(exchange, "text"))));
            assertNull(server.server.getExecutor());
            server.server.start();
            assertEquals("text", server.client().get("/").response().text());
            assertSame(server.server.getExecutor(), server.server.getExecutor());
        }
    }

    @Test
    void aServerIsBoundOnceAndStartedOnce() throws Exception {
        try (var server = JdkServer.unstarted()) {
            InetSocketAddress address = server.server.getAddress();
            assertThrows(BindException.class, () -> server.server.bind(address, 0));
            try (var other = JdkServer.unstarted()) {
                assertNotEquals(address, other.server.getAddress());
            }
            assertThrows(BindException.class, () ->
                    new MicrohttpProvider().createHttpServer(address, 0));
            server.server.start();
            assertThrows(IllegalStateException.class, server.server::start);
            assertThrows(IllegalStateException.class, () -> server.server.setExecutor(null));
        }
        var unbound = new MicrohttpProvider().createHttpServer(null, 0);
        assertNull(unbound.getAddress());
        assertThrows(IllegalStateException.class, unbound::start);
        unbound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        assertTrue(unbound.getAddress().getPort() > 0);
        unbound.stop(0);
        assertThrows(IllegalStateException.class, unbound::start);
    }

    @Test
    void interimResponsesAreLeftOutAndAnUpgradeIsRefused() throws Exception {
        var refused = new CompletableFuture<String>();
        try (var server = JdkServer.start(exchange -> {
            exchange.sendResponseHeaders(103, -1);
            IOException failure = assertThrows(IOException.class, () -> exchange.sendResponseHeaders(101, 0));
            refused.complete(failure.getMessage());
            respond(exchange, "final");
        })) {
            assertEquals("final", server.client().get("/").response().text());
            assertTrue(refused.get(30, TimeUnit.SECONDS).contains("RFC 9110 §7.8"));
        }
    }

    @Test
    void severalLoopsServeOnePort() throws Exception {
        System.setProperty("org.microhttp.httpserver.loops", "3");
        try (var server = JdkServer.start(text("text"))) {
            for (int i = 0; i < 10; i++) {
                assertEquals("text", server.client().get("/").response().text());
            }
        } finally {
            System.clearProperty("org.microhttp.httpserver.loops");
        }
    }

    @ParameterizedTest
    @CsvSource({"sun.net.httpserver.maxReqHeaders, 1, 431", "sun.net.httpserver.maxReqHeaderSize, 20, 431",
        "sun.net.httpserver.maxReqHeaders, none, 200"})
    void propertiesOfTheJdkAreLimitsHere(String property, String value, int status) throws Exception {
        System.setProperty(property, value);
        try (var server = JdkServer.start(text("text"))) {
            RawClient client = server.client().send("GET / HTTP/1.1\r\nHost: x\r\nX: y\r\n\r\n");
            assertEquals(status, client.response().status());
        } finally {
            System.clearProperty(property);
        }
    }

    @Test
    void anHttpServerIsNamedInTheServiceFile() throws Exception {
        Path file = Path.of("examples/httpserver/src/main/resources/META-INF/services/"
                + "com.sun.net.httpserver.spi.HttpServerProvider");
        List<String> lines = Files.readAllLines(file);
        assertEquals(List.of(MicrohttpProvider.class.getName()), lines);
    }
}
