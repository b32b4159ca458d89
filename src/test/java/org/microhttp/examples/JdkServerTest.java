package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.examples.tools.JdkServer.bytes;
import static org.microhttp.examples.tools.JdkServer.chunked;
import static org.microhttp.examples.tools.JdkServer.post;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.examples.tools.JdkServer;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RawResponse;

/** What a handler of the JDK's API sees and sends when the library serves it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class JdkServerTest {

    private static HttpHandler text(String text) {
        return exchange -> respond(exchange, text);
    }

    private static void respond(HttpExchange exchange, String text) throws IOException {
        exchange.sendResponseHeaders(200, text.length());
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes(text));
        }
    }

    /** Reads all, and answers with that. */
    private static void echo(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @ParameterizedTest
    @CsvSource({"/, root", "/app, root", "/apps/, apps", "/apps/x, apps", "/apps/foo, foo", "/apps/foobar, foo",
        "/Apps/, root", "/apps%2Ffoo, foo", "http://y/apps/z?q, apps"})
    void theLongestPathThatATargetBeginsWithCounts(String target, String context) throws Exception {
        try (var server = JdkServer.unstarted()) {
            server.server.createContext("/apps/foo", text("foo"));
            server.server.createContext("/", text("root"));
            server.server.createContext("/apps/", text("apps"));
            server.server.start();
            assertEquals(context, server.client().get(target).response().text());
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
            assertEquals("PUT /a HTTP/1.1 [1, 2]2 true " + server.port() + "/", seen.get(30, TimeUnit.SECONDS));
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

    @Test
    void aLengthOfZeroMeansChunks() throws Exception {
        try (var server = JdkServer.start(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(bytes("hello"));
            exchange.close();
        })) {
            RawClient client = server.client();
            for (int i = 0; i < 2; i++) {
                String response = client.get("/").readUntil("0\r\n\r\n");
                assertTrue(response.endsWith("\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), response);
                assertTrue(response.contains("Transfer-Encoding: chunked"), response);
            }
            // HTTP/1.0 has no chunks, so the end of the connection is the end of the body (RFC 9112 §6.3)
            String old = server.client().send("GET / HTTP/1.0\r\n\r\n").readToEnd();
            assertTrue(old.endsWith("\r\n\r\nhello"), old);
        }
    }

    @Test
    void aFlushSendsTheHeadAndEachPartAtOnce() throws Exception {
        var next = new java.util.concurrent.Semaphore(0);
        try (var server = JdkServer.start(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            for (int i = 0; i < 3; i++) {
                next.acquireUninterruptibly();
                exchange.getResponseBody().write(bytes("part" + i));
                exchange.getResponseBody().flush();
            }
            exchange.close();
        })) {
            RawClient client = server.client().get("/");
            assertTrue(client.readUntil("\r\n\r\n").contains("Transfer-Encoding: chunked"));
            for (int i = 0; i < 3; i++) {
                next.release();
                client.readUntil("5\r\npart" + i + "\r\n");
            }
            client.readUntil("0\r\n\r\n");
        }
    }

    /** The handler is as slow as its client: what it has written and is not taken is bounded. */
    @Test
    void aLargeResponseHoldsItsHandlerAndNotTheLoop() throws Exception {
        var written = new java.util.concurrent.atomic.AtomicLong();
        int total = 64 << 20;
        try (var server = JdkServer.start(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/large")) {
                exchange.sendResponseHeaders(200, total);
                var piece = new byte[10_000_000];
                for (long left = total; left > 0; left -= piece.length) {
                    exchange.getResponseBody().write(piece, 0, (int) Math.min(left, piece.length));
                    written.addAndGet(piece.length);
                }
                exchange.close();
            } else {
                respond(exchange, "small");
            }
        })) {
            RawClient slow = server.client(4096).get("/large");
            slow.readUntil("\r\n\r\n");
            RawClient other = server.client();
            for (int i = 0; i < 100; i++) {
                assertEquals("small", other.get("/").response().text());
            }
            assertTrue(written.get() < total / 2, written.get() + " bytes were written");
            assertEquals(total, slow.read(total));
        }
    }

    @ParameterizedTest
    @CsvSource({"10", "70000", "3000000"})
    void bodiesComeBackAsTheyWereSentCountedAndInChunks(int size) throws Exception {
        var random = new java.util.Random(size);
        byte[] body = random.ints(size, 'a', 'z').collect(StringBuilder::new, StringBuilder::appendCodePoint,
                StringBuilder::append).toString().getBytes();
        try (var server = JdkServer.start(JdkServerTest::echo)) {
            RawClient client = server.client();
            var sender = new Thread(() -> assertDoesNotThrow(() -> {
                client.send(post(size)).send(body);
                client.send(chunked()).send(Integer.toHexString(size) + "\r\n").send(body)
                        .send("\r\n0\r\n\r\n");
            }));
            sender.start();
            assertArrayEquals(body, client.response().body());
            assertArrayEquals(body, client.response().body());
            sender.join();
        }
    }

    /** The library takes a response after the body, so up to a MiB of it waits. */
    @Test
    void aHandlerMayRespondWhileItReads() throws Exception {
        int size = 600_000;
        try (var server = JdkServer.start(exchange -> {
            exchange.sendResponseHeaders(200, size);
            exchange.getRequestBody().transferTo(exchange.getResponseBody());
            exchange.close();
        })) {
            RawClient client = server.client().send(post(size)).send("x".repeat(size));
            assertEquals("x".repeat(size), client.response().text());
            assertEquals(size, client.send(post(size)).send("x".repeat(size)).response().body().length);
        }
    }

    @Test
    void aBodyIsNotAskedForBeforeItIsRead() throws Exception {
        try (var server = JdkServer.start(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/read")) {
                echo(exchange);
            } else {
                exchange.sendResponseHeaders(403, -1);
            }
        })) {
            String fields = " HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n";
            RawClient refused = server.client().send("POST /" + fields);
            RawResponse response = refused.response();
            assertEquals(403, response.status());
            assertTrue(response.closes());
            RawClient read = server.client().send("POST /read" + fields);
            assertEquals(100, read.response().status());
            assertEquals(100_000, read.send("x".repeat(100_000)).response().body().length);
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
                        public void write(int octet) throws IOException {
                            out.write(Character.toUpperCase(octet));
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
    void anAuthenticatorDecidesWhoIsServed() throws Exception {
        try (var server = JdkServer.unstarted()) {
            server.server.createContext("/", exchange -> respond(exchange, exchange.getPrincipal().getUsername()))
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
            server.server.createContext("/", JdkServerTest::echo);
            server.server.setExecutor(Runnable::run);
            server.server.start();
            RawClient client = server.client().send(post(100_000)).send("x".repeat(100_000));
            assertEquals(100_000, client.response().body().length);
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
                    new httpserver.MicrohttpProvider().createHttpServer(address, 0));
            server.server.start();
            assertThrows(IllegalStateException.class, server.server::start);
            assertThrows(IllegalStateException.class, () -> server.server.setExecutor(null));
        }
        var unbound = new httpserver.MicrohttpProvider().createHttpServer(null, 0);
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
        List<String> lines = java.nio.file.Files.readAllLines(java.nio.file.Path.of("examples/tools/httpserver/"
                + "META-INF/services/com.sun.net.httpserver.spi.HttpServerProvider"));
        assertEquals(List.of(httpserver.MicrohttpProvider.class.getName()), lines);
    }
}
