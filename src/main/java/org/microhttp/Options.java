package org.microhttp;

import static java.lang.Integer.MAX_VALUE;
import static org.microhttp.Check.within;

import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.function.Consumer;
import org.microhttp.protocol.*;

/**
 * The settings of an event loop, with their defaults. Options are immutable, and any number of threads may
 * use them: each {@code with} method returns a changed copy. A value out of range throws an {@link
 * IllegalArgumentException} that names the option, the value and the range. For example:
 * <pre>{@code
 *   Options options = new Options()
 *           .withHost(null)
 *           .withPort(8080)
 *           .withMaxConnections(10_000)
 *           .withMaxPendingRequests(1_000);
 * }</pre>
 * These values mean the same in all options:
 * <ul>
 * <li>{@link #NO_LIMIT} switches off a limit of type {@code long}. Limits of type {@code int}, which hold for
 *     a request kept in memory, and limits of time can be large, but not off.
 * <li>{@code 0} leaves a size or the port to the server or the system. A minimum rate of 0 is no minimum.
 * <li>{@code null} is none: no socket, hook or watchdog. As the host it means every interface.
 * </ul>
 * A time is 1 ms to 365 days.
 */
public final class Options {

    /** Switches a limit of type {@code long} off, as by {@code withMaxPendingRequests(NO_LIMIT)}. */
    public static final long NO_LIMIT = Budget.NO_LIMIT;

    // A new option needs a default, a setter and an accessor. The class that uses the option reads it when a
    // loop is constructed: ConnectionLimits (timeouts, limits), LoopContext (the read buffer, resolution,
    // hooks), Acceptor (addresses, socket options, which peers may connect), GroupContext (limits that loops
    // share), EventLoop (watchdog). If requests are refused because of the option, a row in Refusal names it.
    // A test compares defaults, setters, accessors, toString and the page options.md.
    private static final Map<String, Object> DEFAULTS = new LinkedHashMap<>();

    static {
        DEFAULTS.put("host", "localhost");
        DEFAULTS.put("port", 8080);
        DEFAULTS.put("acceptLength", 0);
        DEFAULTS.put("reuseAddr", true);
        DEFAULTS.put("reusePort", false);
        DEFAULTS.put("readBufferSize", 64 * 1024);
        DEFAULTS.put("maxRequestSize", 1024 * 1024);
        DEFAULTS.put("maxHeaderSize", 32 * 1024);
        DEFAULTS.put("maxHeaders", 100);
        DEFAULTS.put("socketTimeout", Duration.ofSeconds(75));
        DEFAULTS.put("requestTimeout", Duration.ofSeconds(60));
        DEFAULTS.put("handlerTimeout", Duration.ofMinutes(5));
        DEFAULTS.put("streamTimeout", Duration.ofMinutes(5));
        DEFAULTS.put("minSendRate", 0);
        DEFAULTS.put("minReceiveRate", 16 * 1024);
        DEFAULTS.put("maxStreamedSize", 1L << 30);
        DEFAULTS.put("maxBufferedBytes", 0L);
        DEFAULTS.put("sendBufferSize", 0);
        DEFAULTS.put("receiveBufferSize", 0);
        DEFAULTS.put("resolution", Duration.ofMillis(100));
        DEFAULTS.put("maxConnections", NO_LIMIT);
        DEFAULTS.put("maxPendingRequests", 10_000L);
        DEFAULTS.put("maxRequestsPerConnection", NO_LIMIT);
        DEFAULTS.put("unixSocket", null);
        DEFAULTS.put("listener", null);
        DEFAULTS.put("proxyProtocol", false);
        DEFAULTS.put("trustedProxies", TrustedNetwork.PRIVATE);
        DEFAULTS.put("watchdog", null);
        DEFAULTS.put("errorHandler", null);
        DEFAULTS.put("onStopping", null);
        DEFAULTS.put("exchangeListener", null);
        // whether the loops of a group share a port where the system allows it; false only in tests
        DEFAULTS.put("sharing", true);
        DEFAULTS.put("clock", new Clock());
    }

    private final Map<String, Object> values;

    /** Makes options with every default. */
    public Options() { this(DEFAULTS); }

