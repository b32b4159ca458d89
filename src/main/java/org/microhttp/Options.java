package org.microhttp;

import static java.lang.Integer.MAX_VALUE;

import java.nio.file.Path;
import java.time.Duration;
import java.util.*;

/**
 * The numbers and switches of an event loop, with their defaults. Setters change and return the same object;
 * a value out of range is refused at once with an {@link IllegalArgumentException} that names option, value
 * and range. An event loop reads each option once, when it is constructed. Not for use by several threads at
 * once.
 */
public final class Options {

    /** What {@link #withMaxConnections} and {@link #withMaxPendingRequests} are by default. */
    static final long NO_LIMIT = Long.MAX_VALUE;

    // A new option is a field, a setter, an accessor, and an entry of all(). The class that uses it reads it
    // when it is constructed: LoopContext (times, limits), Acceptor (sockets), GroupContext (what loops
    // share), EventLoop (ticks). What refuses because of it names it in Refusal. A test compares setters,
    // accessors, toString and doc-files/options.md.
    String host = "localhost";
    int port = 8080;
    int acceptLength;
    boolean reuseAddr = true;
    boolean reusePort;
    int readBufferSize = 64 * 1024;
    int maxRequestSize = 1024 * 1024;
    int maxHeaderSize = 32 * 1024;
    int maxHeaders = 100;
    Duration socketTimeout = Duration.ofSeconds(75);
    Duration requestTimeout = Duration.ofSeconds(60);
    Duration handlerTimeout = Duration.ofMinutes(5);
    long maxBufferedBytes;
    int sendBufferSize;
    int receiveBufferSize;
    Duration resolution = Duration.ofMillis(100);
    long maxConnections = NO_LIMIT;
    long maxPendingRequests = NO_LIMIT;
    long maxRequestsPerConnection = NO_LIMIT;
    Path unixSocket;
    boolean inheritedSocket;
    boolean proxyProtocol;
    List<String> trustedProxies = TrustedNetwork.PRIVATE;
    Duration watchdog;

    /** Whether the loops of a group share a port where they can; false only in tests. */
    boolean sharing = true;

    /** Another one only in tests. */
    Clock clock = new Clock();

    /** Makes options with every default. */
    public Options() { }

    /**
     * Sets where to listen; default {@code "localhost"}.
     *
     * @param host a name or an address; null for every interface
     * @return these options
     */
    public Options withHost(String host) {
        this.host = host;
        return this;
    }

    /**
     * Sets the port to listen on; default 8080.
     *
     * @param port 0 to 65535; 0 takes a free one, which {@link EventLoop#getPort} tells
     * @return these options
     */
    public Options withPort(int port) {
        this.port = within("port", port, 0, 65_535);
        return this;
    }

    /**
     * Sets the listen backlog; default 0. Java's own 50 would drop the bursts of connections that a proxy
     * opens.
     *
     * @param n how many connections may wait to be accepted; 0 means 1024
     * @return these options
     */
    public Options withAcceptLength(int n) {
        acceptLength = within("acceptLength", n, 0, MAX_VALUE);
        return this;
    }

    /**
     * Sets SO_REUSEADDR on the listener; default true. Skipped with a log event where the platform lacks it.
     *
     * @param on whether a port may be bound while connections of an earlier server linger on it
     * @return these options
     */
    public Options withReuseAddr(boolean on) {
        reuseAddr = on;
        return this;
    }

    /**
     * Sets SO_REUSEPORT on the listener; default false. Skipped with a log event where the platform lacks it.
     *
     * @param on whether several loops or processes may listen on one port
     * @return these options
     */
    public Options withReusePort(boolean on) {
        reusePort = on;
        return this;
    }

    /**
     * Sets the size of the loop's one read buffer; default 64 KiB.
     *
     * @param n at least 1 byte; also what a client may send ahead while its request is being answered
     * @return these options
     */
    public Options withReadBufferSize(int n) {
        readBufferSize = within("readBufferSize", n, 1, MAX_VALUE);
        return this;
    }

    /**
     * Limits a whole request as received, chunk framing included; default 1 MiB.
     *
     * @param n at least 1 byte, at most {@code maxBufferedBytes}, which is a quarter of the heap where it is
     *          not set; a longer request is refused with 413
     * @return these options
     */
    public Options withMaxRequestSize(int n) {
        maxRequestSize = within("maxRequestSize", n, 1, MAX_VALUE);
        return this;
    }

