package websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * What the server passes on of one client: frames are answered (RFC 6455 §5.5, §7), messages go to the
 * listener. For the loop's thread.
 */
final class FrameReceiver implements Flow.Subscriber<List<ByteBuffer>> {

    private final WebSocket socket;
    private final FrameQueue frames;
    private final WebSocketListener listener;
    private final FrameReader reader;
    private Flow.Subscription subscription;

    /** Whether the connection is over for the listener; what comes after that is ignored. */
    private boolean over;

    FrameReceiver(WebSocket socket, FrameQueue frames, WebSocketListener listener, int maxMessageSize) {
        this.socket = socket;
        this.frames = frames;
        this.listener = listener;
        reader = new FrameReader(maxMessageSize);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        IdleWatch.add(socket);
        call(() -> listener.onOpen(socket));
        frames.requestFrom(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        socket.noteHeard();
        for (ByteBuffer buffer : buffers) {
            call(() -> read(buffer));
        }
        // after the end too: what is left in the socket would become a reset, which loses the Close frame
        frames.requestFrom(subscription);
    }

    private void read(ByteBuffer buffer) {
        try {
            Frame frame = over ? null : reader.next(buffer);
            while (frame != null) {
                take(frame);
                frame = over ? null : reader.next(buffer);
            }
        } catch (ConnectionFailure e) {
            fail(e.code(), e.getMessage());
        }
    }

    private void take(Frame frame) throws ConnectionFailure {
        int opcode = frame.opcode();
        if (opcode == Frame.PING) {
            frames.pong(new Frame(Frame.PONG, frame.payload()).encode());
        } else if (opcode == Frame.CLOSE) {
            CloseStatus status = CloseStatus.parse(frame.payload());
            // the code is echoed (§5.5.1), unless our Close frame was first
            frames.close(new CloseStatus(status.code(), "").encode());
            end(status.code(), status.reason());
        } else if (opcode != Frame.PONG && frames.isOpen()) {
            // of a pong it is enough that it was heard (§5.5.3)
            deliver(opcode, frame.payload());
        }
    }

    private void deliver(int opcode, ByteBuffer payload) {
        if (opcode == Frame.TEXT) {
            listener.onText(socket, new String(payload.array(), 0, payload.limit(), UTF_8));
        } else {
            listener.onBinary(socket, payload);
        }
    }

    /**
     * What a listener throws, or is thrown without memory, must not reach the server: it would signal no end.
     */
    private void call(Runnable listening) {
        try {
            listening.run();
        } catch (Throwable t) {
            report(t);
            fail(CloseStatus.INTERNAL_ERROR, "the listener has failed");
        }
    }

    private static void report(Throwable cause) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
    }

    /** Fails the connection: nothing more is read, and no Close frame awaited (§7.1.7). */
    private void fail(int code, String reason) {
        try {
            frames.close(new CloseStatus(code, reason).encode());
        } finally {
            end(code, reason);
        }
    }

    private void end(int code, String reason) {
        if (over) {
            return;
        }
        over = true;
        IdleWatch.remove(socket);
        frames.end();
        try {
            listener.onClose(socket, code, reason);
        } catch (Throwable t) {
            report(t);
        }
    }

    @Override
    public void onError(Throwable cause) {
        Throwable own = frames.failure();
        end(CloseStatus.ABNORMAL, String.valueOf((own == null ? cause : own).getMessage()));
    }

    @Override
    public void onComplete() {
        end(CloseStatus.ABNORMAL, "the client has ended without a Close frame");
    }
}