    private Options(Map<String, Object> values) { this.values = values; }

    private Options with(String option, Object value) {
        var changed = new LinkedHashMap<>(values);
        changed.put(option, value);
        return new Options(changed);
    }

    private <T extends Comparable<T>> Options with(String option, T value, T least, T most) {
        return with(option, within(option, value, least, most));
    }

    private Options withTime(String option, Duration time) { return with(option, within(option, time)); }

    /** Returns an option's value, of the type of its default and setter. */
    @SuppressWarnings("unchecked")
    private <T> T get(String option) { return (T) values.get(option); }

    /**
     * Sets the interface to listen on; default {@code "localhost"}.
     *
     * @param host a name or an address; null for every interface
     * @return a changed copy
     */
    public Options withHost(String host) { return with("host", host); }

    /**
     * Sets the port to listen on; default 8080.
     *
     * @param port 0 to 65535; 0 takes a free port, which {@link EventLoop#getPort} returns
     * @return a changed copy
     */
    public Options withPort(int port) { return with("port", port, 0, 65_535); }

    /**
     * Sets the listen backlog; default 0. Java's own default of 50 would drop connections when a proxy opens
     * many at once.
     *
     * @param n how many connections may wait to be accepted; 0 means 1024
     * @return a changed copy
     */
    public Options withAcceptLength(int n) { return with("acceptLength", n, 0, MAX_VALUE); }

    /**
     * Sets SO_REUSEADDR on the listener; default true. Logged and skipped where the platform lacks it.
     *
     * @param on whether a port may be bound while connections of an earlier server linger on it
     * @return a changed copy
     */
    public Options withReuseAddr(boolean on) { return with("reuseAddr", on); }

    /**
     * Sets SO_REUSEPORT on the listener; default false. Logged and skipped where the platform lacks it.
     *
     * @param on whether several loops or processes may listen on one port
     * @return a changed copy
     */
    public Options withReusePort(boolean on) { return with("reusePort", on); }

    /**
     * Sets the size of the loop's read buffer; default 64 KiB.
     *
     * @param n at least 1 byte; also how much a client may send ahead while a request is being answered
     * @return a changed copy
     */
    public Options withReadBufferSize(int n) { return with("readBufferSize", n, 1, MAX_VALUE); }

    /**
     * Limits the size of a request as received, chunk framing included; default 1 MiB.
     *
     * @param n at least 1 byte, at most {@code maxBufferedBytes}, which is a quarter of the heap unless it is
     *          set; a longer request is refused with 413
     * @return a changed copy
     */
    public Options withMaxRequestSize(int n) { return with("maxRequestSize", n, 1, MAX_VALUE); }

    /**
     * Limits the request line and the header section together, and the trailer section; default 32 KiB.
     *
     * @param n at least 1 byte; a longer request line is refused with 414, a longer section with 431
     * @return a changed copy
     */
    public Options withMaxHeaderSize(int n) { return with("maxHeaderSize", n, 1, MAX_VALUE); }

    /**
     * Limits the number of headers of a request, and of trailers; default 100.
     *
     * @param n 1 to 1,000,000; more are refused with 431
     * @return a changed copy
     */
    public Options withMaxHeaders(int n) { return with("maxHeaders", n, 1, 1_000_000); }

    /**
     * Sets the idle timeout, also between requests; default 75 s. Set it longer than your proxy's idle
     * timeout, which often is 60 s.
     *
     * @param d 1 ms to 365 days without a read or a write while the server waits for the client; then the
     *          connection is closed, after a 408 if a request has begun
     * @return a changed copy
     */
    public Options withSocketTimeout(Duration d) { return withTime("socketTimeout", d); }

    /**
     * Limits how long a request may take to arrive; default 60 s.
     *
     * @param d 1 ms to 365 days from its first byte, or from when earlier answers were sent, to its last
     *          byte; then 408 and close
     * @return a changed copy
     */
    public Options withRequestTimeout(Duration d) { return withTime("requestTimeout", d); }