    /**
     * Limits request line and header section together, and likewise the trailer section; default 32 KiB.
     *
     * @param n at least 1 byte; a longer request line is refused with 414, a longer section with 431
     * @return these options
     */
    public Options withMaxHeaderSize(int n) {
        maxHeaderSize = within("maxHeaderSize", n, 1, MAX_VALUE);
        return this;
    }

    /**
     * Limits the fields of a header section, and of a trailer section; default 100.
     *
     * @param n 1 to 1,000,000; more are refused with 431
     * @return these options
     */
    public Options withMaxHeaders(int n) {
        maxHeaders = within("maxHeaders", n, 1, 1_000_000);
        return this;
    }

    /**
     * Limits how long nothing is read or written while we wait for the peer, between requests too; default 75
     * s. Longer than the 60 s at which common balancers drop idle connections: the shorter side must be
     * theirs.
     *
     * @param d 1 ms to 365 days; then the connection is closed, with 408 first when a request has begun
     * @return these options
     */
    public Options withSocketTimeout(Duration d) {
        socketTimeout = within("socketTimeout", d);
        return this;
    }

    /**
     * Limits how long a request may take to arrive, however it trickles; default 60 s.
     *
     * @param d 1 ms to 365 days from first byte to last, or from when earlier answers were sent; then 408 and
     *          close
     * @return these options
     */
    public Options withRequestTimeout(Duration d) {
        requestTimeout = within("requestTimeout", d);
        return this;
    }

    /**
     * Limits how long the handler may take to answer; default 5 minutes.
     *
     * @param d 1 ms to 365 days; then 503 and close, and the late answer is dropped
     * @return these options
     */
    public Options withHandlerTimeout(Duration d) {
        handlerTimeout = within("handlerTimeout", d);
        return this;
    }

    /**
     * Limits what the loop keeps for all its connections: incomplete requests, unsent answers; default 0.
     *
     * @param n 0 for a quarter of the heap, but at least 1 MiB. The constructor of a loop refuses a {@code
     *          maxRequestSize} above it. The request that would pass it gets 503, unless another answer is
     *          owed, and its connection is closed; so is that of a client that leaves its answers unread
     * @return these options
     */
    public Options withMaxBufferedBytes(long n) {
        maxBufferedBytes = within("maxBufferedBytes", n, 0L, NO_LIMIT);
        return this;
    }

    /**
     * Sets SO_SNDBUF of each connection; default 0.
     *
     * @param n 0 for the system's choice
     * @return these options
     */
    public Options withSendBufferSize(int n) {
        sendBufferSize = within("sendBufferSize", n, 0, MAX_VALUE);
        return this;
    }

    /**
     * Sets SO_RCVBUF of each connection; default 0.
     *
     * @param n 0 for the system's choice
     * @return these options
     */
    public Options withReceiveBufferSize(int n) {
        receiveBufferSize = within("receiveBufferSize", n, 0, MAX_VALUE);
        return this;
    }

    /**
     * Sets how often deadlines are looked at; default 100 ms.
     *
     * @param tick 1 ms to 365 days; a timeout fires at most one tick late
     * @return these options
     */
    public Options withResolution(Duration tick) {
        resolution = within("resolution", tick);
        return this;
    }

    /**
     * Limits the connections open at once; default no limit. Refuses nobody: accepting pauses until one
     * closes.
     *
     * @param n at least 1
     * @return these options
     */
    public Options withMaxConnections(long n) {
        maxConnections = within("maxConnections", n, 1L, NO_LIMIT);
        return this;
    }

    /**
     * Limits the requests that handlers have and have not answered; default no limit. A request counts until
     * its first answer or failure, or {@code handlerTimeout}, also when its client is gone. One that comes
     * beyond the limit is answered with 503 and {@code Retry-After: 1}, and the handler does not see it.
     *
     * @param n at least 1
     * @return these options
     */
    public Options withMaxPendingRequests(long n) {
        maxPendingRequests = within("maxPendingRequests", n, 1L, NO_LIMIT);
        return this;
    }

