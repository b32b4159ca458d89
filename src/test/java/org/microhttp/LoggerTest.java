package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;

/** Events tell a connection's whole life; the loggers do what they say, and a bad one does no harm. */
class LoggerTest {

    @Test
    void tellsTheLifeOfALoopAndItsConnections() throws Exception {
        var server = new TestServer(TestServer::echoTarget);
        RawClient client = server.connect().get("/a").expectOk("/a").get("/b").get("/c").expectOk("/b")
                .expectOk("/c");
        client.halfClose().expectEnd();
        server.awaitEvent("close");
        server.stop();
        List<String> story = server.log.story(0);
        assertEquals("accept", story.get(0));
        assertEquals(3, server.log.count("read_request"));
        assertEquals(3, server.log.count("response_ready"));
        assertEquals(3, server.log.count("write_response"));
        assertEquals(List.of("read_close", "close_after_response", "close"),
                story.subList(story.size() - 3, story.size()));
        assertEquals("listen", server.log.events().get(0).name());
    }

    @Test
    void saysWhatIsReadAndWritten() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/a b".replace(" ", "_"));
            int length = client.response().head().length() + "/a_b".length();
            assertTrue(server.awaitEvent("listen").value("local_address").endsWith(":" + server.port()));
            assertTrue(server.awaitEvent("accept").value("remote_address").contains("127.0.0.1"));
            assertEquals("" + "GET /a_b HTTP/1.1\r\nHost: x\r\n\r\n".length(),
                    server.awaitEvent("read_bytes").value("num_bytes"));
            assertEquals("GET /a_b HTTP/1.1", server.awaitEvent("read_request").value("request"));
            assertEquals("200", server.awaitEvent("response_ready").value("status"));
            assertEquals("" + length, server.awaitEvent("write").value("num_bytes"));
            server.connect().get("/").expectOk("/");
            assertEquals("1", server.awaitEvent("accept", 2).value("id"));
        }
    }

    @Test
    void namesARequestThatWaitedBehindAnother() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            server.connect().send(RawClient.GET + RawClient.GET).expectOk("/").expectOk("/");
            server.awaitEvent("pipeline_request");
        }
    }

    /** A Unix domain socket cannot be shared, on any platform. */
    @Test
    void skipsAnOptionThatASocketLacksWithAnEvent(@TempDir Path folder) throws Exception {
        var recording = new RecordingLogger();
        var options = TestServer.options().withUnixSocket(folder.resolve("socket")).withReusePort(true);
        try (var group = new EventLoopGroup(options, recording, TestServer::echoTarget, 2)) {
            assertEquals(-1, group.getPort());
            assertEquals("SO_REUSEPORT", recording.await("option_skipped").value("option"));
        }
    }

    /** Throws whatever it is asked. */
    private static final class ThrowingLogger implements Logger {

        private final boolean whenAsked;

        ThrowingLogger(boolean whenAsked) {
            this.whenAsked = whenAsked;
        }

        @Override
        public boolean enabled() {
            if (whenAsked) {
                throw new IllegalStateException("logger");
            }
            return true;
        }

        @Override
        public void log(Exception cause, LogEntry... entries) {
            if (cause == null) throw new IllegalStateException("logger");
            throw new LinkageError("logger");
        }
    }

    /** An error comes inside an exception, so that a lambda needs one type. */
    @Test
    void aLambdaGetsEveryEventWithItsCause() {
        var told = new ArrayList<String>();
        var log = new EventLog((cause, entries) -> told.add(entries[0].value() + " " + cause));
        log.report(Event.CLOSE, 0, null);
        log.report(Event.READ_ERROR, 0, new IOException("x"));
        log.report(Event.READ_ERROR, 0, new StackOverflowError());
        assertEquals(List.of("close null", "read_error java.io.IOException: x",
                "read_error java.lang.RuntimeException: java.lang.StackOverflowError"), told);
    }

    @Test
    void toleratesALoggerThatThrows() throws Exception {
        assertServesWith(new ThrowingLogger(false));
    }

    @Test
    void toleratesALoggerThatThrowsWhenAskedWhetherItIsEnabled() throws Exception {
        assertServesWith(new ThrowingLogger(true));
    }

    private static void assertServesWith(Logger logger) throws Exception {
        try (var server = new TestServer(TestServer.options(), logger, (request, callback) -> {
            if (request.target().equals("/throw")) throw new IllegalStateException("handler");
            callback.accept(TestServer.ok(request.target()));
        })) {
            server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            RawClient client = server.connect().get("/a").expectOk("/a").get("/throw");
            assertEquals(500, client.response().status());
            client.get("/b").expectOk("/b");
        }
    }

    /** What the logger prints; no test runs at the same time. */
    private static String debug(Consumer<DebugLogger> use) {
        var logger = new DebugLogger();
        PrintStream before = System.out;
        var bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.ISO_8859_1));
        try {
            use.accept(logger);
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    /** Its own cause; complains when that is followed without end. */
    private static final class Cycle extends RuntimeException {

        private static final long serialVersionUID = 1;
        private int asked;

        Cycle() {
            super("cycle", null, false, false);
        }

        @Override
        public synchronized Throwable getCause() {
            assertTrue(++asked < 1_000, "no end");
            return this;
        }
    }

    @Test
    void printsACycleOfCausesAndEnds() {
        assertTrue(debug(logger -> logger.log(new Cycle(), new LogEntry("event", "x"))).contains("cycle"));
    }

    @Test
    void printsTheClassOfACauseThatCannotSayMore() {
        var mute = new IllegalStateException() {

            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new UnsupportedOperationException("on purpose");
            }
        };
        String text = debug(logger -> logger.log(mute, new LogEntry("event", "x")));
        assertTrue(text.contains("event=x") && text.contains(mute.getClass().getName()), text);
    }

    @Test
    void printsALineForAnEventAndEscapesControlBytes() {
        String line = debug(logger -> logger.log(new LogEntry("event", "x"),
                new LogEntry("a", "1\r\n2\u001b[0m\u00e9\\")));
        String expected =
                "[-0-9T:.]+Z event=x a=1\\\\(r|u000d)\\\\(n|u000a)"
                + "2\\\\u001b\\[0m\\\\u00e9\\\\(\\\\|u005c)\\R";
        assertTrue(line.matches(expected), line);
        assertTrue(new DebugLogger().enabled());
    }

    @Test
    void printsACauseWithItsTraceAndEscapesThatToo() {
        String text = debug(logger -> logger.log(new IllegalStateException("bad\u0007"),
                new LogEntry("event", "x")));
        assertTrue(text.contains("IllegalStateException: bad\\u0007"), text);
        assertTrue(text.contains("at org.microhttp.LoggerTest"), text);
        assertTrue(text.chars().allMatch(c -> c == '\n' || c == '\r' || c >= ' ' && c < 0x7F), text);
    }

    @Test
    void buildsNothingWhenNobodyListens() {
        var logger = new NoopLogger();
        assertFalse(logger.enabled());
        logger.log(new LogEntry("event", "x"));
        logger.log(new IllegalStateException(), new LogEntry("event", "x"));
        var log = new EventLog(new NoopLogger());
        log.report(Event.ACCEPT, 1, new Object() {
            @Override
            public String toString() {
                throw new AssertionError("built");
            }
        });
    }
}
