package org.microhttp;

import static java.lang.System.Logger.Level.*;
import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.PlatformLogger;
import org.microhttp.testing.TestServer;

/** Events reach the platform's logger, at the right level and as text that forges nothing. */
class SystemLoggerTest {

    /** What reached the platform's logger. */
    private record Line(System.Logger.Level level, String text, Throwable thrown) { }

    /** Keeps what is of a level or above. */
    private static final class Lines extends PlatformLogger {

        final List<Line> all = new CopyOnWriteArrayList<>();
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
            if (isLoggable(level)) {
                all.add(new Line(level, text, thrown));
            }
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            assertTrue(parameters == null || parameters.length == 0, "text taken for a format");
            super.log(level, bundle, format, parameters);
        }
    }

    private static final LogEntry EVENT = new LogEntry("event", "x");
    private static final LogEntry FAILURE = new LogEntry("event", "turn_error");

    @Test
    void hasEventsAtDebugAndFailuresAtWarning() {
        var lines = new Lines(DEBUG);
        var logger = new SystemLogger(lines);
        var cause = new IllegalStateException("cause");
        logger.log(EVENT, new LogEntry("id", "7"));
        logger.log(cause, EVENT);
        logger.log(cause, FAILURE);
        assertEquals(List.of(new Line(DEBUG, "event=x id=7", null), new Line(DEBUG, "event=x", cause),
                new Line(WARNING, "event=turn_error", cause)), lines.all);
    }

    @Test
    void dropsAllButFailuresWhenDebugIsOff() {
        for (var level : List.of(INFO, WARNING)) {
            var lines = new Lines(level);
            var logger = new SystemLogger(lines);
            logger.log(EVENT);
            logger.log(new IllegalStateException(), EVENT);
            logger.log(new IllegalStateException(), FAILURE);
            assertEquals(List.of(WARNING), lines.all.stream().map(Line::level).toList());
        }
    }

    @Test
    void wantsNothingWhenWarningsAreOff() {
        assertTrue(new SystemLogger(new Lines(DEBUG)).enabled());
        assertTrue(new SystemLogger(new Lines(WARNING)).enabled());
        assertFalse(new SystemLogger(new Lines(ERROR)).enabled());
    }

    @Test
    void escapesWhatCouldForgeALine() {
        var lines = new Lines(DEBUG);
        new SystemLogger(lines).log(new LogEntry("a", "1\r\n2\u001b[0m\u00e9\\ {0} %s"),
                new LogEntry("b", "c"));
        assertEquals("a=1\\u000d\\u000a2\\u001b[0m\\u00e9\\u005c {0} %s b=c", lines.all.get(0).text());
    }

    @Test
    void takesAMissingValue() {
        var lines = new Lines(DEBUG);
        new SystemLogger(lines).log(EVENT, new LogEntry("a", null), new LogEntry("b", ""));
        assertEquals("event=x a=null b=", lines.all.get(0).text());
    }

    @Test
    void tellsWhatAServerDoes() throws Exception {
        var lines = new Lines(DEBUG);
        var error = new LinkageError("on purpose");
        Handler failing = (request, callback) -> {
            throw error;
        };
        try (var server = new TestServer(TestServer.options(), new SystemLogger(lines), failing)) {
            assertEquals(500, server.connect().get("/%0A").response().status());
        }
        var texts = lines.all.stream().map(Line::text).toList();
        assertTrue(texts.contains("event=read_request id=0 request=GET /%0A HTTP/1.1"), texts::toString);
        var failures = lines.all.stream().filter(line -> line.level() == WARNING)
                .filter(line -> line.text().startsWith("event=handler_error")).toList();
        assertEquals(1, failures.size(), texts::toString);
        String text = failures.get(0).text();
        String expected = "event=handler_error id=0 peer=/127\\.0\\.0\\.1:[0-9]+ method=GET target=/%0A";
        assertTrue(text.matches(expected), text);
        assertSame(error, failures.get(0).thrown());
    }

    /** What the platform's logger of a name gets meanwhile, of the level FINE and above. */
    private static List<LogRecord> recorded(String name, Runnable action) {
        var records = new CopyOnWriteArrayList<LogRecord>();
        var platform = java.util.logging.Logger.getLogger(name);
        var handler = new java.util.logging.Handler() {

            @Override
            public void publish(LogRecord record) {
                records.add(record);
            }

            @Override
            public void flush() { }

            @Override
            public void close() { }
        };
        platform.addHandler(handler);
        platform.setUseParentHandlers(false);
        platform.setLevel(Level.FINE);
        try {
            action.run();
        } finally {
            platform.setLevel(null);
            platform.setUseParentHandlers(true);
            platform.removeHandler(handler);
        }
        return records;
    }

    @Test
    void isNamedAfterTheLibrary() {
        List<LogRecord> records = recorded("org.microhttp", () ->
                new SystemLogger().log(new LogEntry("event", "{0}'x")));
        assertEquals(List.of("event={0}'x"), records.stream().map(LogRecord::getMessage).toList());
        assertEquals(Level.FINE, records.get(0).getLevel());
    }

    @Test
    void wantsNothingWhereThePlatformDoesNot() {
        var platform = java.util.logging.Logger.getLogger("org.microhttp");
        platform.setLevel(Level.OFF);
        try {
            assertFalse(new SystemLogger().enabled());
        } finally {
            platform.setLevel(null);
        }
    }

    @Test
    void handsExchangesToALoggerOfTheirOwnThatIsAskedForThem() {
        var logger = new SystemLogger();
        assertFalse(logger.enabled("exchange"));
        List<LogRecord> records = recorded("org.microhttp.access", () -> {
            assertTrue(logger.enabled("exchange"));
            assertFalse(logger.enabled("read_request"));
            logger.log(new LogEntry("event", "exchange"), new LogEntry("id", "7"));
            logger.log(new LogEntry("event", "read_request"));
        });
        assertEquals(List.of("event=exchange id=7"), records.stream().map(LogRecord::getMessage).toList());
        assertEquals(Level.FINE, records.get(0).getLevel());
    }
}
