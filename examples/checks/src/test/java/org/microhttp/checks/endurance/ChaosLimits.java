package org.microhttp.checks.endurance;

import java.time.Duration;
import java.util.Random;
import org.microhttp.Options;

/** The numbers of one server: every limit is set, and so low that it is met. */
final class ChaosLimits {

    /** What publishes a body may have to wait for a thread for so long. */
    private static final Duration STREAMING = Duration.ofSeconds(3);

    /** So long that a machine that is slow for a moment does not pass them. */
    final Duration silence, arrival;
    final Duration handling;
    final int loops, connections, pending, requestSize, headerSize, headers, readBuffer, sendBuffer;

    /** Whether so little is kept that clients are turned away, or cut off, for it. */
    final boolean tight;
    final long bytes;

    ChaosLimits(Random random) {
        loops = random.nextInt(4) == 0 ? 1 : 2;
        connections = 20 + random.nextInt(50);
        pending = 4 + random.nextInt(connections);
        headerSize = 512 + random.nextInt(2048);
        headers = 6 + random.nextInt(20);
        requestSize = headerSize + 8192 + random.nextInt(16_384);
        tight = random.nextInt(4) == 0;
        bytes = tight ? requestSize * (1L + random.nextInt(4)) : 32L << 20;
        readBuffer = 512 << random.nextInt(8);
        sendBuffer = random.nextInt(3) == 0 ? 0 : 4096 << random.nextInt(3);
        silence = Duration.ofMillis(1_000 + random.nextInt(500));
        arrival = Duration.ofMillis(1_000 + random.nextInt(500));
        handling = Duration.ofMillis(300 + random.nextInt(500));
    }

    Options options(int port) {
        return new Options().withHost("127.0.0.1").withPort(port).withResolution(Duration.ofMillis(10))
                .withMaxConnections(connections).withMaxPendingRequests(pending).withMaxBufferedBytes(bytes)
                .withMaxRequestSize(requestSize).withMaxHeaderSize(headerSize).withMaxHeaders(headers)
                .withReadBufferSize(readBuffer).withSendBufferSize(sendBuffer)
                .withSocketTimeout(silence).withRequestTimeout(arrival)
                .withHandlerTimeout(handling).withStreamTimeout(STREAMING).withWatchdog(Duration.ofMillis(20))
                .withErrorHandler(ChaosHandler::withField);
    }

    @Override
    public String toString() {
        return "loops " + loops + ", maxConnections " + connections + ", maxPendingRequests " + pending
                + ", maxBufferedBytes " + bytes + ", maxRequestSize " + requestSize + ", maxHeaderSize "
                + headerSize + ", maxHeaders " + headers + ", readBufferSize " + readBuffer
                + ", sendBufferSize " + sendBuffer + ", timeouts " + silence.toMillis() + ", "
                + arrival.toMillis() + ", " + handling.toMillis() + " ms";
    }
}