    /**
     * Limits how long the handler may take to answer; default 5 minutes.
     *
     * @param d 1 ms to 365 days; then 503 and close, and the late answer is dropped
     * @return a changed copy
     */
    public Options withHandlerTimeout(Duration d) { return withTime("handlerTimeout", d); }

    /**
     * Sets how long the publisher of a body may be silent while buffers are requested; default 5 minutes.
     * After that time the body is cut, or becomes a 500 if nothing of the response is sent. Once the client
     * has ended its side, {@code socketTimeout} counts, too, because the client may be gone. A stream with
     * longer pauses must signal something without meaning; for server-sent events that is a comment, a line
     * with only a colon. In another protocol ({@link Response#upgrade}) this is how long both sides may be
     * silent at once; input that the subscriber does not request does not count.
     *
     * @param d 1 ms to 365 days
     * @return a changed copy
     */
    public Options withStreamTimeout(Duration d) { return withTime("streamTimeout", d); }

    /**
     * Sets how fast a client must take responses; default 0. A connection is closed unless its client takes
     * this rate, or all that is queued, in each {@code socketTimeout} in which the server waits for the
     * client: with 1,000 and the default of 75 s that is 75,000 bytes. With 0, one byte in each
     * {@code socketTimeout} is enough.
     *
     * @param bytes bytes a second; 0 for no minimum
     * @return a changed copy
     */
    public Options withMinSendRate(int bytes) { return with("minSendRate", bytes, 0, MAX_VALUE); }

    /**
     * Sets how fast a client must send a body that is streamed ({@link Handler#receiver}); default 16 KiB a
     * second. A client that sends less than this rate in a {@code requestTimeout} gets a 408 and its
     * connection is closed. Time in which the receiver requests nothing does not count. With 0, one byte in
     * each {@code socketTimeout} is enough.
     *
     * @param bytes bytes a second; 0 for no minimum
     * @return a changed copy
     */
    public Options withMinReceiveRate(int bytes) { return with("minReceiveRate", bytes, 0, MAX_VALUE); }

    /**
     * Limits a request whose body is streamed ({@link Handler#receiver}); default 1 GiB. A larger one gets a
     * 413 and its connection is closed. {@code maxRequestSize} is for bodies kept in memory.
     *
     * @param n at least 1 byte, counted as for {@code maxRequestSize}
     * @return a changed copy
     */
    public Options withMaxStreamedSize(long n) { return with("maxStreamedSize", n, 1L, NO_LIMIT); }

    /**
     * Limits what is kept in memory for all connections together: incomplete requests, unsent answers;
     * default 0. A loop takes no new request while the bodies that wait in the heap to be written exceed the
     * loop's part of this limit.
     *
     * @param n in bytes; 0 for a quarter of the heap, but at least 1 MiB. The constructor of a loop throws if
     *          {@code maxRequestSize} is larger. A request that would exceed the limit gets 503, unless an
     *          earlier answer is pending, and its connection is closed; so is the connection of a client that
     *          does not read its answers
     * @return a changed copy
     */
    public Options withMaxBufferedBytes(long n) { return with("maxBufferedBytes", n, 0L, NO_LIMIT); }

    /**
     * Sets SO_SNDBUF of each connection; default 0.
     *
     * @param n 0 for the system's choice
     * @return a changed copy
     */
    public Options withSendBufferSize(int n) { return with("sendBufferSize", n, 0, MAX_VALUE); }

    /**
     * Sets SO_RCVBUF of each connection; default 0.
     *
     * @param n 0 for the system's choice
     * @return a changed copy
     */
    public Options withReceiveBufferSize(int n) { return with("receiveBufferSize", n, 0, MAX_VALUE); }

    /**
     * Sets how often deadlines are checked; default 100 ms.
     *
     * @param tick 1 ms to 365 days; a timeout fires at most one tick late
     * @return a changed copy
     */
    public Options withResolution(Duration tick) { return withTime("resolution", tick); }

    /**
     * Limits how many connections are open at once; default {@link #NO_LIMIT}. No connection is refused:
     * accepting pauses until one closes.
     *
     * @param n at least 1
     * @return a changed copy
     */
    public Options withMaxConnections(long n) { return with("maxConnections", n, 1L, NO_LIMIT); }

