package org.microhttp;

import static java.lang.Integer.MAX_VALUE;
import static org.microhttp.Check.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.function.Consumer;

/**
 * The settings of an event loop, with their defaults. Setters change this object and return it; a value out
 * of range throws an {@link IllegalArgumentException} that names the option, the value and the range. For
 * example:
 * <pre>{@code
 *   Options options = new Options()
 *           .withHost(null)
 *           .withPort(8080)
 *           .withMaxConnections(10_000)
 *           .withMaxPendingRequests(1_000);
 * }</pre>
 * An event loop reads its options only in its constructor. Options are not safe for several threads.
 * <p>
 * The largest value of an option is <b>no limit</b>: {@link #NO_LIMIT} if it is a {@code long}, {@link
 * Integer#MAX_VALUE} if it is a size of type {@code int}, 1,000,000 for {@code maxHeaders}, 365 days for a
 * time. A {@code maxRequestSize} of more than a quarter of the heap also needs a {@code maxBufferedBytes}. To
 * switch a limit off:
 * <pre>{@code
 *   options.withMaxPendingRequests(busy ? 1_000 : Options.NO_LIMIT)
 * }</pre>
 */
public final class Options {

    /** No limit, for options of type {@code long}. */
    public static final long NO_LIMIT = Budget.NO_LIMIT;

    // A new option needs a field, a setter, an accessor, and an entry in all(). The class that uses the
    // option reads it when a loop is constructed: LoopContext (timeouts, limits, the read buffer,
    // resolution), Acceptor (addresses, socket options, which peers may connect), GroupContext (limits that
    // loops share), EventLoop (watchdog), EventLoopGroup (whether loops share the port). If requests are
    // refused because of it, the text in Refusal names it. A test compares setters, accessors, toString and
    // the page options.md.
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
    Duration streamTimeout;
    int minSendRate;
    int minReceiveRate;
    long maxStreamedSize = NO_LIMIT;
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
    ErrorHeaders errorHeaders;
    Consumer<ExchangeSummary> exchangeListener;

    /** Whether the loops of a group share a port where the system allows it; false only in tests. */
    boolean sharing = true;

    /** The clocks of the machine. Tests replace them. */
    Clock clock = new Clock();

    static class Clock {

        long nanoTime() { return System.nanoTime(); }

        long currentTimeMillis() { return System.currentTimeMillis(); }
    }

    /** Makes options with every default. */
    public Options() { }

    /**
     * Sets the interface to listen on; default {@code "localhost"}.
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
     * @param port 0 to 65535; 0 takes a free port, which {@link EventLoop#getPort} returns
     * @return these options
     */
    public Options withPort(int port) {
        this.port = within("port", port, 0, 65_535);
        return this;
    }

    /**
     * Sets the listen backlog; default 0. Java's own default of 50 would drop connections when a proxy opens
     * many at once.
     *
     * @param n how many connections may wait to be accepted; 0 means 1024
     * @return these options
     */
    public Options withAcceptLength(int n) {
        acceptLength = within("acceptLength", n, 0, MAX_VALUE);
        return this;
    }

    /**
     * Sets SO_REUSEADDR on the listener; default true. Logged and skipped where the platform lacks it.
     *
     * @param on whether a port may be bound while connections of an earlier server linger on it
     * @return these options
     */
    public Options withReuseAddr(boolean on) {
        reuseAddr = on;
        return this;
    }

    /**
     * Sets SO_REUSEPORT on the listener; default false. Logged and skipped where the platform lacks it.
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
     * @param n at least 1 byte; also how much a client may send ahead while a request is being answered
     * @return these options
     */
    public Options withReadBufferSize(int n) {
        readBufferSize = within("readBufferSize", n, 1, MAX_VALUE);
        return this;
    }

