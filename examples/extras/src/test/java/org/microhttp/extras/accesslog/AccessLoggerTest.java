package org.microhttp.extras.accesslog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.microhttp.*;
import org.microhttp.testing.RecordingLogger;
import org.microhttp.testing.Tier;

/** The logger of the access log: what it wants, its bound, outputs that are stuck or fail, and its end. */
@Tier.Program
final class AccessLoggerTest {

    private static final int ROOM = 1 << 20;

    /** Takes what is written, when it is let. */
    private static class Output implements WritableByteChannel {

        final CountDownLatch writing = new CountDownLatch(1);
        final CountDownLatch free = new CountDownLatch(1);
        volatile boolean failing;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean open = true;

        static Output free() {
            var output = new Output();
            output.free.countDown();
            return output;
        }

        @Override
        public int write(ByteBuffer lines) throws IOException {
            writing.countDown();
            try {
                free.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (failing) {
                throw new IOException("No space left on device");
            }
            // as a pipe does that is nearly full
            var part = new byte[Math.min(100, lines.remaining())];
            lines.get(part);
            synchronized (this) {
                bytes.writeBytes(part);
            }
            return part.length;
        }

        synchronized List<String> lines() {
            return bytes.toString(US_ASCII).lines().toList();
        }

        @Override
        public synchronized boolean isOpen() {
            return open;
        }

        @Override
        public synchronized void close() {
            open = false;
        }
    }

    private static AccessLogger logger(Output output, Logger next) {
        return new AccessLogger(output, AccessFormat.COMMON, Trust.nobody(), next, ROOM);
    }

    private static LogEntry[] exchange(int number) {
        return new LogEntry[] {new LogEntry("event", "exchange"), new LogEntry("id", "" + number),
            new LogEntry("peer", "/192.0.2.1:50000"), new LogEntry("method", "GET"),
            new LogEntry("target", "/" + number), new LogEntry("version", "HTTP/1.1"),
            new LogEntry("status", "200"), new LogEntry("bytes", "2"), new LogEntry("nanos", "1")};
    }

    private static void awaitWritten(AccessLogger logger, long count) {
        while (logger.written() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void everyLineInItsOrder() {
        Output output = Output.free();
        try (AccessLogger logger = logger(output, new NoopLogger())) {
            for (int i = 0; i < 1000; i++) logger.log(exchange(i));
            awaitWritten(logger, 1);
            for (int i = 1000; i < 1100; i++) logger.log(exchange(i));
        }
        assertEquals(IntStream.range(0, 1100).mapToObj(i -> "\"GET /" + i + " HTTP/1.1\"").toList(),
                output.lines().stream().map(line -> line.replaceAll(".*(\".*\").*", "$1")).toList());
        assertFalse(output.isOpen());
    }

    @Test
    void aLineIsWrittenWithoutAnother() {
        Output output = Output.free();
        try (AccessLogger logger = logger(output, new NoopLogger())) {
            logger.log(exchange(0));
            awaitWritten(logger, 1);
            assertEquals(1, output.lines().size());
        }
    }

    @Test
    void anOutputThatIsStuckHoldsNobodyAndEveryDropIsCounted() throws Exception {
        var output = new Output();
        AccessLogger logger = logger(output, new NoopLogger());
        logger.log(exchange(0));
        output.writing.await();
        // of four threads, as of four loops; each event takes a thousand bytes and more
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> IntStream.range(1, 1001).forEach(n -> logger.log(exchange(n)))));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) thread.join();
        assertEquals(0, logger.written());
        long dropped = logger.dropped();
        assertTrue(dropped > 2900 && dropped < 3100, () -> "" + dropped);
        output.free.countDown();
        awaitWritten(logger, 4001 - dropped);
        logger.log(exchange(0));
        logger.close();
        assertEquals(4002, logger.written() + logger.dropped());
        assertEquals(dropped, logger.dropped());
        assertEquals(logger.written(), output.lines().size());
    }

    @Test
    void aLargeEventNeedsMoreRoom() throws Exception {
        var output = new Output();
        try (AccessLogger logger = logger(output, new NoopLogger())) {
            logger.log(exchange(0));
            output.writing.await();
            LogEntry[] large = exchange(1);
            large[4] = new LogEntry("target", "/" + "a".repeat(ROOM - 2500));
            logger.log(large);
            assertEquals(0, logger.dropped());
            logger.log(exchange(2));
            assertEquals(1, logger.dropped());
            output.free.countDown();
        }
        assertEquals(2, output.lines().size());
    }

    @Test
    void aCloseIsBoundedAndCountsWhatIsLeft() throws Exception {
        var output = new Output();
        AccessLogger logger = logger(output, new NoopLogger());
        logger.log(exchange(0));
        output.writing.await();
        for (int i = 0; i < 299; i++) logger.log(exchange(i));
        logger.close();
        assertEquals(0, logger.written());
        assertEquals(300, logger.dropped());
        logger.log(exchange(0));
        assertEquals(301, logger.dropped());
        logger.close();
        while (output.isOpen()) Thread.onSpinWait();
        assertEquals(301, logger.dropped());
        assertEquals(0, logger.written());
    }

