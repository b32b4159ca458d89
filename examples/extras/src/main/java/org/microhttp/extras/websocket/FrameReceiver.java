package org.microhttp.extras.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * Receives one client's bytes from the server: control frames are answered (RFC 6455 §5.5, §7), messages go
 * to the listener. For the loop's thread.
 */
final class FrameReceiver implements Flow.Subscriber<List<ByteBuffer>> {

    private final WebSocket socket;
    private final FrameQueue frames;
    private final WebSocketListener listener;
    private final Share share;

    /** Null once nothing more is read, so that the memory of an unfinished message is released at once. */
    volatile FrameReader reader;

    /** Why the server has given up the connection; null if it has not. */
    private volatile CloseStatus givenUp;
    private Flow.Subscription subscription;

    /** The last buffers from the server, until they are read; this may take several turns of the loop. */
    private List<ByteBuffer> unread = List.of();

    /** Whether reading has stopped before the end of these buffers. */
    private boolean paused;

    /** Whether the client has ended its side; then a full queue does not stop reading. */
    private boolean ended;

    /** Whether the connection is over for the listener; later input is ignored. */
    private boolean over;

    FrameReceiver(WebSocket socket, FrameQueue frames, WebSocketListener listener, FrameReader reader,
            Share share) {
        this.socket = socket;
        this.frames = frames;
        this.listener = listener;
        this.share = share;
        this.reader = reader;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        IdleWatch.add(socket);
        call(() -> listener.onOpen(socket));
        // after the socket was added to the watch, so that no closeAll is missed
        call(socket::closeIfAllAre);
        frames.requestFrom(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        socket.noteHeard();
        if (givenUp != null) {
            endAbnormally(null);
        }
        unread = buffers;
        if (readOn()) {
            return;
        }
        if (share.keep(buffers.stream().filter(Buffer::hasRemaining).mapToLong(Buffer::capacity).sum())) {
            frames.later(this::readLater);
        }
    }

    private void readLater() {
        if (readOn()) {
            share.keep(0);
        } else {
            frames.later(this::readLater);
        }
    }

    /**
     * Reads for one turn of the loop, while the queue is not {@linkplain FrameQueue#isFull full}. Returns
     * whether everything is read; then more is requested.
     */
    private boolean readOn() {
        FrameReader current = reader;
        if (current != null) {
            current.beginTurn();
        }
        paused = false;
        for (ByteBuffer buffer : unread) {
            call(() -> read(buffer));
            if (paused) {
                break;
            }
        }
        if (paused && reader != null) {
            return false;
        }
        unread = List.of();
        // after the end, too: closing a socket with unread input resets it, and the Close frame is lost
        frames.requestFrom(subscription);
        return true;
    }

    private void read(ByteBuffer buffer) {
        try {
            for (Frame frame = next(buffer); frame != null; frame = next(buffer)) {
                take(frame);
            }
        } catch (ConnectionFailure e) {
            if (givenUp == null) {
                fail(e.code(), e.getMessage());
            } else {
                endAbnormally(null);
            }
        }
    }

    private Frame next(ByteBuffer buffer) throws ConnectionFailure {
        FrameReader current = reader;
        if (current == null) {
            return null;
        }
        paused = !ended && frames.isFull();
        Frame frame = paused ? null : current.next(buffer);
        paused |= current.isExhausted();
        return frame;
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
            // a pong needs no answer (§5.5.3)
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
     * Catches what a listener throws, and lack of memory: after an exception the server would signal no end.
     */
    private void call(Runnable listening) {
        try {
            listening.run();
        } catch (OutOfMemoryError e) {
            report(e);
            fail(CloseStatus.NO_MEMORY.code(), CloseStatus.NO_MEMORY.reason());
        } catch (Throwable t) {
            report(t);
            fail(CloseStatus.INTERNAL_ERROR, "the listener has failed");
        }
    }

    private static void report(Throwable cause) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
    }

    /** Fails the connection: nothing more is read, and no Close frame is awaited (§7.1.7). */
    private void fail(int code, String reason) {
        try {
            frames.close(new CloseStatus(code, reason).encode());
        } finally {
            end(code, reason);
        }
    }

    /** Gives up the connection, on any thread; the listener is called when the connection has ended. */
    void giveUp(CloseStatus why) {
        givenUp = why;
        stopReading();
        frames.giveUp(why);
    }

    private void stopReading() {
        FrameReader current = reader;
        reader = null;
        if (current != null) {
            current.close();
        }
    }

    private void end(int code, String reason) {
        if (over) {
            return;
        }
        over = true;
        stopReading();
        unread = List.of();
        share.end();
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
        endAbnormally(cause.getMessage());
    }

    @Override
    public void onComplete() {
        // one more turn; if a client does not await our Close frame, its last messages may be lost
        ended = true;
        if (!unread.isEmpty()) {
            readOn();
        }
        endAbnormally("the client has ended without a Close frame");
    }

    /** @param otherwise the reason, unless our side has ended the connection */
    private void endAbnormally(String otherwise) {
        Throwable own = frames.failure();
        if (own != null) {
            end(CloseStatus.ABNORMAL, own.getMessage());
        } else if (givenUp != null) {
            end(givenUp.code(), givenUp.reason());
        } else {
            end(CloseStatus.ABNORMAL, String.valueOf(otherwise));
        }
    }
}
