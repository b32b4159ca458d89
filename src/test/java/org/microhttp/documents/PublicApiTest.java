package org.microhttp.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.*;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;
import org.microhttp.testing.TestServer;

/** Programs use the public members that no other test uses from outside the library's package. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PublicApiTest {

    private static final Duration TIME = Duration.ofSeconds(20);

    private static RawResponse get(Options options, Logger logger, Handler handler, String target)
            throws Exception {
        try (Server server = new EventLoop(options, logger, handler)) {
            server.startAsync().join();
            try (var client = RawClient.to(server.getAddress())) {
                return client.get(target).response();
            }
        }
    }

    private static RawResponse get(Handler handler, String target) throws Exception {
        return get(TestServer.options(), new NoopLogger(), handler, target);
    }

    private static Request request(String target, Header... headers) {
        return new Request("GET", target, "HTTP/1.1", List.of(headers), new byte[0]);
    }

    @Test
    void optionsAreWhatAProgramHasSet() throws Exception {
        var exchanges = new LinkedBlockingQueue<ExchangeSummary>();
        var stopping = new CountDownLatch(1);
        ErrorHandler errors = error -> Response.json(error.status(), "{}");
        Options options = TestServer.options().withAcceptLength(10).withReuseAddr(false).withReusePort(false)
                .withReadBufferSize(1000).withMaxRequestSize(2000).withMaxHeaderSize(1500).withMaxHeaders(20)
                .withSocketTimeout(TIME).withRequestTimeout(TIME).withHandlerTimeout(TIME)
                .withStreamTimeout(TIME).withMinSendRate(1).withMinReceiveRate(2).withWatchdog(TIME)
                .withMaxStreamedSize(Options.NO_LIMIT).withMaxBufferedBytes(1 << 20)
                .withSendBufferSize(30_000).withReceiveBufferSize(40_000).withMaxConnections(3)
                .withMaxPendingRequests(4).withMaxRequestsPerConnection(5).withProxyProtocol(false)
                .withTrustedProxies(List.of("10.0.0.0/8")).withErrorHandler(errors)
                .withOnStopping(stopping::countDown).withExchangeListener(exchanges::add);
        assertEquals(List.of("127.0.0.1", 0, 10, false, false, false), List.of(options.host(), options.port(),
                options.acceptLength(), options.reuseAddr(), options.reusePort(), options.proxyProtocol()));
        assertEquals(List.of(1000, 2000, 1500, 20, 30_000, 40_000), List.of(options.readBufferSize(),
                options.maxRequestSize(), options.maxHeaderSize(), options.maxHeaders(),
                options.sendBufferSize(), options.receiveBufferSize()));
        assertEquals(Collections.nCopies(5, TIME), List.of(options.socketTimeout(), options.requestTimeout(),
                options.handlerTimeout(), options.streamTimeout(), options.watchdog()));
        assertEquals(List.of(1, 2, Long.MAX_VALUE, 1L << 20, 3L, 4L, 5L), List.of(options.minSendRate(),
                options.minReceiveRate(), options.maxStreamedSize(), options.maxBufferedBytes(),
                options.maxConnections(), options.maxPendingRequests(), options.maxRequestsPerConnection()));
        assertEquals(List.of(errors, List.of("10.0.0.0/8"), Duration.ofMillis(10)),
                List.of(options.errorHandler(), options.trustedProxies(), options.resolution()));
        assertTrue(options.unixSocket() == null && options.listener() == null);
        options.onStopping().run();
        assertEquals(0, stopping.getCount());
        RawResponse refused = get(options, new NoopLogger(), Handler.of(request -> null), "no slash");
        assertEquals("400 application/json", refused.status() + " " + refused.header("Content-Type"));
        ExchangeSummary exchange = exchanges.remove();
        assertEquals("400 bad_version true", exchange.status() + " " + exchange.code() + " "
                + exchange.complete());
        options.exchangeListener().accept(new ExchangeSummary(exchange.connection(), exchange.client(),
                exchange.method(), exchange.target(), exchange.version(), exchange.headers(),
                exchange.status(), exchange.bytes(), exchange.duration(), true, exchange.code()));
        assertEquals(Set.of(exchange), new HashSet<>(exchanges));
    }

    /** The port may be taken: then the message names it. */
    @Test
    void aServerWithoutOptionsTakesPort8080() throws Exception {
        for (Callable<Server> made : List.<Callable<Server>>of(() -> new EventLoop(TestServer::echoTarget),
                () -> new EventLoopGroup(TestServer::echoTarget))) {
            try (Server server = made.call()) {
                assertEquals(8080, server.getPort());
            } catch (IOException e) {
                assertInstanceOf(BindException.class, e.getCause());
                assertTrue(e.getMessage().contains("8080"), e.getMessage());
            }
        }
    }

    @Test
    void aHandlerRespondsInEachShortForm(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "file");
        Map<String, Responder> responders = Map.of(
                "/bytes", request -> Response.of(200, "text/plain", "bytes".getBytes(ISO_8859_1)),
                "/text", request -> Response.of(200, "text/plain", "text"),
                "/body", request -> Response.of(200, "text/plain", Body.of(ByteBuffer.wrap(new byte[4]))),
                "/json", request -> Response.json(201, "[]"),
                "/elsewhere", request -> Response.redirect(303, "/text"),
                "/file", request -> Response.of(200, "text/plain", Body.of(file)));
        Responder all = request -> responders.get(request.path()).respond(request);
        var executor = Executors.newSingleThreadExecutor();
        try {
            for (Handler handler : List.of(Handler.of(all), Handler.blocking(all),
                    Handler.blocking(executor, all), Handler.async(request ->
                    CompletableFuture.supplyAsync(() -> respond(all, request), executor)))) {
                assertEquals("bytes", get(handler, "/bytes").text());
                assertEquals("text", get(handler, "/text").text());
                assertEquals("\0\0\0\0", get(handler, "/body").text());
                assertEquals("201 []", get(handler, "/json").status() + " " + get(handler, "/json").text());
                assertEquals("/text", get(handler, "/elsewhere").header("Location"));
                assertEquals("file", get(handler, "/file").text());
            }
        } finally {
            executor.shutdown();
        }
    }

    private static Response respond(Responder responder, Request request) {
        try {
            return responder.respond(request);
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    @Test
    void aWrappingHandlerReplacesABody() throws Exception {
        Handler handler = Handler.of(request -> Response.text(200, "small")).andThen((request, response) ->
                response.hasHeader("content-type", "TEXT/plain; charset=utf-8") && !response.hasHeader("X")
                ? response.withBody(Body.of(ByteBuffer.wrap((response + " large").getBytes(ISO_8859_1))))
                : response);
        assertEquals("200 OK large", get(handler, "/").text());
    }

    @Test
    void aHandlerIsTestedAlone() throws Exception {
        Request request = request("/a?b", new Header("Host", "x:1"), new Header("Cookie", "a=b"),
                new Header("cookie", "c=d"));
        Handler handler = Handler.of(given -> Response.text(200, given + " " + given.host()
                + given.values("Cookie") + given.hasHeader("cookie") + given.hasHeader("Cookie", "C=D")));
        handler.handle(request, response -> assertEquals("GET /a?b HTTP/1.1 x:1[a=b, c=d]truetrue",
                new String(response.body().bytes(), ISO_8859_1)));
        ReceivedHandler<Flow.Subscriber<List<ByteBuffer>>> uploads = (given, upload, callback) ->
                callback.accept(Response.of(upload == null ? 400 : 201));
        uploads.handle(request, null, response -> assertEquals(400, response.status()));
        ErrorHandler errors = error -> error.response().withHeader("X-Rule", error.rule());
        var error = new ServerError(413, "request_too_large", "the request is above 9 bytes", request);
        assertEquals("413 request_too_large: the request is above 9 bytes", error.toString());
        assertEquals("the request is above 9 bytes", errors.respond(error).header("X-Rule"));
        assertEquals("/a?b", error.request().target());
    }

    /** Hands the events of requests on to another logger, as a program may. */
    private record Chosen(Logger other) implements Logger {

        @Override
        public boolean enabled() {
            return other.enabled();
        }

        @Override
        public boolean enabled(String event) {
            return event.equals("read_request") && other.enabled(event);
        }

        @Override
        public void log(Exception cause, LogEntry... entries) {
            other.log(cause, entries);
        }
    }

    @Test
    void aLoggerHandsEventsOnToAnother() throws Exception {
        var seen = Collections.synchronizedList(new ArrayList<LogEntry>());
        Logger list = (cause, entries) -> seen.add(entries[0]);
        for (Logger logger : List.of(list, new DebugLogger(), new SystemLogger(), new NoopLogger())) {
            Logger chosen = new Chosen(logger);
            assertEquals("/", get(TestServer.options(), chosen, TestServer::echoTarget, "/").text());
            logger.log(new LogEntry("event", "a"));
            logger.log(new IOException("on purpose"), new LogEntry("event", "b"));
            logger.log(new StackOverflowError("on purpose"), new LogEntry("event", "c"));
            boolean wanted = logger.enabled() && logger.enabled("handler_error");
            assertEquals(!(logger instanceof NoopLogger), wanted);
        }
        assertEquals(List.of(new LogEntry("event", "read_request"), new LogEntry("event", "a"),
                new LogEntry("event", "b"), new LogEntry("event", "c")), seen);
        assertTrue(seen.get(1).toString().contains("event"));
    }

    @Test
    void twoServersHaveDoneTheirSum() throws Exception {
        Server server = new EventLoop(TestServer.options(), new NoopLogger(), TestServer::echoTarget);
        try (server) {
            server.startAsync().join();
            try (var client = RawClient.to(server.getAddress())) {
                client.get("/").expectOk("/").send("wrong\r\n").expectRefusal(400, "bad_request_line");
            }
        }
        Stats stats = server.stats();
        assertEquals(Set.of(stats), new HashSet<>(List.of(stats, Stats.of(stats.numbers()))));
        Stats sum = stats.plus(stats);
        assertEquals(List.of(2L, 2L, 0L, 4L), List.of(sum.served(), sum.refused(), sum.upgrades(),
                sum.requests()));
        assertEquals(2L * stats.numbers().get("bytesIn"), sum.bytesIn());
        assertEquals(Duration.ZERO, sum.totalDuration());
        assertTrue(sum.toString().contains("served=2"), sum.toString());
    }

    @Test
    void aHeaderIsAValue() {
        var header = new Header("Vary", "Origin");
        assertEquals(Set.of(header), new HashSet<>(List.of(header, new Header("Vary", "Origin"))));
        assertEquals("Vary: Origin", header.toString());
    }
}
