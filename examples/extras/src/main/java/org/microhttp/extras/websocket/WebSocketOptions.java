package org.microhttp.extras.websocket;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Limits and features of connections. Options are immutable, and any number of threads may use them: each
 * {@code with} method returns a changed copy.
 */
public final class WebSocketOptions {

    private static final int MEBIBYTE = 1 << 20;

    final Values values;

    /** Whether all connections are closed, including later ones; shared with all copies. */
    private final AtomicBoolean closed;

    /** The values; not changed once they are in options. */
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
     * check every site could act for its visitors (RFC 6455 §10.2). By default a page must be from the host
     * and port of the request. A proxy must then pass {@code Host} on. A client that sends no Origin is no
     * browser, and is not checked.
     *
     * @param accepted whether an Origin, such as {@code https://example.com}, may connect
     * @return a changed copy
     */
    public WebSocketOptions withOrigins(Predicate<String> accepted) {
        Objects.requireNonNull(accepted, "origins");
        return with(v -> v.origins = accepted);
    }

    /**
     * Sets the subprotocols that the program knows (RFC 6455 §1.9); default: none. A connection gets the
     * first known one in the client's list, see {@link WebSocket#subprotocol}. If the client names none of
     * these, the connection has no subprotocol.
     *
     * @param names the names, which are tokens
     * @return a changed copy
     */
    public WebSocketOptions withSubprotocols(String... names) {
        return with(v -> v.subprotocols = List.of(names));
    }

    /**
     * Sets whether messages are compressed (permessage-deflate, RFC 7692) with clients that offer it, as all
     * browsers do; default: no. Compression takes CPU time of the sending thread, often the loop's: some
     * 10 µs for a message of 1 KiB, and 7 ms for 1 MiB. If a message has both a secret and a stranger's text,
     * its length can betray the secret.
     * <p>
     * Each message is compressed separately, and once for all clients. A message that would not become
     * smaller is sent as it is. Compressing a message takes 270 KiB of native memory. An unfinished incoming
     * message takes 48 KiB, of which 40 KiB are native, and its inflated bytes; both count for {@link
     * #withMaxMemory}. For each client at most some 256 KiB are inflated in one turn of the loop. Between
     * messages a connection holds no memory for compression.
     *
     * @param on whether messages are compressed
     * @return a changed copy
     */
    public WebSocketOptions withCompression(boolean on) {
        return with(v -> v.compression = on);
    }

    /**
     * Sets the smallest message that is sent compressed; default: 1 KiB, because a smaller message fits into
     * one packet anyway. Clients may compress smaller messages.
     *
     * @param bytes of the payload, 0 to 1 GiB
     * @return a changed copy
     */
    public WebSocketOptions withMinCompressedSize(int bytes) {
        return with(v -> v.minCompressedSize = within("minCompressedSize", bytes, 0));
    }

    /**
     * Sets the largest message that is received; default: 1 MiB. A larger message closes the connection with
     * 1009: as soon as its length is known, before memory is allocated; if it is compressed, when inflation
     * exceeds the limit.
     *
     * @param bytes of the payloads of all fragments, inflated, 0 to 1 GiB
     * @return a changed copy
     */
    public WebSocketOptions withMaxMessageSize(int bytes) {
        return with(v -> v.maxMessageSize = within("maxMessageSize", bytes, 0));
    }

    /**
     * Sets how many bytes may wait for a client that does not read; default: 1 MiB. While more wait, {@link
     * WebSocket#send} returns false. So at most this and one message wait. While more than half of it waits,
     * nothing is received from the client.
     *
     * @param bytes of frames that the socket has not accepted, 1 to 1 GiB
     * @return a changed copy
     */
    public WebSocketOptions withMaxQueuedBytes(int bytes) {
        return with(v -> v.maxQueuedBytes = within("maxQueuedBytes", bytes, 1));
    }

    /**
     * Sets how many bytes all connections with the copy may hold together: incomplete messages, unread input,
     * and messages that wait for clients; one that waits for many clients counts once. Default: a quarter of
     * the heap, shared by all connections whose options do not set this. Beyond the limit the connection with
     * the largest product of bytes and time is closed with 1013, or reset if its client does not read. So
     * clients that hold memory for long do not block others.
     *
     * @param bytes 1 or more; the copy begins a new count, which later copies of it share
     * @return a changed copy
     * @throws IllegalArgumentException if the number is below 1
     */
    public WebSocketOptions withMaxMemory(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxMemory is " + bytes + "; allowed: 1 or more");
        }
        return with(v -> v.memory = new SharedMemory(bytes));
    }

    /**
     * Sets how long a message may take from its first byte to its last; default: one minute. A slower message
     * closes the connection with 1008, or resets it if the client does not read.
     *
     * @param time more than 0; checked each quarter of a second
     * @return a changed copy
     */
    public WebSocketOptions withMessageTimeout(Duration time) {
        return with(v -> v.messageNanos = positive("messageTimeout", time));
    }

    /**
     * Sets the silence of a client after which it is sent a ping; default: 25 s, because proxies close
     * connections that are silent for a minute. If the client then sends nothing for the same time, or does
     * not answer a Close frame for that time, its connection is reset. A client that does not read, so that
     * its socket is full, is reset after the server's {@code socketTimeout} without a read. The server's
     * {@code streamTimeout} must be longer than this interval, because it ends a connection on which nothing
     * is sent or received.
     *
     * @param time more than 0; checked each quarter of a second
     * @return a changed copy
     */
    public WebSocketOptions withPingInterval(Duration time) {
        return with(v -> v.pingNanos = positive("pingInterval", time));
    }

    /**
     * Closes all connections with these options, also later ones, with 1001: clients connect again, elsewhere
     * or when the server is back. This includes options that these were copied from, and all copies. Does not
     * block, and any thread may call it. A graceful stop waits for open connections until its grace period is
     * over, so close them when it begins:
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
