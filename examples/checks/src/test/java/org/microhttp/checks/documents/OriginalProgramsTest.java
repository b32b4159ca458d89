package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.microhttp.*;
import org.microhttp.testing.*;

/**
 * Programs of the kinds that were written for the original, each in its manner, serve here: those of 0.2 to
 * 0.7 as they are, those of 0.8 to 0.11 as the page on migrating has it. {@code OriginalPlatformsTest} has
 * those that put something larger on top.
 */
@Tier.Program
final class OriginalProgramsTest {

    private static final Response HELLO = new Response(
            200,
            "OK",
            List.of(new Header("Content-Type", "text/plain")),
            "hello world\n".getBytes());
    private static final String HELLO_TEXT =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\nhello world\n";

    private final List<EventLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);

    @AfterEach
    void stop() throws InterruptedException {
        executor.shutdownNow();
        for (EventLoop loop : loops) loop.stop();
        for (Thread thread : threads) {
            thread.join(30_000);
            assertFalse(thread.isAlive());
        }
    }

    /** As in programs of 0.2 to 0.7 that have something else to do. */
    private RawClient serve(EventLoop eventLoop) throws IOException {
        loops.add(eventLoop);
        Thread thread = new Thread(eventLoop::start);
        threads.add(thread);
        thread.start();
        return new RawClient(eventLoop.getPort());
    }

    @Test
    void helloWithEveryOptionOfThen() throws Exception {
        Options options = new Options()
                .withHost("localhost")
                .withPort(0)
                .withReuseAddr(true)
                .withReusePort(false)
                .withSocketTimeout(Duration.ofSeconds(60))
                .withResolution(Duration.ofMillis(100))
                .withReadBufferSize(1_024 * 64)
                .withMaxRequestSize(1_024 * 1_024)
                .withAcceptLength(0);
        Handler handler = (req, callback) -> callback.accept(HELLO);
        try (RawClient client = serve(new EventLoop(options, new NoopLogger(), handler))) {
            client.get("/").expect(HELLO_TEXT).get("/again").expect(HELLO_TEXT);
        }
    }

    @Test
    void anAnswerAfterADelay() throws Exception {
        Handler handler = (req, callback) ->
                executor.schedule(() -> callback.accept(HELLO), 10, TimeUnit.MILLISECONDS);
        var loop = new EventLoop(new Options().withPort(0), new NoopLogger(), handler);
        try (RawClient client = serve(loop)) {
            client.get("/1").get("/2").expect(HELLO_TEXT).expect(HELLO_TEXT);
        }
    }

    @Test
    void aLoopOnAThreadThatIsJoined() throws Exception {
        var loop = new EventLoop(new Options().withPort(0), new NoopLogger(), (req, cb) -> cb.accept(HELLO));
        Thread thread = new Thread(loop::start);
        thread.start();
        try (var client = new RawClient(loop.getPort())) {
            client.get("/").expect(HELLO_TEXT);
        }
        loop.stop();
        thread.join();
        Freed.bind(loop.getPort());
    }

    /** Routes by comparing the target, with a query by prefix. */
    private static void route(Request req, Consumer<Response> callback) {
        if (req.method().equals("GET") && req.target().equals("/health")) {
            callback.accept(new Response(204, "No Content", List.of(), new byte[0]));
        } else if (req.target().startsWith("/greet?name=")) {
            String name = req.target().substring("/greet?name=".length());
            callback.accept(text(200, "OK", "hello " + name));
        } else if (req.method().equalsIgnoreCase("POST") && req.target().equals("/echo")) {
            String type = req.header("content-type");
            var headers = List.of(new Header("Content-Type", type == null ? "text/plain" : type));
            callback.accept(new Response(200, "OK", headers, req.body()));
        } else {
            callback.accept(text(404, "Not Found", "no " + req.target()));
        }
    }

    private static Response text(int status, String reason, String text) {
        byte[] body = text.getBytes(UTF_8);
        List<Header> headers = new ArrayList<>();
        headers.add(new Header("Content-Type", "text/plain; charset=utf-8"));
        headers.add(new Header("Content-Length", Integer.toString(body.length)));
        return new Response(status, reason, headers, body);
    }

    @Test
    void anEchoAmongRoutes() throws Exception {
        var options = new Options().withPort(0);
        try (RawClient client = serve(new EventLoop(options, new NoopLogger(),
                OriginalProgramsTest::route))) {
            assertEquals(204, client.get("/health").response().status());
            assertEquals("hello you", client.get("/greet?name=you").response().text());
            RawResponse echo = client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n").response();
            assertEquals("abc", echo.text());
            assertEquals("a/b", echo.header("Content-Type"));
            assertEquals("3", echo.header("Content-Length"));
            assertEquals("no /other", client.get("/other").response().text());
        }
    }

    /** Written against the three methods that the interface had. */
    private static final class LineLogger implements Logger {

        final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        @Override
        public boolean enabled() {
            return true;
        }

        @Override
        public void log(LogEntry... entries) {
            var line = new StringBuilder();
            for (LogEntry entry : entries) {
                line.append(entry.key()).append('=').append(entry.value()).append(';');
            }
            lines.add(line.toString());
        }

        @Override
        public void log(Exception e, LogEntry... entries) {
            log(entries);
            lines.add("caused by " + e);
        }

        String await(String start) throws InterruptedException {
            for (String line; (line = lines.poll(30, TimeUnit.SECONDS)) != null; ) {
                if (line.startsWith(start)) return line;
            }
            throw new AssertionError("no line " + start);
        }
    }

    @Test
    void aLoggerOfTheProgram() throws Exception {
        var logger = new LineLogger();
        Handler handler = (req, callback) -> {
            if (req.target().equals("/error")) throw new AssertionError("an Error");
            throw new IllegalStateException("not today");
        };
        try (RawClient client = serve(new EventLoop(new Options().withPort(0), logger, handler))) {
            assertEquals(500, client.get("/").response().status());
            assertTrue(logger.await("event=accept;").contains("remote_address="));
            assertTrue(logger.await("event=read_bytes;").contains("id=0;"));
            logger.await("event=handler_error;");
            assertEquals("caused by java.lang.IllegalStateException: not today", logger.await("caused by"));
            assertEquals(500, client.get("/error").response().status());
            logger.await("event=handler_error;");
            assertTrue(logger.await("caused by").endsWith("an Error"));
        }
        logger.await("event=close;");
    }

    /** One of 0.11 had {@code Options.builder()}, {@code withConcurrency(2)}, {@code start}, {@code join}. */
    @Test
    void aBuildersProgramByTheTables() throws Exception {
        Options options = new Options()
                .withHost("localhost")
                .withPort(0)
                .withRequestTimeout(Duration.ofSeconds(60))
                .withSocketTimeout(Duration.ofSeconds(60))
                .withResolution(Duration.ofMillis(100))
                .withReadBufferSize(1_024 * 64)
                .withMaxRequestSize(1_024 * 1_024)
                .withAcceptLength(50);
        var group = new EventLoopGroup(options, new NoopLogger(), (req, cb) -> cb.accept(HELLO), 2);
        Thread starts = new Thread(group::start);
        starts.start();
        for (int i = 0; i < 8; i++) {
            try (var client = new RawClient(group.getPort())) {
                client.get("/" + i).expect(HELLO_TEXT);
            }
        }
        group.close();
        assertEquals(8, group.stats().requests());
        Freed.bind(group.getPort());
        starts.join();
    }

    /** A thread for each request, from whatever executor the program has. */
    @Test
    void aHandlerOnAnExecutor() throws Exception {
        Executor each = task -> new Thread(task).start();
        var names = ConcurrentHashMap.<String>newKeySet();
        Handler handler = (req, callback) -> each.execute(() -> {
            names.add(Thread.currentThread().getName());
            callback.accept(HELLO);
        });
        var loop = new EventLoop(new Options().withPort(0), new NoopLogger(), handler);
        try (RawClient client = serve(loop)) {
            client.get("/1").expect(HELLO_TEXT).get("/2").expect(HELLO_TEXT);
        }
        assertEquals(2, names.size());
    }

    /** A handler around a handler: counts, and adds a field to each answer. */
    private static Handler decorated(Handler inner, AtomicInteger count) {
        return (req, callback) -> inner.handle(req, response -> {
            List<Header> headers = new ArrayList<>(response.headers());
            headers.add(new Header("X-Count", "" + count.incrementAndGet()));
            callback.accept(new Response(response.status(), response.reason(), headers, response.body()));
        });
    }

    /** What fails behind a wrapped callback is answered through it, and logged by the server's own logger. */
    @Test
    void aBlockingFunctionBehindADecorator() throws Exception {
        var logger = new LineLogger();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            Handler blocking = Handler.blocking(pool, req -> {
                if (req.target().equals("/fails")) throw new IllegalStateException("out of order");
                return HELLO;
            });
            Handler handler = decorated(blocking, new AtomicInteger());
            try (RawClient client = serve(new EventLoop(new Options().withPort(0), logger, handler))) {
                assertEquals("1", client.get("/works").response().header("X-Count"));
                RawResponse failed = client.get("/fails").response();
                assertEquals(500, failed.status());
                assertEquals("2", failed.header("X-Count"));
                logger.await("event=handler_error;");
                assertEquals("caused by java.lang.IllegalStateException: out of order",
                        logger.await("caused by"));
                assertEquals("3", client.get("/works").response().header("X-Count"));
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
