package org.microhttp;

import org.microhttp.protocol.Budget;
import org.microhttp.protocol.RequestParser;

/** The options that concern each connection of a loop, as numbers. Times are in nanoseconds. */
final class ConnectionLimits {

    final RequestParser.Limits parser;
    final long socketTimeout, requestTimeout, handlerTimeout, streamTimeout, maxRequests;

    final long maxStreamedSize;

    /** How many bytes a client must take in each {@code socketTimeout} in which it is sent something. */
    final long minTaken;

    /** How many bytes must come in each {@code requestTimeout} in which a streamed body is received. */
    final long minReceived;

    ConnectionLimits(Options options, Budget bytes) {
        parser = new RequestParser.Limits(options.maxRequestSize(), options.maxHeaderSize(),
                options.maxHeaders(), options.proxyProtocol(), bytes);
        socketTimeout = options.socketTimeout().toNanos();
        requestTimeout = options.requestTimeout().toNanos();
        handlerTimeout = options.handlerTimeout().toNanos();
        streamTimeout = options.streamTimeout().toNanos();
        maxRequests = options.maxRequestsPerConnection();
        maxStreamedSize = options.maxStreamedSize();
        minTaken = (long) (options.socketTimeout().toMillis() / 1e3 * options.minSendRate());
        minReceived = (long) Math.ceil(options.requestTimeout().toMillis() / 1e3 * options.minReceiveRate());
    }
}
