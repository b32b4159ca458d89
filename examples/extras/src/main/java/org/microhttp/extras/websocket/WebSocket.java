package org.microhttp.extras.websocket;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * A connection by RFC 6455 with one client: text and binary messages in both directions. Safe for all
 * threads. An idle connection has no buffer, no queue and no thread.
 */
public final class WebSocket {

    private final WebSocketOptions options;
    private final String subprotocol;
    private final FrameQueue frames;
    final FrameReceiver receiver;
    private final Share share;

    /** The agreement with the client; null for no compression. */
    private final Compression compression;

    /** When something was last received. */
    private volatile long heard = System.nanoTime();

    /** When the last ping was sent; for the timer. */
    private long pinged = heard;

    private WebSocket(WebSocketOptions options, Handshake handshake, WebSocketListener listener) {
        this.options = options;
        subprotocol = handshake.subprotocol();
        compression = handshake.compression();
        share = new Share(options.values.memory, this::giveUp);
        frames = new FrameQueue(options.values.maxQueuedBytes, share);
        var reader = new FrameReader(options.values.maxMessageSize, share,
                compression == null ? null : new Decompression());
        receiver = new FrameReceiver(this, frames, listener, reader, share);
    }

    private void giveUp(CloseStatus why) {
        receiver.giveUp(why);
    }

    /**
     * Makes the response to the handshake of a client (RFC 6455 §4.2). It either makes the connection a
     * WebSocket or says why the request is refused. For example:
     * <pre>{@code
     *   Handler handler = new Router()
     *           .on("GET", "/chat", request -> WebSocket.upgrade(request, options, listener));
     * }</pre>
     *
     * @param request  the handshake
     * @param options  limits of the connection
     * @param listener gets the connection's messages
     * @return 101; 400, 403, 405 or 426 if the request is refused
     */
    public static Response upgrade(Request request, WebSocketOptions options, WebSocketListener listener) {
        var handshake = new Handshake(request, options);
        Response refusal = handshake.refusal();
        if (refusal != null) {
            return refusal;
        }
        var socket = new WebSocket(options, handshake, listener);
        return Response.upgrade("websocket", handshake.fields(), socket.frames, socket.receiver);
    }

    /**
     * Sends a text message.
     *
     * @param text the message
     * @return whether it will be sent; see {@link #send}
     */
    public boolean sendText(String text) {
        return send(WebSocketMessage.text(text));
    }

    /**
     * Sends a copy of a buffer's content as a binary message; its position does not move.
     *
     * @param data the message
     * @return whether it will be sent; see {@link #send}
     */
    public boolean sendBinary(ByteBuffer data) {
        return send(WebSocketMessage.binary(data));
    }

    /**
     * Queues a message after earlier ones, and returns without blocking. With {@linkplain
     * WebSocketOptions#withCompression compression} the calling thread compresses the message, unless that
     * was done for another connection.
     *
     * @param message may be sent to other clients, too
     * @return whether the message is queued. False if the connection {@linkplain #isOpen is not open}, or
     *         more waits for the client than {@link WebSocketOptions#withMaxQueuedBytes} allows: then drop
     *         the message, or close the connection
     */
    public boolean send(WebSocketMessage message) {
        // a message that would be dropped is not compressed
        return frames.takesMore() && frames.add(message.frame(compression));
    }

    /** Closes the connection with 1000, as {@link #close(int, String)}. */
    public void close() {
        close(1000, "");
    }

    /**
     * Closes the connection, without blocking: queued messages are sent, then a Close frame. The connection
     * ends when the client has answered that frame (RFC 6455 §7.1.2), or has not done so for a ping interval.
     * Later messages are neither sent nor received. Has no effect on a connection that is closing.
     *
     * @param code   1000 to 1003, 1007 to 1009, 1011 to 1014, or 3000 to 4999 (RFC 6455 §7.4)
     * @param reason at most 123 bytes in UTF-8; the client may show it
     * @throws IllegalArgumentException if the code or the reason is not as above
     */
    public void close(int code, String reason) {
        frames.close(CloseStatus.of(code, reason).encode());
    }

    /** 1001: "going away" (RFC 6455 §7.4.1). */
    void closeIfAllAre() {
        if (options.isClosed()) {
            close(1001, "the server ends");
        }
    }

    /** {@return whether messages may be sent: not once a side has closed, or the connection has ended} */
    public boolean isOpen() {
        return frames.isOpen();
    }

    /** {@return the subprotocol that was chosen, null for none} */
    public String subprotocol() {
        return subprotocol;
    }

    void noteHeard() {
        heard = System.nanoTime();
    }

    /**
     * Called by the timer. While frames wait, the socket is full: no ping is sent, and the server's
     * socketTimeout ends the connection if the client does not read.
     */
    void watch(long now) {
        long limit = options.values.pingNanos;
        if (frames.closingNanos(now) >= limit) {
            frames.fail(new IOException("the client does not answer a Close frame"));
        } else if (share.receivingNanos(now) >= options.values.messageNanos) {
            share.giveUp(CloseStatus.UNFINISHED);
        } else if (!frames.isEmpty()) {
            return;
        } else if (pinged - heard > 0 && now - pinged >= limit) {
            frames.fail(new IOException("the client does not answer a ping"));
        } else if (pinged - heard <= 0 && now - heard >= limit) {
            pinged = now;
            frames.add(WaitingFrame.control(PING));
        }
    }

    private static final ByteBuffer PING = new Frame(Frame.PING, ByteBuffer.allocate(0)).encode();
}