    /**
     * Limits the size of a request as received, chunk framing included; default 1 MiB.
     *
     * @param n at least 1 byte, at most {@code maxBufferedBytes}, which is a quarter of the heap unless it is
     *          set; a longer request is refused with 413
     * @return these options
     */
    public Options withMaxRequestSize(int n) {
        maxRequestSize = within("maxRequestSize", n, 1, MAX_VALUE);
        return this;
    }

    /**
     * Limits the request line and the header section together, and the trailer section; default 32 KiB.
     *
     * @param n at least 1 byte; a longer request line is refused with 414, a longer section with 431
     * @return these options
     */
    public Options withMaxHeaderSize(int n) {
        maxHeaderSize = within("maxHeaderSize", n, 1, MAX_VALUE);
        return this;
    }

    /**
     * Limits the number of fields in a header section, and in a trailer section; default 100.
     *
     * @param n 1 to 1,000,000; more are refused with 431
     * @return these options
     */
    public Options withMaxHeaders(int n) {
        maxHeaders = within("maxHeaders", n, 1, 1_000_000);
        return this;
    }

    /**
     * Sets the idle timeout, also between requests; default 75 s. Set it longer than your proxy's idle
     * timeout, which often is 60 s.
     *
     * @param d 1 ms to 365 days without a read or a write while the server waits for the client; then the
     *          connection is closed, after a 408 if a request has begun
     * @return these options
     */
    public Options withSocketTimeout(Duration d) {
        socketTimeout = within("socketTimeout", d);
        return this;
    }

    /**
     * Limits how long a request may take to arrive; default 60 s.
     *
     * @param d 1 ms to 365 days from its first byte, or from when earlier answers were sent, to its last
     *          byte; then 408 and close
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
     * Sets how long the publisher of a body may be silent while buffers are requested; default
     * {@code handlerTimeout}. Then the body is cut, or becomes a 500 if nothing of the response is sent. Once
     * the client has ended its side, {@code socketTimeout} counts, too, because the client may be gone. A
     * stream with longer pauses must signal something without meaning; for server-sent events that is a
     * comment, a line with only a colon. In another protocol ({@link Response#upgrade}) this is how long
     * both sides may be silent at once.
     *
     * @param d 1 ms to 365 days; null for {@code handlerTimeout}
     * @return these options
     */
    public Options withStreamTimeout(Duration d) {
        streamTimeout = d == null ? null : within("streamTimeout", d);
        return this;
    }

    /**
     * Sets how fast a client must take responses; default 0. A client is closed unless it takes this rate, or
     * all there is, in each {@code socketTimeout} in which the server waits for it: with 1,000 and the
     * default of 75 s that is 75,000 bytes. With 0, one byte in each {@code socketTimeout} is enough.
     *
     * @param bytes bytes a second; 0 for no minimum
     * @return these options
     */
    public Options withMinSendRate(int bytes) {
        minSendRate = within("minSendRate", bytes, 0, MAX_VALUE);
        return this;
    }

    /**
     * Sets how fast a client must send a body that is streamed ({@link Handler#receiver}); default 0, which
     * means {@code maxRequestSize} in each {@code requestTimeout}. A client that sends less gets a 408 and
     * its connection is closed. Time in which the receiver requests nothing does not count.
     *
     * @param bytes bytes a second; 0 for {@code maxRequestSize} in each {@code requestTimeout}
     * @return these options
     */
    public Options withMinReceiveRate(int bytes) {
        minReceiveRate = within("minReceiveRate", bytes, 0, MAX_VALUE);
        return this;
    }

    /**
     * Limits a request whose body is streamed ({@link Handler#receiver}); default {@link #NO_LIMIT}. A larger
     * one gets a 413 and its connection is closed. {@code maxRequestSize} is for bodies kept in memory.
     *
     * @param n in bytes, as {@code maxRequestSize}
     * @return these options
     */
    public Options withMaxStreamedSize(long n) {
        maxStreamedSize = within("maxStreamedSize", n, 1L, NO_LIMIT);
        return this;
    }

