package websocket;

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
    long pingNanos = Duration.ofSeconds(25).toNanos();

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
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("pingInterval is " + time + "; allowed: more than 0");
        }
        pingNanos = time.toNanos();
        return this;
    }

    private static int within(String name, int value, int least) {
        if (value < least || value > 1024 * MEBIBYTE) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; allowed: " + least + " to " + 1024 * MEBIBYTE);
        }
        return value;
    }
}