    /**
     * Limits the requests that handlers have not answered yet; default 10,000. Choose it to fit your memory
     * if you use an executor. A request counts until its first answer or failure, or {@code handlerTimeout},
     * even if its client is gone; with {@link Handler#blocking(Responder)} also until a thread has run its
     * task. Beyond the limit, requests get 503 with {@code Retry-After: 1} as soon as they are complete, and
     * the handler does not see them.
     *
     * @param n at least 1
     * @return a changed copy
     */
    public Options withMaxPendingRequests(long n) { return with("maxPendingRequests", n, 1L, NO_LIMIT); }

    /**
     * Limits the requests on one connection; default {@link #NO_LIMIT}. The answer to the last one says
     * {@code Connection: close}, so that a load balancer that keeps connections open spreads them again; what
     * the client sent after that request is dropped.
     *
     * @param n at least 1
     * @return a changed copy
     */
    public Options withMaxRequestsPerConnection(long n) {
        return with("maxRequestsPerConnection", n, 1L, NO_LIMIT);
    }

    /**
     * Listens at a Unix domain socket instead of host and port; default none. For example:
     * <pre>{@code
     *   options.withUnixSocket(Path.of("/run/app/http.sock"))
     * }</pre>
     * A socket file that an earlier server left there is replaced if no process listens at it; any other file
     * is left alone, and the constructor throws. The file is removed when the server stops listening, if it
     * is still the same one. Its mode, which depends on the process's umask, and the mode of its folder
     * decide which users may connect. {@link EventLoop#getPort} is -1, and {@link Request#remoteAddress} has
     * no name. The constructor throws in a locale such as C, in which Java cannot represent every path that a
     * client may give its own socket; use a UTF-8 locale.
     *
     * @param path of at most 106 bytes on Linux, in the default file system, in an existing folder; null for
     *             none
     * @return a changed copy
     */
    public Options withUnixSocket(Path path) { return with("unixSocket", path); }

    /**
     * Listens at a channel that is bound already, instead of host, port and Unix domain socket; default none.
     * For example, at the socket that systemd or inetd has passed to the process as its standard input:
     * <pre>{@code
     *   options.withListener((ServerSocketChannel) System.inheritedChannel())
     * }</pre>
     * The channel becomes non-blocking, and is closed with the server. When a graceful stop begins,
     * connections that are not accepted yet stay in the backlog for the next process that has the socket. The
     * constructor throws if the channel is closed, not bound, or of another server, and for a Unix domain
     * socket in a locale in which {@link #withUnixSocket} throws. The constructor waits while another thread
     * is in the channel's {@code accept()}. {@link Server#start()} fails if the channel was closed before.
     * Closing the inherited channel redirects standard input, output and error to /dev/null.
     *
     * @param channel a bound channel for one server; null for none, as {@link System#inheritedChannel}
     *                returns if nothing was inherited
     * @return a changed copy
     */
    public Options withListener(ServerSocketChannel channel) { return with("listener", channel); }

    /**
     * Requires a header of the PROXY protocol, version 1 or 2, before the first request of each connection;
     * default false. {@link Request#remoteAddress} then is the client's address, or the proxy's if its header
     * names no client. A connection without a header, or with a malformed one, is closed without an answer;
     * one from an address outside {@link #withTrustedProxies} is closed before a byte of it is read.
     *
     * @param on whether every connection comes from a proxy that sends the header
     * @return a changed copy
     */
    public Options withProxyProtocol(boolean on) { return with("proxyProtocol", on); }

    /**
     * Sets which networks may connect when the PROXY protocol is required; default this machine and private
     * networks. For example:
     * <pre>{@code
     *   options.withProxyProtocol(true).withTrustedProxies(List.of("10.1.0.0/16"))
     * }</pre>
     * The list does not apply to clients of a Unix domain socket; with an empty list no other client may
     * connect.
     *
     * @param networks in CIDR notation, as {@code "10.0.0.0/8"} or {@code "fc00::/7"}; copied
     * @return a changed copy
     * @throws IllegalArgumentException if a network is not in CIDR notation, is a host name, or is an
     *                                  IPv4-mapped IPv6 address
     * @throws NullPointerException     if the list or a network is null
     */
    public Options withTrustedProxies(List<String> networks) {
        List<String> copy = List.copyOf(networks);
        copy.forEach(network -> Check.that(TrustedNetwork.parse(network) != null, "trustedProxies", network,
                "ADDRESS/BITS, as 10.0.0.0/8 or fc00::/7"));
        return with("trustedProxies", copy);
    }

