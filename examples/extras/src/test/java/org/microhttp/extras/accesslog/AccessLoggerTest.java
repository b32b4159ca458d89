package org.microhttp.extras.accesslog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.microhttp.*;
import org.microhttp.testing.Tier;

/** The access log: what it looks at, its bound, outputs that are stuck or fail, and its end. */
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

    private static AccessLogger logger(Output output) {
        return new AccessLogger(output, AccessFormat.COMMON, Trust.nobody(), ROOM);
    }

    private static ExchangeSummary exchange(int number) {
        return exchange("/" + number, List.of());
    }

    private static ExchangeSummary exchange(String target, List<Header> headers) {
        return new ExchangeSummary(0, new InetSocketAddress(50_000), "GET", target, "HTTP/1.1", headers, 200,
                2, Duration.ofNanos(1), true, null);
    }

    private static void awaitWritten(AccessLogger logger, long count) {
        while (logger.written() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void linesAreWrittenInTheirOrder() {
        Output output = Output.free();
        try (AccessLogger logger = logger(output)) {
            for (int i = 0; i < 1000; i++) logger.accept(exchange(i));
            awaitWritten(logger, 1);
            for (int i = 1000; i < 1100; i++) logger.accept(exchange(i));
        }
        assertEquals(IntStream.range(0, 1100).mapToObj(i -> "\"GET /" + i + " HTTP/1.1\"").toList(),
                output.lines().stream().map(line -> line.replaceAll(".*(\".*\").*", "$1")).toList());
        assertFalse(output.isOpen());
    }

    @Test
    void aLineIsWrittenWithoutAnother() {
        Output output = Output.free();
        try (AccessLogger logger = logger(output)) {
            logger.accept(exchange(0));
            awaitWritten(logger, 1);
            assertEquals(1, output.lines().size());
        }
    }

    @Test
    void stuckOutputBlocksNobodyAndDropsAreCounted() throws Exception {
        var output = new Output();
        AccessLogger logger = logger(output);
        logger.accept(exchange(0));
        output.writing.await();
        // of four threads, as of four loops; each takes a thousand bytes and more
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> IntStream.range(1, 1001).forEach(n -> logger.accept(exchange(n)))));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) thread.join();
        assertEquals(0, logger.written());
        long dropped = logger.dropped();
        assertTrue(dropped > 2900 && dropped < 3100, () -> "" + dropped);
        output.free.countDown();
        awaitWritten(logger, 4001 - dropped);
        logger.accept(exchange(0));
        logger.close();
        assertEquals(4002, logger.written() + logger.dropped());
        assertEquals(dropped, logger.dropped());
        assertEquals(logger.written(), output.lines().size());
    }

    @Test
    void aLargeExchangeNeedsMoreRoom() throws Exception {
        var output = new Output();
        try (AccessLogger logger = logger(output)) {
            logger.accept(exchange(0));
            output.writing.await();
            logger.accept(exchange("/" + "a".repeat(ROOM - 2500), List.of()));
            assertEquals(0, logger.dropped());
            logger.accept(exchange(2));
            assertEquals(1, logger.dropped());
            output.free.countDown();
        }
        assertEquals(2, output.lines().size());
    }

    @Test
    void closeIsBoundedAndCountsUnwrittenLines() throws Exception {
        var output = new Output();
        AccessLogger logger = logger(output);
        logger.accept(exchange(0));
        output.writing.await();
        for (int i = 0; i < 299; i++) logger.accept(exchange(i));
        logger.close();
        assertEquals(0, logger.written());
        assertEquals(300, logger.dropped());
        logger.accept(exchange(0));
        assertEquals(301, logger.dropped());
        logger.close();
        while (output.isOpen()) Thread.onSpinWait();
        assertEquals(301, logger.dropped());
        assertEquals(0, logger.written());
    }

    @Test
    void anInterruptedCloseGivesUpAtOnce() throws Exception {
        var output = new Output();
        AccessLogger logger = logger(output);
        logger.accept(exchange(0));
        output.writing.await();
        Thread.currentThread().interrupt();
        logger.close();
        assertTrue(Thread.interrupted());
        assertEquals(1, logger.dropped());
    }

    @Test
    void failingOutputLosesOnlyItsLines() {
        Output output = Output.free();
        try (AccessLogger logger = logger(output)) {
            logger.accept(exchange(0));
            awaitWritten(logger, 1);
            output.failing = true;
            for (int i = 1; i < 5; i++) {
                logger.accept(exchange(i));
                while (logger.dropped() < i) Thread.onSpinWait();
            }
            output.failing = false;
            logger.accept(exchange(5));
            awaitWritten(logger, 2);
            assertEquals(4, logger.dropped());
        }
        assertEquals(2, output.lines().size());
        assertTrue(output.lines().get(1).contains("/5"));
    }

    /** A header of whatever case, and none where no line shows one and nobody is believed. */
    @Test
    void looksAtHeadersOnlyWhereALineNeedsThem() {
        var looked = new AtomicInteger();
        List<Header> headers = new AbstractList<>() {
            @Override
            public Header get(int index) {
                looked.incrementAndGet();
                return new Header("X", "y");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        for (AccessFormat format : AccessFormat.values()) {
            for (Trust trust : List.of(Trust.nobody(), Trust.of("::1"))) {
                looked.set(0);
                try (var logger = new AccessLogger(Output.free(), format, trust)) {
                    logger.accept(exchange("/", headers));
                }
                assertEquals(format != AccessFormat.COMMON || !trust.isEmpty(), looked.get() > 0);
            }
        }
    }
}
