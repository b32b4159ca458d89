package org.microhttp.httpserver;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.httpserver.JdkServer.*;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/**
 * Handlers of the JDK's API that break its rules, and clients that leave. Requests have one place, so what is
 * left behind by one of them would be seen by the next: it would get a 503.
 */
@Tier.Gate
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class JdkServerFaultsTest {

    private static final String PLACES = "org.microhttp.httpserver.maxPendingRequests";

    /** More than is kept in memory before a response is streamed. */
    private static final int LARGE = 100_000;

    @BeforeEach
    void haveOnePlace() {
        System.setProperty(PLACES, "1");
    }

    @AfterEach
    void havePlacesAgain() {
        System.clearProperty(PLACES);
    }

    /** Serves a good request, besides what a handler does wrong with any other. */
    private static JdkServer serve(HttpHandler wrong) throws IOException {
        return JdkServer.start(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/good")) {
                respond(exchange, "good");
            } else {
                wrong.handle(exchange);
            }
        });
    }

    private static void assertServes(JdkServer server) throws IOException {
        assertEquals("good", server.client().get("/good").response().text());
    }

    /** A client sees a status, and if it looks at none, the end of the connection in the body. */
    private static void assertFails(RawClient client) {
        String text = client.readUntilItFails();
        assertTrue(text.startsWith("HTTP/1.1 500 ") && text.endsWith("\r\n\r\n"), text);
        assertTrue(text.contains("Content-Length: 1\r\n"), text);
    }

    @Test
    void oneThatThrowsBeforeTheHeadFailsAtItsClient() throws Exception {
        try (var server = serve(exchange -> {
            throw new IllegalStateException("thrown by a test");
        })) {
            assertFails(server.client().get("/"));
            assertFails(server.client().send(chunked()).send("3\r\nabc\r\n0\r\n\r\n"));
            assertFails(server.client().send("GET / HTTP/1.0\r\n\r\n"));
            // the response to HEAD has no body that could be cut
            RawClient client = server.client().send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(500, client.response(true).status());
            assertEquals("good", client.get("/good").response().text());
            assertServes(server);
        }
    }

    @Test
    void oneThatThrowsAfterTheHeadFailsAtItsClientAlsoIfNothingIsSent() throws Exception {
        try (var server = serve(exchange -> {
            exchange.sendResponseHeaders(200, 10);
            exchange.getResponseBody().write(bytes("hello"));
            throw new IOException("thrown by a test");
        })) {
            assertFails(server.client().get("/"));
            assertServes(server);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, LARGE})
    void oneThatThrowsInTheBodyCutsIt(long length) throws Exception {
        try (var server = serve(exchange -> {
            exchange.sendResponseHeaders(200, length);
            exchange.getResponseBody().write(bytes("hello"));
            exchange.getResponseBody().flush();
            throw new IOException("thrown by a test");
        })) {
            String text = server.client().get("/").readUntilItFails();
            assertTrue(text.startsWith("HTTP/1.1 200 OK\r\n") && text.contains("hello"), text);
            assertFalse(text.endsWith("0\r\n\r\n"), text);
            assertServes(server);
        }
    }

    @Test
    void oneThatThrowsWhenAllIsWrittenChangesNothing() throws Exception {
        try (var server = serve(exchange -> {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write(bytes("hello"));
            throw new IOException("thrown by a test");
        })) {
            RawClient client = server.client();
            assertEquals("hello", client.get("/").response().text());
            assertEquals("hello", client.get("/").response().text());
            assertServes(server);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 2})
    void oneThatClosesWithoutAResponseFailsAtItsClientAndAnyLaterResponseFails(long length) throws Exception {
        try (var server = serve(exchange -> {
            exchange.close();
            exchange.sendResponseHeaders(200, length);
        })) {
            assertFails(server.client().get("/"));
            assertInstanceOf(IOException.class, server.awaitFailure());
            assertServes(server);
        }
    }

    @Test
    void oneThatOnlyClosesFailsAtItsClient() throws Exception {
        try (var server = serve(HttpExchange::close)) {
            assertFails(server.client().get("/"));
            assertServes(server);
        }
    }

    @Test
    void oneThatFlushesAndNeverClosesHoldsNoPlaceAndEndsWithItsClient() throws Exception {
        try (var server = serve(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(bytes("hello"));
            exchange.getResponseBody().flush();
        })) {
            RawClient client = server.client().get("/");
            client.readUntil("5\r\nhello\r\n");
            assertServes(server);
            client.reset();
            assertServes(server);
        }
    }

    /** Another thread may go on with it; if none does, its place is free again after the time. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThatNeverRespondsOrNeverClosesGetsA503InTheEnd(boolean responds) throws Exception {
        System.setProperty("sun.net.httpserver.maxRspTime", "1");
        try (var server = serve(exchange -> {
            if (responds) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(bytes("hello"));
            }
        })) {
            assertEquals(503, server.client().get("/").response().status());
            assertServes(server);
        } finally {
            System.clearProperty("sun.net.httpserver.maxRspTime");
        }
    }

    @Test
    void closingTwiceIsAsClosingOnce() throws Exception {
        try (var server = serve(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(bytes("hello"));
            for (int i = 0; i < 2; i++) {
                exchange.getResponseBody().close();
                exchange.getRequestBody().close();
                exchange.close();
            }
            assertThrows(IOException.class, () -> exchange.getResponseBody().write(1));
            assertThrows(IOException.class, () -> exchange.getRequestBody().read());
            assertThrows(IOException.class, () -> exchange.sendResponseHeaders(200, 0));
        })) {
            RawClient client = server.client();
            client.get("/").readUntil("5\r\nhello\r\n0\r\n\r\n");
            client.get("/").readUntil("5\r\nhello\r\n0\r\n\r\n");
            assertNull(server.thrown.get());
        }
    }

    /** A small rest is dropped and the connection goes on; a large one ends with the response. */
    @ParameterizedTest
    @ValueSource(ints = {10, 60_000, 10_000_000})
    void oneThatReadsNothingGetsItsResponseSent(int size) throws Exception {
        try (var server = serve(exchange -> exchange.sendResponseHeaders(200, -1))) {
            RawClient client = server.client();
            var sender = new Thread(() -> assertDoesNotThrow(() ->
                    client.send(chunked()).send(Integer.toHexString(size) + "\r\n").send("x".repeat(size))
                            .send("\r\n0\r\n\r\n")));
            sender.start();
            RawResponse response = client.response();
            sender.join();
            assertEquals(200, response.status());
            assertEquals(size > 65_536, response.closes());
            if (!response.closes()) {
                assertEquals("good", client.get("/good").response().text());
            }
            assertServes(server);
        }
    }

    /** A client may wait for the response before it goes on. */
    @Test
    void theRestOfABodyIsNotWaitedForWithoutEnd() throws Exception {
        try (var server = serve(exchange -> {
            exchange.getRequestBody().read();
            respond(exchange, "hello");
        })) {
            RawClient client = server.client().send(chunked()).send("5\r\nhello\r\n");
            assertEquals("hello", client.response().text());
            client.expectEnd();
            assertServes(server);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 7})
    void anotherNumberOfBytesThanSaidIsAFailure(int written) throws Exception {
        try (var server = serve(exchange -> {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write(new byte[written]);
            exchange.getResponseBody().close();
        })) {
            assertFails(server.client().get("/"));
            assertInstanceOf(IOException.class, server.awaitFailure());
            assertServes(server);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {LARGE - 1, LARGE + 1})
    void anotherNumberOfBytesThanSaidCutsALargeResponse(int written) throws Exception {
        try (var server = serve(exchange -> {
            exchange.sendResponseHeaders(200, LARGE);
            exchange.getResponseBody().write(new byte[written - 10]);
            exchange.getResponseBody().write(new byte[10]);
            exchange.getResponseBody().close();
        })) {
            String text = server.client().get("/").readUntilItFails();
            assertTrue(text.contains("Content-Length: " + LARGE + "\r\n"), text.substring(0, 100));
            assertTrue(text.length() - text.indexOf("\r\n\r\n") - 4 < LARGE, "all " + text.length());
            assertInstanceOf(IOException.class, server.awaitFailure());
            assertServes(server);
        }
    }

    /** The check of the JDK's class sees no value that a list gets later, and no name on Java 17. */
    @ParameterizedTest
    @CsvSource({"X, 'a\r\nY: b'", "X, 'a\nb'", "X, 'a\rb'", "X Y, a", "X\u0122, a", "'', a"})
    void aFieldThatMustNotBeSentIsAFailure(String name, String value) throws Exception {
        try (var server = serve(exchange -> {
            exchange.getResponseHeaders().put("X", new ArrayList<>());
            exchange.getResponseHeaders().get("X").add(name.equals("X") ? value : "a");
            exchange.getResponseHeaders().add(name, "a");
            exchange.sendResponseHeaders(200, -1);
        })) {
            assertFails(server.client().get("/"));
            assertInstanceOf(IllegalArgumentException.class, server.awaitFailure());
            assertServes(server);
        }
    }

    /** With the JDK's of Java 17 the first would become a line break, and the second a quote. */
    @ParameterizedTest
    @CsvSource({"'\u010D\u010A', ??", "\u0122x\u20AC, ?x?", "\uD83D\uDE00, ?",
        "'a\u0000\u0001\u007F', a???", "'a\r\n \tb', a b"})
    void aCharacterThatAValueCannotHaveIsReplaced(String value, String sent) throws Exception {
        try (var server = serve(exchange -> {
            exchange.getResponseHeaders().put("X", new ArrayList<>());
            exchange.getResponseHeaders().get("X").add(value);
            exchange.sendResponseHeaders(200, -1);
        })) {
            assertEquals(sent, server.client().get("/").response().header("X"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 99, 600})
    void aStatusThatDoesNotExistIsRefusedAtOnce(int status) throws Exception {
        try (var server = serve(exchange -> {
            assertThrows(IllegalArgumentException.class, () -> exchange.sendResponseHeaders(status, 2));
            respond(exchange, "ok");
        })) {
            assertEquals("ok", server.client().get("/").response().text());
        }
    }

    @Test
    void aHandlerThatWritesToAClientThatIsGoneIsWokenUp() throws Exception {
        var writing = new CountDownLatch(1);
        try (var server = serve(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            writing.countDown();
            while (true) {
                exchange.getResponseBody().write(new byte[LARGE]);
            }
        })) {
            RawClient client = server.client(4096).get("/");
            assertTrue(writing.await(30, TimeUnit.SECONDS));
            client.readUntil("\r\n\r\n");
            client.reset();
            assertInstanceOf(IOException.class, server.awaitFailure());
            assertServes(server);
        }
    }

    /** The body is sent from the handler's own array, which is in use until its write returns. */
    @Test
    void aHandlerThatWritesAWholeBodyIsHeldUntilItsClientIsGone() throws Exception {
        var written = new CountDownLatch(1);
        try (var server = serve(exchange -> {
            exchange.sendResponseHeaders(200, 64 << 20);
            exchange.getResponseBody().write(new byte[64 << 20]);
            written.countDown();
        })) {
            RawClient client = server.client(4096).get("/");
            client.readUntil("\r\n\r\n");
            assertEquals(1, written.getCount(), "a write has returned before all was sent");
            client.reset();
            assertTrue(written.await(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void aHandlerThatReadsFromAClientThatIsGoneIsWokenUp() throws Exception {
        var reading = new CountDownLatch(1);
        try (var server = serve(exchange -> {
            exchange.getRequestBody().read();
            reading.countDown();
            exchange.getRequestBody().readAllBytes();
        })) {
            RawClient client = server.client().send(chunked()).send("5\r\nhello\r\n");
            assertTrue(reading.await(30, TimeUnit.SECONDS));
            client.reset();
            assertInstanceOf(IOException.class, server.awaitFailure());
            assertServes(server);
        }
    }

    @Test
    void aBodyThatBreaksItsFramingEndsInAnIOException() throws Exception {
        try (var server = serve(exchange -> exchange.getRequestBody().readAllBytes())) {
            RawClient client = server.client().send(chunked()).send("5\r\nhello\r\nx\r\n");
            assertEquals(400, client.response().status());
            assertInstanceOf(IOException.class, server.awaitFailure());
            assertServes(server);
        }
    }

    @Test
    void anExecutorThatTakesNoTaskGetsA500() throws Exception {
        try (var server = JdkServer.unstarted()) {
            server.server.createContext("/", exchange -> { });
            server.server.setExecutor(task -> {
                throw new RejectedExecutionException("thrown by a test");
            });
            server.server.start();
            assertEquals(500, server.client().get("/").response().status());
            assertEquals(500, server.client().send(chunked()).send("0\r\n\r\n").response().status());
        }
    }

    @Test
    void aLengthThatIsSaidAndNotSentIsWaitedForOnlyByTheLibrary() throws Exception {
        try (var server = serve(exchange -> exchange.sendResponseHeaders(200, -1))) {
            RawClient client = server.client().send(post(10)).send("abc").halfClose();
            assertEquals(400, client.response().status());
            assertServes(server);
        }
    }
}