    /**
     * Starts a thread that reports when the loop takes too long between two looks at its sockets, because a
     * handler blocks for example; default none. Each such turn of the loop is logged once, as
     * {@code loop_blocked} with the stack of the loop's thread. A turn at most a quarter above the limit may
     * be missed.
     *
     * @param d how long a turn may take, 1 ms to 365 days; null for no watchdog
     * @return a changed copy
     */
    public Options withWatchdog(Duration d) {
        return d == null ? with("watchdog", null) : withTime("watchdog", d);
    }

    /**
     * Sets a handler that makes the server's own responses, such as 413 and 503; by default they are a line
     * of text with code and rule. For example, for pages of other origins:
     * <pre>{@code
     *   options.withErrorHandler(error -> error.response().withHeader("Access-Control-Allow-Origin", "*"))
     * }</pre>
     *
     * @param handler returns the response to send; null for none
     * @return a changed copy
     */
    public Options withErrorHandler(ErrorHandler handler) { return with("errorHandler", handler); }

    /**
     * Sets an action that runs when a graceful stop begins, {@link Server#stop(Duration)}; default none. It
     * should end open streams, because the stop waits for them until its grace period is over. For example:
     * <pre>{@code
     *   options.withOnStopping(publisher::close)
     * }</pre>
     * It runs once, on the loop's thread, as a handler does; in a group, on the thread of one loop. It does
     * not run before {@code stop()} or {@code close()}, nor if the server was never started. What it throws
     * is logged as {@code turn_error}.
     *
     * @param action what to run; it must not block; null for none
     * @return a changed copy
     */
    public Options withOnStopping(Runnable action) { return with("onStopping", action); }

    /**
     * Sets a listener that gets a summary of each request and its response, for access logs and metrics;
     * default none. For example:
     * <pre>{@code
     *   options.withExchangeListener(exchange ->
     *           timer(exchange.target()).record(exchange.duration()))
     * }</pre>
     * It is called once for each request, refused ones included: when the socket has taken the last byte of
     * the response, or when the connection ends earlier, just before the client can see that end. A request
     * received in part counts, too; pipelined requests that are not parsed yet do not. It is called on the
     * loop's thread, and must not block. What it throws is logged as {@code handler_error}. With a listener,
     * {@link Stats#durations} are counted, too. The clock is then read once more for each response, and for
     * each pipelined request; this, the counting and the summary cost less than a tenth of a microsecond and
     * some 150 bytes.
     *
     * @param listener gets the summaries; null for none
     * @return a changed copy
     */
    public Options withExchangeListener(Consumer<ExchangeSummary> listener) {
        return with("exchangeListener", listener);
    }

    /** {@return the name or address to listen on; null for every interface} */
    public String host() { return get("host"); }

    /** {@return the port to listen on; 0 for a free one} */
    public int port() { return get("port"); }

    /** {@return the listen backlog, in connections; 0 means 1024} */
    public int acceptLength() { return get("acceptLength"); }

    /** {@return whether SO_REUSEADDR is set} */
    public boolean reuseAddr() { return get("reuseAddr"); }

    /** {@return whether SO_REUSEPORT is set} */
    public boolean reusePort() { return get("reusePort"); }

    /** {@return the size of the loop's read buffer, in bytes} */
    public int readBufferSize() { return get("readBufferSize"); }

    /** {@return the largest size of a request, in bytes} */
    public int maxRequestSize() { return get("maxRequestSize"); }

    /** {@return the largest size of request line and header section, and of a trailer section, in bytes} */
    public int maxHeaderSize() { return get("maxHeaderSize"); }

    /** {@return how many headers a request may have, and how many trailers} */
    public int maxHeaders() { return get("maxHeaders"); }

