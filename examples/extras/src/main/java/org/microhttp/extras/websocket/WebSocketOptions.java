package org.microhttp.extras.websocket;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What connections may do. Setters change and return the same object; set everything before the first
 * connection.
 */
public final class WebSocketOptions {

    private static final int MEBIBYTE = 1 << 20;

    Predicate<String> origins;
    List<String> subprotocols = List.of();
    int maxMessageSize = MEBIBYTE;
    int maxQueuedBytes = MEBIBYTE;
    SharedMemory memory = SharedMemory.DEFAULT;
    long messageNanos = Duration.ofMinutes(1).toNanos();
    long pingNanos = Duration.ofSeconds(25).toNanos();

    /** Whether all connections are closed, also those that open later. */
    volatile boolean closed;

    /** Makes options with the defaults. */
    public WebSocketOptions() {
    }

    /**
     * Sets which pages may connect: a browser sends cookies with the handshake of any page, so without this
     * check every site could act for its visitors (RFC 6455 §10.2). By default a page has to be from the host
     * and port that the request is for. A proxy must then pass {@code Host} on. A client that sends no
     * Origin is no browser, and is not asked.
     *
     * @param accepted says of an Origin, such as {@code https://example.com}, whether it may connect
     * @return these options
     */
    public WebSocketOptions withOrigins(Predicate<String> accepted) {
        origins = Objects.requireNonNull(accepted, "origins");
        return this;
    }

    /**
     * Sets the subprotocols that the program knows (RFC 6455 §1.9); default: none. The first that a client
     * asks for, and that is known, is chosen; {@link WebSocket#subprotocol} says which. Without one in common
     * the connection has none.
     *
     * @param names the names, which are tokens
     * @return these options
     */
    public WebSocketOptions withSubprotocols(String... names) {
        subprotocols = List.of(names);
        return this;
    }

    /**
     * Sets the largest message that is received; default: 1 MiB. A connection with a larger one is closed
     * with 1009 when its length is known, before there is memory for it.
     *
     * @param bytes of the payloads of all fragments, 0 to 1 GiB
     * @return these options
     */
    public WebSocketOptions withMaxMessageSize(int bytes) {
        maxMessageSize = within("maxMessageSize", bytes, 0);
        return this;
    }

    /**
     * Sets how much waits for a client that does not read; default: 1 MiB. While more does, nothing is sent,
     * and {@link WebSocket#send} says so. So what waits is at most that and one message. While more than half
     * of it waits, nothing is received from the client either.
     *
     * @param bytes of frames that the socket has not taken, 1 to 1 GiB
     * @return these options
     */
    public WebSocketOptions withMaxQueuedBytes(int bytes) {
        maxQueuedBytes = within("maxQueuedBytes", bytes, 1);
        return this;
    }

    /**
     * Sets how much all connections with these options may hold together: of messages that have not come
     * whole, and of messages that wait for clients; one that waits for many counts once. Default: a quarter
     * of the heap, for all connections together whose options do not set it. When it is too much, the
     * connection is given up that has held most for longest, bytes times time: it is closed with 1013, or
     * reset if its client does not read. So clients that hold memory do not keep others from theirs.
     *
     * @param bytes 1 or more; set it once, for each call begins a new count
     * @return these options
     */
    public WebSocketOptions withMaxMemory(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxMemory is " + bytes + "; allowed: 1 or more");
        }
        memory = new SharedMemory(bytes);
        return this;
    }

    /**
     * Sets how long a message may take from its first byte to its last; default: one minute. A connection
     * with a slower one is closed with 1008, or reset if its client does not read.
     *
     * @param time more than 0; kept to a quarter of a second
     * @return these options
     */
    public WebSocketOptions withMessageTimeout(Duration time) {
        messageNanos = positive("messageTimeout", time);
        return this;
    }

    /**
     * Sets after how long a silent client is sent a ping; default: 25 s, since proxies close connections that
     * are silent for a minute. A client that then sends nothing for the same time is gone, and its connection
     * is reset; so is one that does not answer a Close frame for that time. One whose socket is full, for the
     * client does not read, is reset when it has read nothing for the {@code socketTimeout} of the server.
     * The {@code streamTimeout} of the server must be longer than this: it ends a connection on which nothing
     * is sent or received.
     *
     * @param time more than 0; kept to a quarter of a second
     * @return these options
     */
    public WebSocketOptions withPingInterval(Duration time) {
        pingNanos = positive("pingInterval", time);
        return this;
    }

    /**
     * Closes all connections with these options, and those that open later, with 1001: clients connect again,
     * elsewhere or when the server is back. Does not wait, and may be called by any thread. A graceful stop
     * waits for open connections until its grace period is over, unless they are closed:
     * <pre>{@code
     *   new Options().withOnStopping(sockets::closeAll)
     * }</pre>
     */
    public void closeAll() {
        closed = true;
        IdleWatch.closeAll();
    }

    private static long positive(String name, Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException(name + " is " + time + "; allowed: more than 0");
        }
        return time.toNanos();
    }

    private static int within(String name, int value, int least) {
        if (value < least || value > 1024 * MEBIBYTE) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; allowed: " + least + " to " + 1024 * MEBIBYTE);
        }
        return value;
    }
}