    /**
     * Limits what is kept in memory for all connections together: incomplete requests, unsent answers;
     * default 0. While the bodies that wait in the heap for their turn to be written are more than a loop's
     * part of this, the loop takes no new request.
     *
     * @param n in bytes; 0 for a quarter of the heap, but at least 1 MiB. The constructor of a loop throws if
     *          {@code maxRequestSize} is above it. A request that would exceed it gets 503, unless an earlier
     *          answer is pending, and its connection is closed; so is one whose client does not read its
     *          answers
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
     * Sets how often deadlines are checked; default 100 ms.
     *
     * @param tick 1 ms to 365 days; a timeout fires at most one tick late
     * @return these options
     */
    public Options withResolution(Duration tick) {
        resolution = within("resolution", tick);
        return this;
    }

    /**
     * Limits how many connections are open at once; default {@link #NO_LIMIT}. No connection is refused:
     * accepting pauses until one closes.
     *
     * @param n at least 1
     * @return these options
     */
    public Options withMaxConnections(long n) {
        maxConnections = within("maxConnections", n, 1L, NO_LIMIT);
        return this;
    }

    /**
     * Limits the requests that handlers have not answered yet; default {@link #NO_LIMIT}. Set it whenever you
     * use an executor. A request counts until its first answer or failure, or {@code handlerTimeout}, even if
     * its client is gone; with {@link Handler#blocking} also until the executor has run its task. Beyond the
     * limit, requests get 503 with {@code Retry-After: 1} at once, and the handler does not see them.
     *
     * @param n at least 1
     * @return these options
     */
    public Options withMaxPendingRequests(long n) {
        maxPendingRequests = within("maxPendingRequests", n, 1L, NO_LIMIT);
        return this;
    }

    /**
     * Limits the requests on one connection; default {@link #NO_LIMIT}. The answer to the last one says
     * {@code Connection: close}, so that a load balancer that keeps connections open spreads them again; what
     * the client sent after that request is dropped.
     *
     * @param n at least 1
     * @return these options
     */
    public Options withMaxRequestsPerConnection(long n) {
        maxRequestsPerConnection = within("maxRequestsPerConnection", n, 1L, NO_LIMIT);
        return this;
    }

    /**
     * Listens at a Unix domain socket instead of host and port; default none. For example:
     * <pre>{@code
     *   options.withUnixSocket(Path.of("/run/app/http.sock"))
     * }</pre>
     * A socket file that an earlier
     * server left there is replaced if no process listens at it; any other file is left alone, and the
     * constructor throws. The file is removed at the end, if it is still the same one. Its mode, which
     * depends on the process's umask, and the mode of its folder decide which users may connect. {@link
     * EventLoop#getPort} is -1, and {@link Request#remoteAddress} has no name. The constructor throws in a
     * locale such as C, in which Java cannot represent every path that a client may give its own socket; use
     * a UTF-8 locale.
     *
     * @param path of at most 106 bytes on Linux, in the default file system, in an existing folder; null for
     *             none
     * @return these options
     */
    public Options withUnixSocket(Path path) {
        unixSocket = path;
        return this;
    }

    /**
     * Listens at the socket that this process got as its standard input, from systemd or inetd for example,
     * instead of host, port and Unix domain socket; default false. The constructor throws if there is none,
     * or if it has been closed, and for a Unix domain socket in a locale in which {@link #withUnixSocket}
     * throws. When the loop begins a graceful stop, connections that are not accepted yet stay in the backlog
     * for the next process that has the socket. Closing it, at the end of the loop, redirects standard input,
     * output and error to /dev/null.
     *
     * @param on whether to use it
     * @return these options
     * @see System#inheritedChannel
     */
    public Options withInheritedSocket(boolean on) {
        inheritedSocket = on;
        return this;
    }