    /**
     * Limits the requests that one connection may send; default no limit. The answer to the last says close,
     * so that a balancer which keeps connections open spreads them anew; what was sent behind it is dropped.
     *
     * @param n at least 1; {@link Long#MAX_VALUE} for no limit
     * @return these options
     */
    public Options withMaxRequestsPerConnection(long n) {
        maxRequestsPerConnection = within("maxRequestsPerConnection", n, 1L, NO_LIMIT);
        return this;
    }

    /**
     * Listens at a Unix domain socket in place of host and port; default none. A socket file that an earlier
     * server has left there is replaced, if nobody listens at it; any other file is never touched, and the
     * constructor throws. The file is removed at the end, if it is still the same. Who may connect is said by
     * its mode, which the process's umask decides, and that of its folder. {@link EventLoop#getPort} is -1
     * then, and {@link Request#remoteAddress} has no name. The constructor throws in a locale such as C,
     * whose paths cannot have every name that a client may give its own socket; one of UTF-8 has them all.
     *
     * @param path of at most 106 bytes on Linux, of the default file system, in a folder that there is; null
     *             for none
     * @return these options
     */
    public Options withUnixSocket(Path path) {
        unixSocket = path;
        return this;
    }

    /**
     * Listens at the socket that this process was started with as its standard input, as systemd or inetd
     * hand one over, in place of host, port and Unix domain socket; default false. Where there is none, or it
     * was closed already, the constructor throws; also for a Unix domain socket in a locale in which {@link
     * #withUnixSocket} is refused. Who has connected and is not accepted when the loop begins
     * to leave is left for whoever has the socket next. Its close, at the end of the loop, turns standard
     * input, output and error to /dev/null.
     *
     * @param on whether to take it
     * @return these options
     * @see System#inheritedChannel
     */
    public Options withInheritedSocket(boolean on) {
        inheritedSocket = on;
        return this;
    }

    /**
     * Expects a header of the PROXY protocol, version 1 or 2, in front of the first request of each
     * connection; default false. {@link Request#remoteAddress} is the client's then, or the proxy's if that
     * tells of no client. A connection without one, or with a wrong one, is closed without an answer; so is
     * one of anybody else than {@link #withTrustedProxies}, before a byte of it is read.
     *
     * @param on whether all that connect are proxies that send one
     * @return these options
     */
    public Options withProxyProtocol(boolean on) {
        proxyProtocol = on;
        return this;
    }

    /**
     * Sets who may connect where the PROXY protocol is expected; default this machine and private networks.
     * At a Unix domain socket it is not asked. With an empty list nobody else may connect.
     *
     * @param networks each an address and how many of its bits count, as {@code "10.0.0.0/8"} or
     *     {@code "fc00::/7"}; copied
     * @return these options
     * @throws IllegalArgumentException if one is something else, as a name, or an address of version 4 that
     *     is written as one of 6
     * @throws NullPointerException if it or one of them is null
     */
    public Options withTrustedProxies(List<String> networks) {
        networks.forEach(TrustedNetwork::of);
        trustedProxies = List.copyOf(networks);
        return this;
    }

    /**
     * Has a thread watch that no turn of the loop takes too long, as it does when a handler blocks; default
     * none. Each such turn is logged once, as the event {@code loop_blocked} with the handler's stack.
     *
     * @param d 1 ms to 365 days, how long a turn may take; null for no watchdog
     * @return these options
     */
    public Options withWatchdog(Duration d) {
        watchdog = d == null ? d : within("watchdog", d);
        return this;
    }

    /** {@return the name or address to listen on; null for every interface} */
    public String host() { return host; }

    /** {@return the port to listen on; 0 for a free one} */
    public int port() { return port; }

    /** {@return the listen backlog, in connections; 0 means 1024} */
    public int acceptLength() { return acceptLength; }

    /** {@return whether SO_REUSEADDR is set} */
    public boolean reuseAddr() { return reuseAddr; }

    /** {@return whether SO_REUSEPORT is set} */
    public boolean reusePort() { return reusePort; }

    /** {@return the size of the loop's read buffer, in bytes} */
    public int readBufferSize() { return readBufferSize; }

    /** {@return how long a request may be, in bytes} */
    public int maxRequestSize() { return maxRequestSize; }

    /** {@return how long request line and header section may be together, and a trailer section, in bytes} */
    public int maxHeaderSize() { return maxHeaderSize; }

    /** {@return how many fields a header section may have, and a trailer section} */
    public int maxHeaders() { return maxHeaders; }

