package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.microhttp.*;
import org.microhttp.testing.*;

/** Programs that were written for the original, 0.2 to 0.7, serve here as they are. */
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

    @AfterEach
    void stop() throws InterruptedException {
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
}