    @Test
    void anInterruptedCloseGivesUpAtOnce() throws Exception {
        var output = new Output();
        AccessLogger logger = logger(output, new NoopLogger());
        logger.log(exchange(0));
        output.writing.await();
        Thread.currentThread().interrupt();
        logger.close();
        assertTrue(Thread.interrupted());
        assertEquals(1, logger.dropped());
    }

    @Test
    void anOutputThatFailsCostsWhatItWasGivenThen() {
        Output output = Output.free();
        try (AccessLogger logger = logger(output, new NoopLogger())) {
            logger.log(exchange(0));
            awaitWritten(logger, 1);
            output.failing = true;
            for (int i = 1; i < 5; i++) {
                logger.log(exchange(i));
                while (logger.dropped() < i) Thread.onSpinWait();
            }
            output.failing = false;
            logger.log(exchange(5));
            awaitWritten(logger, 2);
            assertEquals(4, logger.dropped());
        }
        assertEquals(2, output.lines().size());
        assertTrue(output.lines().get(1).contains("/5"));
    }

    @Test
    void wantsExchangesAndWhatTheOtherWants() {
        try (AccessLogger alone = logger(Output.free(), new NoopLogger());
                AccessLogger both = logger(Output.free(), new RecordingLogger())) {
            assertTrue(alone.enabled());
            assertTrue(alone.enabled("exchange"));
            assertFalse(alone.enabled("accept"));
            assertTrue(both.enabled("accept"));
        }
    }

    @Test
    void wantsFieldsWhereALineHasThemOrAProxyIsTrusted() {
        Trust nobody = Trust.nobody();
        for (AccessFormat format : AccessFormat.values()) {
            for (Trust trust : List.of(nobody, Trust.of("::1"))) {
                var logger = new AccessLogger(Output.free(), format, trust, new NoopLogger());
                boolean plain = format == AccessFormat.COMMON && trust == nobody;
                assertEquals(!plain, logger.wantsFields());
                logger.close();
            }
        }
    }

    /** The other gets what it would get alone: no fields that it does not want. */
    @Test
    void theOtherGetsWhatItWants() {
        var other = new RecordingLogger();
        var cause = new IllegalStateException();
        LogEntry[] request = {new LogEntry("event", "read_request"), new LogEntry("request", "GET /")};
        LogEntry[] exchange = {new LogEntry("event", "exchange"), new LogEntry("id", "1"),
            new LogEntry("fields", "Host: x")};
        try (var logger = new AccessLogger(Output.free(), AccessFormat.JSON, Trust.nobody(), other)) {
            for (boolean fields : new boolean[] {false, true}) {
                other.fields = fields;
                logger.log(request);
                logger.log(cause, request);
                logger.log((Throwable) null, exchange);
            }
        }
        List<RecordingLogger.Event> got = other.events();
        for (int i = 0; i < 6; i++) {
            Set<String> keys = got.get(i).values().keySet();
            assertEquals(i == 5, keys.contains("fields"));
            assertEquals(i == 5 ? 2 : 1, keys.size());
            assertEquals(i % 3 == 1 ? cause : null, got.get(i).cause());
        }
        assertEquals(6, got.size());
    }

    @Test
    void theOtherGetsAnErrorAsItself() {
        List<Throwable> causes = new ArrayList<>();
        var other = new Logger() {
            @Override
            public boolean enabled() {
                return true;
            }

            @Override
            public void log(LogEntry... entries) {
                causes.add(null);
            }

            @Override
            public void log(Exception e, LogEntry... entries) {
                causes.add(e);
            }

            @Override
            public void log(Throwable cause, LogEntry... entries) {
                causes.add(cause);
            }
        };
        Throwable error = new StackOverflowError();
        try (AccessLogger logger = logger(Output.free(), other)) {
            logger.log(error, new LogEntry("event", "handler_error"));
        }
        assertEquals(List.of(error), causes);
    }

    @Test
    void theOtherGetsNothingThatItDoesNotWant() {
        var other = new Logger() {
            int events;

            @Override
            public boolean enabled() {
                return false;
            }

            @Override
            public void log(LogEntry... entries) {
                events++;
            }

            @Override
            public void log(Exception e, LogEntry... entries) {
                events++;
            }
        };
        Output output = Output.free();
        try (AccessLogger logger = logger(output, other)) {
            logger.log(exchange(0));
            logger.log(new Exception(), new LogEntry("event", "read_error"));
        }
        assertEquals(0, other.events);
        assertEquals(1, output.lines().size());
    }
}