    /**
     * Requires a header of the PROXY protocol, version 1 or 2, before the first request of each connection;
     * default false. {@link Request#remoteAddress} then is the client's address, or the proxy's if its header
     * names no client. A connection without a header, or with a malformed one, is closed without an answer;
     * one from an address outside {@link #withTrustedProxies} is closed before a byte of it is read.
     *
     * @param on whether every connection comes from a proxy that sends one
     * @return these options
     */
    public Options withProxyProtocol(boolean on) {
        proxyProtocol = on;
        return this;
    }

    /**
     * Sets which networks may connect when the PROXY protocol is required; default this machine and private
     * networks. For example:
     * <pre>{@code
     *   options.withProxyProtocol(true).withTrustedProxies(List.of("10.1.0.0/16"))
     * }</pre>
     * The list does not apply to clients of a Unix domain socket; with an empty list only they may
     * connect.
     *
     * @param networks in CIDR notation, as {@code "10.0.0.0/8"} or {@code "fc00::/7"}; copied
     * @return these options
     * @throws IllegalArgumentException if a network is not in CIDR notation, is a host name, or is an
     *                                  IPv4-mapped IPv6 address
     * @throws NullPointerException     if the list or a network is null
     */
    public Options withTrustedProxies(List<String> networks) {
        networks.forEach(TrustedNetwork::of);
        trustedProxies = List.copyOf(networks);
        return this;
    }

    /**
     * Starts a thread that reports turns of the loop that take too long, because a handler blocks for
     * example; default none. Each such turn is logged once, as {@code loop_blocked} with the stack of the
     * loop's thread.
     *
     * @param d how long a turn may take, 1 ms to 365 days; null for no watchdog
     * @return these options
     */
    public Options withWatchdog(Duration d) {
        watchdog = d == null ? d : within("watchdog", d);
        return this;
    }

    /**
     * Adds fields to the responses that the server makes itself, such as 413 and 503; default none. For
     * example, for pages of other origins:
     * <pre>{@code
     *   options.withErrorHeaders((status, code, request) ->
     *           List.of(new Header("Access-Control-Allow-Origin", "*")))
     * }</pre>
     *
     * @param hook returns the fields; null for none
     * @return these options
     */
    public Options withErrorHeaders(ErrorHeaders hook) {
        errorHeaders = hook;
        return this;
    }