    /** {@return the idle timeout} */
    public Duration socketTimeout() { return get("socketTimeout"); }

    /** {@return how long a request may take to arrive} */
    public Duration requestTimeout() { return get("requestTimeout"); }

    /** {@return how long the publisher of a body may be silent} */
    public Duration streamTimeout() { return get("streamTimeout"); }

    /** {@return how many bytes of responses a client has to take a second; 0 for no minimum} */
    public int minSendRate() { return get("minSendRate"); }

    /** {@return how many bytes of a streamed body have to come a second; 0 for no minimum} */
    public int minReceiveRate() { return get("minReceiveRate"); }

    /** {@return how many bytes a request with a streamed body may have} */
    public long maxStreamedSize() { return get("maxStreamedSize"); }

    /** {@return how long the handler may take to answer} */
    public Duration handlerTimeout() { return get("handlerTimeout"); }

    /** {@return how many bytes may be kept for all connections; 0: a quarter of the heap, at least 1 MiB} */
    public long maxBufferedBytes() { return get("maxBufferedBytes"); }

    /** {@return SO_SNDBUF of each connection, in bytes; 0 for the system's choice} */
    public int sendBufferSize() { return get("sendBufferSize"); }

    /** {@return SO_RCVBUF of each connection, in bytes; 0 for the system's choice} */
    public int receiveBufferSize() { return get("receiveBufferSize"); }

    /** {@return how often deadlines are checked} */
    public Duration resolution() { return get("resolution"); }

    /** {@return how many connections may be open at once; {@link #NO_LIMIT} by default} */
    public long maxConnections() { return get("maxConnections"); }

    /** {@return how many requests may be unanswered at once} */
    public long maxPendingRequests() { return get("maxPendingRequests"); }

    /** {@return how many requests one connection may send; {@link #NO_LIMIT} by default} */
    public long maxRequestsPerConnection() { return get("maxRequestsPerConnection"); }

    /** {@return the path of the Unix domain socket to listen at; null for none} */
    public Path unixSocket() { return get("unixSocket"); }

    /** {@return the channel to listen at, which is bound already; null for none} */
    public ServerSocketChannel listener() { return get("listener"); }

    /** {@return whether each connection must begin with a header of the PROXY protocol} */
    public boolean proxyProtocol() { return get("proxyProtocol"); }

    /** {@return the networks that may connect when the PROXY protocol is required; unmodifiable} */
    public List<String> trustedProxies() { return get("trustedProxies"); }

    /** {@return how long a turn of the loop may take before it is logged; null for no watchdog} */
    public Duration watchdog() { return get("watchdog"); }

    /** {@return the handler that makes the server's own responses; null for the default ones} */
    public ErrorHandler errorHandler() { return get("errorHandler"); }

    /** {@return the action that runs when a graceful stop begins; null for none} */
    public Runnable onStopping() { return get("onStopping"); }

    /** {@return the listener that gets a summary of each request; null for none} */
    public Consumer<ExchangeSummary> exchangeListener() { return get("exchangeListener"); }

    /** {@return the options that differ from their defaults, as in {@code Options[port=0, maxHeaders=50]}} */
    @Override
    public String toString() {
        var shown = new ArrayList<>(values.entrySet());
        shown.removeAll(DEFAULTS.entrySet());
        return "Options" + shown;
    }

    boolean sharing() { return get("sharing"); }

    Options withSharing(boolean on) { return with("sharing", on); }

    Clock clock() { return get("clock"); }

    Options withClock(Clock clock) { return with("clock", clock); }

    /** Returns the limit in bytes that {@code maxBufferedBytes} means for a heap of so many bytes. */
    long bufferLimit(long heap) {
        long limit = maxBufferedBytes() > 0 ? maxBufferedBytes() : Math.max(heap / 4, 1 << 20);
        within("maxRequestSize (at most maxBufferedBytes, by default a quarter of the heap)",
                (long) maxRequestSize(), 1L, limit);
        return limit;
    }

    /** The clocks of the machine. Tests replace them. */
    static class Clock {

        long nanoTime() { return System.nanoTime(); }

        long currentTimeMillis() { return System.currentTimeMillis(); }
    }
}