    /** {@return how long nothing may be read or written} */
    public Duration socketTimeout() { return socketTimeout; }

    /** {@return how long a request may take to arrive} */
    public Duration requestTimeout() { return requestTimeout; }

    /** {@return how long the handler may take to answer} */
    public Duration handlerTimeout() { return handlerTimeout; }

    /** {@return how many bytes are kept for all connections; 0 is a quarter of the heap, at least 1 MiB} */
    public long maxBufferedBytes() { return maxBufferedBytes; }

    /** {@return SO_SNDBUF of each connection, in bytes; 0 for the system's choice} */
    public int sendBufferSize() { return sendBufferSize; }

    /** {@return SO_RCVBUF of each connection, in bytes; 0 for the system's choice} */
    public int receiveBufferSize() { return receiveBufferSize; }

    /** {@return how often deadlines are looked at} */
    public Duration resolution() { return resolution; }

    /** {@return how many connections may be open at once; {@link Long#MAX_VALUE} for no limit} */
    public long maxConnections() { return maxConnections; }

    /** {@return how many requests may be unanswered at once; {@link Long#MAX_VALUE} for no limit} */
    public long maxPendingRequests() { return maxPendingRequests; }

    /** {@return how many requests one connection may send; {@link Long#MAX_VALUE} for no limit} */
    public long maxRequestsPerConnection() { return maxRequestsPerConnection; }

    /** {@return the path of the Unix domain socket to listen at; null for none} */
    public Path unixSocket() { return unixSocket; }

    /** {@return whether to listen at the socket that the process was started with} */
    public boolean inheritedSocket() { return inheritedSocket; }

    /** {@return whether each connection begins with a header of the PROXY protocol} */
    public boolean proxyProtocol() { return proxyProtocol; }

    /** {@return the networks that may connect where the PROXY protocol is expected; unmodifiable} */
    public List<String> trustedProxies() { return trustedProxies; }

    /** {@return how long a turn of the loop may take before it is logged; null for no watchdog} */
    public Duration watchdog() { return watchdog; }

    /** {@return the options that differ from their defaults, as in {@code Options[port=0, maxHeaders=50]}} */
    @Override
    public String toString() {
        var shown = new LinkedHashSet<>(all());
        shown.removeAll(new Options().all());
        return "Options" + shown;
    }

    /** Every option with its value. */
    private List<String> all() {
        return List.of("host=" + host, "port=" + port, "acceptLength=" + acceptLength,
                "reuseAddr=" + reuseAddr, "reusePort=" + reusePort, "readBufferSize=" + readBufferSize,
                "maxRequestSize=" + maxRequestSize, "maxHeaderSize=" + maxHeaderSize,
                "maxHeaders=" + maxHeaders, "socketTimeout=" + socketTimeout,
                "requestTimeout=" + requestTimeout, "handlerTimeout=" + handlerTimeout,
                "maxBufferedBytes=" + maxBufferedBytes, "sendBufferSize=" + sendBufferSize,
                "receiveBufferSize=" + receiveBufferSize, "resolution=" + resolution,
                "maxConnections=" + maxConnections, "maxPendingRequests=" + maxPendingRequests,
                "maxRequestsPerConnection=" + maxRequestsPerConnection, "unixSocket=" + unixSocket,
                "inheritedSocket=" + inheritedSocket, "proxyProtocol=" + proxyProtocol,
                "trustedProxies=" + trustedProxies, "watchdog=" + watchdog);
    }

    /** What {@code maxBufferedBytes} comes to; where both have their defaults, any heap is large enough. */
    long bufferLimit(long heap) {
        long limit = maxBufferedBytes > 0 ? maxBufferedBytes : Math.max(heap / 4, 1 << 20);
        within("maxRequestSize (at most maxBufferedBytes, by default a quarter of the heap)",
                (long) maxRequestSize, 1L, limit);
        return limit;
    }

    static <T extends Comparable<T>> T within(String option, T value, T min, T max) {
        if (value != null && value.compareTo(min) >= 0 && value.compareTo(max) <= 0) return value;
        throw new IllegalArgumentException(option + " is " + value + "; allowed: " + min + " to " + max);
    }

    private static Duration within(String option, Duration value) {
        return within(option, value, Duration.ofMillis(1), Duration.ofDays(365));
    }
}