    /**
     * Sets who gets each request that is over, with its response, for access logs and metrics; default none.
     * For example:
     * <pre>{@code
     *   options.withExchangeListener(exchange ->
     *           timer(exchange.target()).record(exchange.duration()))
     * }</pre>
     * It is called once for each request, refused ones included: when the socket has taken the last byte of
     * the response, or when the connection ends before that, but before the client can see this. A request
     * that had only begun to come is one, too; pipelined requests that are not parsed yet are none. It is
     * called on the loop's thread, and must not block. What it throws is logged as {@code handler_error}.
     * With a listener, {@link Stats#durations} are counted, too. The clock is then read once more for each
     * response, and for each pipelined request; this, the counting and the summary cost less than a tenth
     * of a microsecond and some 150 bytes.
     *
     * @param listener gets the summaries; null for nobody
     * @return these options
     */
    public Options withExchangeListener(Consumer<ExchangeSummary> listener) {
        exchangeListener = listener;
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

    /** {@return the largest size of a request, in bytes} */
    public int maxRequestSize() { return maxRequestSize; }

    /** {@return the largest size of request line and header section, and of a trailer section, in bytes} */
    public int maxHeaderSize() { return maxHeaderSize; }

    /** {@return how many fields a header section may have, and a trailer section} */
    public int maxHeaders() { return maxHeaders; }

    /** {@return the idle timeout} */
    public Duration socketTimeout() { return socketTimeout; }

    /** {@return how long a request may take to arrive} */
    public Duration requestTimeout() { return requestTimeout; }

    /** {@return how long the publisher of a body may be silent; null for the handler's time} */
    public Duration streamTimeout() { return streamTimeout; }

    /** {@return how many bytes of responses a client has to take a second; 0 for no minimum} */
    public int minSendRate() { return minSendRate; }

    /** {@return how many bytes of a streamed body have to come a second; 0: see withMinReceiveRate} */
    public int minReceiveRate() { return minReceiveRate; }

    /** {@return how many bytes a request may have whose body is streamed} */
    public long maxStreamedSize() { return maxStreamedSize; }

    /** {@return how long the handler may take to answer} */
    public Duration handlerTimeout() { return handlerTimeout; }

    /** {@return how many bytes may be kept for all connections; 0: a quarter of the heap, at least 1 MiB} */
    public long maxBufferedBytes() { return maxBufferedBytes; }

    /** {@return SO_SNDBUF of each connection, in bytes; 0 for the system's choice} */
    public int sendBufferSize() { return sendBufferSize; }

    /** {@return SO_RCVBUF of each connection, in bytes; 0 for the system's choice} */
    public int receiveBufferSize() { return receiveBufferSize; }

    /** {@return how often deadlines are checked} */
    public Duration resolution() { return resolution; }

    /** {@return how many connections may be open at once; {@link #NO_LIMIT} by default} */
    public long maxConnections() { return maxConnections; }

    /** {@return how many requests may be unanswered at once; {@link #NO_LIMIT} by default} */
    public long maxPendingRequests() { return maxPendingRequests; }

    /** {@return how many requests one connection may send; {@link #NO_LIMIT} by default} */
    public long maxRequestsPerConnection() { return maxRequestsPerConnection; }

    /** {@return the path of the Unix domain socket to listen at; null for none} */
    public Path unixSocket() { return unixSocket; }

    /** {@return whether to listen at the socket that the process was started with} */
    public boolean inheritedSocket() { return inheritedSocket; }

    /** {@return whether each connection must begin with a header of the PROXY protocol} */
    public boolean proxyProtocol() { return proxyProtocol; }

    /** {@return the networks that may connect when the PROXY protocol is required; unmodifiable} */
    public List<String> trustedProxies() { return trustedProxies; }

    /** {@return how long a turn of the loop may take before it is logged; null for no watchdog} */
    public Duration watchdog() { return watchdog; }

    /** {@return what adds fields to the server's own responses; null for nothing} */
    public ErrorHeaders errorHeaders() { return errorHeaders; }

    /** {@return who gets each request that is over; null for nobody} */
    public Consumer<ExchangeSummary> exchangeListener() { return exchangeListener; }

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
                "streamTimeout=" + streamTimeout, "minSendRate=" + minSendRate,
                "minReceiveRate=" + minReceiveRate, "maxStreamedSize=" + maxStreamedSize,
                "maxBufferedBytes=" + maxBufferedBytes, "sendBufferSize=" + sendBufferSize,
                "receiveBufferSize=" + receiveBufferSize, "resolution=" + resolution,
                "maxConnections=" + maxConnections, "maxPendingRequests=" + maxPendingRequests,
                "maxRequestsPerConnection=" + maxRequestsPerConnection, "unixSocket=" + unixSocket,
                "inheritedSocket=" + inheritedSocket, "proxyProtocol=" + proxyProtocol,
                "trustedProxies=" + trustedProxies, "watchdog=" + watchdog, "errorHeaders=" + errorHeaders,
                "exchangeListener=" + exchangeListener);
    }

    /** Returns the limit in bytes that {@code maxBufferedBytes} means for a heap of a size. */
    long bufferLimit(long heap) {
        long limit = maxBufferedBytes > 0 ? maxBufferedBytes : Math.max(heap / 4, 1 << 20);
        within("maxRequestSize (at most maxBufferedBytes, by default a quarter of the heap)",
                (long) maxRequestSize, 1L, limit);
        return limit;
    }
}
