package org.microhttp.httpserver;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.microhttp.Options;
import org.microhttp.extras.tls.TlsSettings;

/**
 * The system properties that {@link MicrohttpProvider} lists, as options. They are read when a server is
 * bound.
 *
 * @param options     the properties for which the library has options
 * @param loops       how many event loops serve the port
 * @param drainAmount how many unread bytes of a body are read, so that the connection persists
 */
record Settings(Options options, int loops, long drainAmount) {

    private static final String JDK = "sun.net.httpserver.";
    private static final String OWN = "org.microhttp.httpserver.";

    /** The most bytes of an upload that are handed over at once: each time costs two threads a switch. */
    private static final int READ_BUFFER = 256 * 1024;

    /** The JDK's defaults. */
    private static final long DRAIN_AMOUNT = 65_536;
    private static final int MAX_FIELDS = 200;

    /** The longest handshake, however long a request may take. */
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);

    /** The longest time that an option allows. */
    private static final long MAX_MILLIS = Duration.ofDays(365).toMillis();

    /** Reads the properties for a server at an address. */
    static Settings at(InetSocketAddress address, int backlog) {
        boolean everywhere = address.getAddress().isAnyLocalAddress();
        Options options = new Options()
                .withHost(everywhere ? null : address.getAddress().getHostAddress())
                .withReadBufferSize(READ_BUFFER)
                .withPort(address.getPort())
                .withAcceptLength(Math.max(backlog, 0));
        int loops = (int) Math.min(1024, positive(OWN + "loops", 1));
        return new Settings(withTimes(withLimits(options)), loops,
                Math.max(0, Long.getLong(JDK + "drainAmount", DRAIN_AMOUNT)));
    }

    /** The settings for the TLS of an HTTPS server. */
    TlsSettings tls(TlsSettings.Engines engines) {
        Duration time = options.requestTimeout();
        return TlsSettings.ofEngines(engines)
                .withHandshakeTimeout(time.compareTo(HANDSHAKE) < 0 ? time : HANDSHAKE);
    }

    private static Options withLimits(Options options) {
        long most = positive(JDK + "maxReqHeaderSize", options.maxHeaderSize());
        return options
                .withMaxConnections(positive("jdk.httpserver.maxConnections", Options.NO_LIMIT))
                .withMaxHeaders((int) Math.min(1_000_000, positive(JDK + "maxReqHeaders", MAX_FIELDS)))
                .withMaxHeaderSize((int) Math.min(options.maxRequestSize(), most))
                .withMaxPendingRequests(positive(OWN + "maxPendingRequests", options.maxPendingRequests()))
                .withMaxStreamedSize(positive(OWN + "maxBodySize", Options.NO_LIMIT));
    }

    private static Options withTimes(Options options) {
        Duration idle = time(JDK + "idleInterval", 1_000, options.socketTimeout());
        // the JDK has two intervals at which it looks at its clock
        Duration tick = time(JDK + "clockTick", 1, options.resolution());
        Duration timer = time(JDK + "timerMillis", 1, options.resolution());
        Duration response = time(JDK + "maxRspTime", 1_000, options.handlerTimeout());
        Options timed = options
                .withHandlerTimeout(response)
                .withStreamTimeout(response)
                .withResolution(tick.compareTo(timer) < 0 ? tick : timer);
        if (positive(JDK + "maxReqTime", 0) == 0) {
            // an upload may be as slow as its client, as long as it does not stop
            return timed.withMinReceiveRate(0).withSocketTimeout(idle);
        }
        // a client that connects has to begin a request in that time, too
        Duration request = time(JDK + "maxReqTime", 1_000, options.requestTimeout());
        return timed.withRequestTimeout(request)
                .withSocketTimeout(idle.compareTo(request) < 0 ? idle : request);
    }

    private static long positive(String property, long otherwise) {
        long value = Long.getLong(property, otherwise);
        return value > 0 ? value : otherwise;
    }

    private static Duration time(String property, long unitMillis, Duration otherwise) {
        long units = positive(property, 0);
        long millis = Math.min(MAX_MILLIS / unitMillis, units) * unitMillis;
        return units == 0 ? otherwise : Duration.ofMillis(millis);
    }
}
