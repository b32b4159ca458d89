package org.microhttp.extras.websocket;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What connections may do. Options are immutable, and any number of threads may use them: each {@code with}
 * method returns a changed copy.
 */
public final class WebSocketOptions {

    private static final int MEBIBYTE = 1 << 20;

    final Values values;

    /** Whether all connections are closed, also those that open later; shared with all copies. */
    private final AtomicBoolean closed;

    /** What is set; not changed once it is in options. */
    static final class Values implements Cloneable {

        Predicate<String> origins;
        List<String> subprotocols = List.of();
        boolean compression;
        int minCompressedSize = 1024;
        int maxMessageSize = MEBIBYTE;
        int maxQueuedBytes = MEBIBYTE;
        SharedMemory memory = SharedMemory.DEFAULT;
        long messageNanos = Duration.ofMinutes(1).toNanos();
        long pingNanos = Duration.ofSeconds(25).toNanos();

        @Override
        protected Values clone() {
            try {
                return (Values) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Makes options with the defaults. */
    public WebSocketOptions() {
        this(new Values(), new AtomicBoolean());
    }

    private WebSocketOptions(Values values, AtomicBoolean closed) {
        this.values = values;
        this.closed = closed;
    }

    private WebSocketOptions with(Consumer<Values> change) {
        Values changed = values.clone();
        change.accept(changed);
        return new WebSocketOptions(changed, closed);
    }

    /**
     * Sets which pages may connect: a browser sends cookies with the handshake of any page, so without this
     * check every site could act for its visitors (RFC 6455 §10.2). By default a page has to be from the host
     * and port that the request is for. A proxy must then pass {@code Host} on. A client that sends no
     * Origin is no browser, and is not asked.
     *
     * @param accepted says of an Origin, such as {@code https://example.com}, whether it may connect
     * @return a changed copy
     */
    public WebSocketOptions withOrigins(Predicate<String> accepted) {
        Objects.requireNonNull(accepted, "origins");
        return with(v -> v.origins = accepted);
    }

    /**
     * Sets the subprotocols that the program knows (RFC 6455 §1.9); default: none. The first that a client
     * asks for, and that is known, is chosen; {@link WebSocket#subprotocol} says which. Without one in common
     * the connection has none.
     *
     * @param names the names, which are tokens
     * @return a changed copy
     */
    public WebSocketOptions withSubprotocols(String... names) {
        return with(v -> v.subprotocols = List.of(names));
    }

    /**
     * Sets whether messages are compressed (permessage-deflate, RFC 7692) with clients that offer it, as all
     * browsers do; default: no. Compression takes CPU of the thread that sends, often the loop's: some 10 µs
     * for a message of 1 KiB, and 7 ms for 1 MiB. If a message has both a secret and a text of a stranger,
     * its length can betray the secret.
     * <p>
     * Each message is compressed for itself, and once for all clients. A message that would not become
     * smaller is sent as it is. While a message is compressed, 270 KiB of native memory are in use. An
     * incoming one that is unfinished takes 48 KiB, of which 40 KiB are native, beside what it is inflated
     * to; both count for {@link #withMaxMemory}. At most 256 KiB of a client are inflated in one turn of the
     * loop. Between messages a connection holds nothing for this.
     *
     * @param on whether they are
     * @return a changed copy
     */
    public WebSocketOptions withCompression(boolean on) {
        return with(v -> v.compression = on);
    }

    /**
     * Sets the smallest message that is sent compressed; default: 1 KiB, for a smaller one fits into one
     * packet as it is. Clients may compress smaller ones.
     *
     * @param bytes of the payload, 0 to 1 GiB
     * @return a changed copy
     */
    public WebSocketOptions withMinCompressedSize(int bytes) {
        return with(v -> v.minCompressedSize = within("minCompressedSize", bytes, 0));
    }

    /**
     * Sets the largest message that is received; default: 1 MiB. A connection with a larger one is closed
     * with 1009 when its length is known, before there is memory for it; a compressed one when it is inflated
     * to more.
     *
     * @param bytes of the payloads of all fragments, inflated, 0 to 1 GiB
     * @return a changed copy
     */
    public WebSocketOptions withMaxMessageSize(int bytes) {
        return with(v -> v.maxMessageSize = within("maxMessageSize", bytes, 0));
    }

    /**
     * Sets how much waits for a client that does not read; default: 1 MiB. While more does, nothing is sent,
     * and {@link WebSocket#send} says so. So what waits is at most that and one message. While more than half
     * of it waits, nothing is received from the client either.
     *
     * @param bytes of frames that the socket has not taken, 1 to 1 GiB
     * @return a changed copy
     */
    public WebSocketOptions withMaxQueuedBytes(int bytes) {
        return with(v -> v.maxQueuedBytes = within("maxQueuedBytes", bytes, 1));
    }

    /**
     * Sets how much all connections with the copy may hold together: of messages that have not come
     * whole, and of messages that wait for clients; one that waits for many counts once. Default: a quarter
     * of the heap, for all connections together whose options do not set it. When it is too much, the
     * connection is given up that has held most for longest, bytes times time: it is closed with 1013, or
     * reset if its client does not read. So clients that hold memory do not keep others from theirs.
     *
     * @param bytes 1 or more; the copy begins a new count, which later copies of it share
     * @return a changed copy
     */
    public WebSocketOptions withMaxMemory(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxMemory is " + bytes + "; allowed: 1 or more");
        }
        return with(v -> v.memory = new SharedMemory(bytes));
    }

    /**
     * Sets how long a message may take from its first byte to its last; default: one minute. A connection
     * with a slower one is closed with 1008, or reset if its client does not read.
     *
     * @param time more than 0; kept to a quarter of a second
     * @return a changed copy
     */
    public WebSocketOptions withMessageTimeout(Duration time) {
        return with(v -> v.messageNanos = positive("messageTimeout", time));
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
     * @return a changed copy
     */
    public WebSocketOptions withPingInterval(Duration time) {
        return with(v -> v.pingNanos = positive("pingInterval", time));
    }

    /**
     * Closes all connections with these options, and those that open later, with 1001: clients connect again,
     * elsewhere or when the server is back. Options that were copied from these count as the same, and those
     * that these were copied from. Does not wait, and may be called by any thread. A graceful stop waits for
     * open connections until its grace period is over, unless they are closed:
     * <pre>{@code
     *   new Options().withOnStopping(sockets::closeAll)
     * }</pre>
     */
    public void closeAll() {
        closed.set(true);
        IdleWatch.closeAll();
    }

    boolean isClosed() {
        return closed.get();
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
