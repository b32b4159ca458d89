package org.microhttp;

import static java.lang.System.Logger.Level.*;
import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.Event.*;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.logging.LogRecord;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** What a logger is given, what the library's loggers print of it, and that a bad one does no harm. */
class LoggerTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Takes each event by one method, and by no other. */
    private abstract static class Whole implements Logger {

        @Override
        public void log(LogEntry... entries) {
            fail("called by the library");
        }

        @Override
        public void log(Exception e, LogEntry... entries) {
            fail("called by the library");
        }
    }

    private static void reportSome(Logger logger) {
        var log = new EventLog(logger);
        log.report(LISTEN, "address");
        log.report(ACCEPT, 7, "client");
        log.report(WRITE, 8, 9);
        log.report(SOCKET_TIMEOUT, 11, null);
        log.report(LOOP_BLOCKED, 10, new IllegalStateException("x"));
        log.report(READ_ERROR, 0, new StackOverflowError());
    }

    @Test
    void eventHasAnEntryForEachKeyAndItsCause() {
        var given = new ArrayList<String>();
        reportSome(new Whole() {
            @Override
            public void log(Throwable cause, LogEntry... entries) {
                given.add(List.of(entries) + " " + cause);
            }
        });
        var expected = new ArrayList<>(List.of(
                entries("event", "listen", "local_address", "address") + " null",
                entries("event", "accept", "id", "7", "remote_address", "client") + " null",
                entries("event", "write", "id", "8", "num_bytes", "9") + " null",
                entries("event", "socket_timeout", "id", "11") + " null",
                entries("event", "loop_blocked", "millis", "10") + " java.lang.IllegalStateException: x",
                entries("event", "read_error", "id", "0") + " java.lang.StackOverflowError"));
        assertEquals(expected, given);
        given.clear();
        // an error comes inside an exception, so that a lambda needs one type
        reportSome((cause, entries) -> given.add(List.of(entries) + " " + cause));
        expected.set(5, expected.get(5).replace("] ", "] java.lang.RuntimeException: "));
        assertEquals(expected, given);
    }

    private static List<LogEntry> entries(String... keysAndValues) {
        var entries = new ArrayList<LogEntry>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.add(new LogEntry(keysAndValues[i], keysAndValues[i + 1]));
        }
        return entries;
    }

    @Test
    void eventThatIsNotWantedIsNotBuilt() {
        var unbuilt = new Object() {
            @Override
            public String toString() {
                throw new AssertionError("built");
            }
        };
        var given = new ArrayList<LogEntry>();
        for (Logger logger : List.of(new NoopLogger(), new Whole() {
            @Override
            public boolean enabled() {
                throw new AssertionError("asked for all");
            }

            @Override
            public boolean enabled(String event) {
                return event.equals("read_request");
            }

            @Override
            public void log(Throwable cause, LogEntry... entries) {
                given.addAll(List.of(entries));
            }
        })) {
            var log = new EventLog(logger);
            log.report(LISTEN, unbuilt);
            log.report(ACCEPT, 1, unbuilt);
            log.report(WRITE, 1, 2);
            log.report(READ_REQUEST, 1, "GET /");
        }
        assertEquals(entries("event", "read_request", "id", "1", "request", "GET /"), given);
        new NoopLogger().log(new IllegalStateException(), new LogEntry("event", "x"));
    }

    /** Throws whatever it is asked. */
    private record ThrowingLogger(boolean whenAsked) implements Logger {

        @Override
        public boolean enabled() {
            if (whenAsked) throw new IllegalStateException("logger");
            return true;
        }

        @Override
        public void log(Exception cause, LogEntry... entries) {
            if (cause == null) throw new IllegalStateException("logger");
            throw new LinkageError("logger");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void loggerThatThrowsHarmsNobody(boolean whenAsked) throws Exception {
        Handler handler = (request, callback) -> {
            if (request.target().equals("/throw")) throw new IllegalStateException("handler");
            callback.accept(TestServer.ok(request.target()));
        };
        try (var server = new TestServer(TestServer.options(), new ThrowingLogger(whenAsked), handler)) {
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

    @Test
    void debugLoggerPrintsALineAndTheTraceOfACause() {
        String text = debug(logger -> logger.log(new IllegalStateException("bad\u0007"),
                new LogEntry("event", "x"), new LogEntry("a", "\u001b[0m")));
        assertTrue(text.matches("(?s)[-0-9T:.]+Z event=x a=\\\\u001b\\[0m\\R {4}.*"), text);
        String trace = "    java.lang.IllegalStateException: bad\\u0007\n    at org.microhttp.LoggerTest";
        assertTrue(text.contains(trace), text);
    }

    /** Its own cause, and fails if that is followed without end; or cannot be printed at all. */
    private static final class Odd extends RuntimeException {

        private static final long serialVersionUID = 1;
        private final boolean mute;
        private int followed;

        Odd(boolean mute) {
            super("odd", null, false, false);
            this.mute = mute;
        }

        @Override
        public String getMessage() {
            if (mute) throw new UnsupportedOperationException("on purpose");
            return super.getMessage();
        }

        @Override
        public synchronized Throwable getCause() {
            assertTrue(++followed < 1_000, "no end");
            return this;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void causeThatCannotBePrintedIsNamed(boolean mute) {
        String text = debug(logger -> logger.log(new Odd(mute), new LogEntry("event", "x")));
        assertTrue(text.contains("event=x") && text.contains(Odd.class.getName()), text);
    }

    /** The platform's logger, which keeps what is of a level or above. */
    private static final class Lines extends PlatformLogger {

        final List<String> all = new CopyOnWriteArrayList<>();
        private final Level least;

        Lines(Level least) {
            this.least = least;
        }

        @Override
        public boolean isLoggable(Level level) {
            return level.getSeverity() >= least.getSeverity();
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            if (isLoggable(level)) all.add(level + " " + text + " " + thrown);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            assertTrue(parameters == null || parameters.length == 0, "text taken for a format");
            super.log(level, bundle, format, parameters);
        }
    }

    /** A failure of the program or the machine is a warning, what a client does is not; nor is an unknown. */
    @ParameterizedTest
    @CsvSource({"ALL, true, true", "DEBUG, true, true", "INFO, true, false", "WARNING, true, false",
        "ERROR, false, false"})
    void systemLoggerWantsWhatThePlatformPrints(System.Logger.Level level, boolean failures, boolean others) {
        var lines = new Lines(level);
        var logger = new SystemLogger(lines);
        var expected = new ArrayList<String>();
        assertEquals(failures, logger.enabled());
        for (String event : List.of("handler_error", "connection_error", "turn_error")) {
            assertEquals(failures, logger.enabled(event), event);
            logger.log(new IllegalStateException("x"), new LogEntry("event", event), new LogEntry("id", "7"));
            expected.add("WARNING event=" + event + " id=7 java.lang.IllegalStateException: x");
        }
        if (!failures) expected.clear();
        for (String event : List.of("read_bytes", "refuse", "event_of_a_program")) {
            assertEquals(others, logger.enabled(event), event);
            logger.log(new LogEntry("event", event));
            if (others) expected.add("DEBUG event=" + event + " null");
        }
        assertEquals(expected, lines.all);
    }

    @Test
    void textForTheSystemLoggerIsEscaped() {
        var lines = new Lines(DEBUG);
        new SystemLogger(lines).log(new LogEntry("event", "x"), new LogEntry("b", null),
                new LogEntry("c", ""), new LogEntry("a", "1\r\n2\u001b[0m\u00e9\\ {0} %s"));
        assertEquals(List.of("DEBUG event=x b=null c= a=1\\u000d\\u000a2\\u001b[0m\\u00e9\\u005c {0} %s"
                + " null"), lines.all);
    }

    /** With the name of the library, and one of their own for exchanges. */
    @Test
    void systemLoggerIsNamedAfterTheLibrary() {
        var records = new ArrayList<String>();
        var handler = new StreamHandler() {
            @Override
            public void publish(LogRecord record) {
                records.add(record.getLoggerName() + " " + record.getLevel() + " " + record.getMessage());
            }
        };
        var events = java.util.logging.Logger.getLogger("org.microhttp");
        var exchanges = java.util.logging.Logger.getLogger("org.microhttp.access");
        events.addHandler(handler);
        events.setUseParentHandlers(false);
        try {
            var logger = new SystemLogger();
            assertFalse(logger.enabled("exchange"));
            events.setLevel(java.util.logging.Level.FINE);
            logger.log(new LogEntry("event", "x"), new LogEntry("a", "{0}'"));
            logger.log(new LogEntry("event", "exchange"));
            events.setLevel(java.util.logging.Level.OFF);
            assertFalse(logger.enabled());
            exchanges.setLevel(java.util.logging.Level.FINE);
            assertTrue(logger.enabled() && logger.enabled("exchange") && !logger.enabled("handler_error"));
        } finally {
            exchanges.setLevel(null);
            events.setLevel(null);
            events.setUseParentHandlers(true);
            events.removeHandler(handler);
        }
        assertEquals(List.of("org.microhttp FINE event=x a={0}'",
                "org.microhttp.access FINE event=exchange"), records);
    }

    /** With a logger that prints nothing, a request costs the loop no more than without one. */
    @Test
    void requestAllocatesNothingForEventsThatAreNotPrinted() throws Exception {
        long silent = allocatedByRequest(new NoopLogger());
        long system = allocatedByRequest(new SystemLogger(new Lines(INFO)));
        assertTrue(system <= silent + 40, system + " bytes a request, " + silent + " without a logger");
    }

    private static long allocatedByRequest(Logger logger) throws Exception {
        try (var server = new TestServer(TestServer.options(), logger, TestServer::echoTarget)) {
            RawClient client = server.connect();
            long before = 0;
            for (int i = -200; i < 500; i++) {
                if (i == 0) before = THREADS.getThreadAllocatedBytes(server.thread.getId());
                client.get("/a").expectOk("/a");
            }
            return (THREADS.getThreadAllocatedBytes(server.thread.getId()) - before) / 500;
        }
    }

    /** A format for each character would allocate far more. */
    @Test
    void escapingAllocatesInProportionToTheText() {
        var entry = new LogEntry("target", "\u0001\\".repeat(16 * 1024));
        var escaped = new StringBuilder();
        DebugLogger.append(escaped, entry);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        DebugLogger.append(new StringBuilder(), entry);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertEquals(" target=" + "\\u0001\\u005c".repeat(16 * 1024), escaped.toString());
        assertTrue(allocated < 30L * escaped.length(), allocated + " bytes for " + escaped.length());
    }
}
