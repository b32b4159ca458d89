package org.microhttp;

import static org.microhttp.ConnectionState.*;

import java.io.IOException;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RefusalException;

/** Until when a connection waits, and what it does then. Only the loop's thread uses it. */
final class Timeouts {

    /** How often it reads before a request times out: 1 MiB with the default read buffer. */
    private static final int MAX_LAST_READS = 16;

    private Timeouts() { }

    /** Returns the connection's deadline. */
    static long end(Connection some) {
        LoopContext loop = some.loop;
        return switch (some.state) {
            case IDLE -> silenceEnd(some);
            case READING -> Scheduler.earlier(silenceEnd(some), some.began + loop.requestTimeout);
            case LINGERING -> loop.idleDeadline(some.socket.lastActive, some.lingering.deadline);
            case AWAITING -> orBlocked(some, some.began + loop.handlerTimeout);
            case RECEIVING -> orBlocked(some, body(some).deadline(silenceEnd(some), some.began, loop));
            // a publisher is not asked while its client takes nothing
            case STREAMING, UPGRADED -> some.queue.blocked ? writingEnd(some)
                    : some.queue.pending().stream().silenceEnd(some.socket);
            default -> writingEnd(some);
        };
    }

    /** Returns the receiver of a connection in RECEIVING. */
    private static BodyReceiver body(Connection some) { return (BodyReceiver) some.receiver; }

    private static long orBlocked(Connection some, long end) {
        return some.queue.blocked ? Scheduler.earlier(end, writingEnd(some)) : end;
    }

    /** Returns until when the client may send nothing. */
    static long silenceEnd(Connection some) {
        long end = some.socket.lastActive + some.loop.socketTimeout;
        return some.state == IDLE ? some.loop.idleDeadline(some.socket.lastActive, end) : end;
    }

    /** Returns until when the client may take nothing. */
    private static long writingEnd(Connection some) {
        long last = some.socket.lastWritten;
        return (some.queue.waits ? some.loop.now() - last : last) + some.loop.socketTimeout;
    }

    /** Acts on a deadline that has passed. */
    static void giveUp(Connection some) throws IOException {
        switch (some.state) {
            case IDLE, READING -> giveUpReading(some);
            case AWAITING, STREAMING, UPGRADED -> giveUpWaiting(some);
            case RECEIVING -> giveUpReceiving(some);
            case WRITING, ENDING -> giveUpWriting(some);
            // in a graceful stop the loop does not wait until the client has sent everything
            case LINGERING -> linger(some, some.loop.leaving);
        }
    }

    static void linger(Connection some, boolean last) throws IOException {
        int count = some.socket.read(Integer.MAX_VALUE);
        if (some.lingering.record(count, some.loop.now()) || last) some.close();
    }

    /** Says whether the connection waits for a request, or more of one. */
    private static boolean isReading(Connection some) {
        return some.state.takesRequests() || some.state == RECEIVING && some.receiver.wants();
    }

    /** Times out, after a few more reads: after a long turn much may have come that the loop has not seen. */
    private static void giveUpReading(Connection some) throws IOException {
        LoopContext loop = some.loop;
        Receiver receiver = some.receiver;
        boolean silent = true;
        for (int i = 0; i < MAX_LAST_READS && isReading(some) && some.readOn(); i++) {
            silent = false;
        }
        if (!isReading(some) || some.receiver != receiver) return;
        boolean begun = some.state != IDLE;
        boolean tooLong = begun && loop.now() - some.began >= loop.requestTimeout;
        boolean tooLittle = tooLong && (receiver == null || body(some).isTooSlow(some));
        Refusal.REQUEST_TIMEOUT.refuseIf(tooLittle, loop.requestTimeout);
        // a handler may just have taken long, which is no silence of the client
        if (!silent || loop.now() - silenceEnd(some) < 0) return;
        Refusal.SOCKET_TIMEOUT.refuseIf(begun, loop.socketTimeout);
        if (!loop.leaving) some.socket.reportTimeout();
        some.close();
    }

    private static void giveUpReceiving(Connection some) throws IOException {
        if (some.queue.blocked) giveUpWriting(some);
        if (isReading(some)) {
            giveUpReading(some);
        } else if (some.state == RECEIVING) {
            body(some).look(some);
        }
    }

    private static void giveUpWaiting(Connection some) throws IOException {
        LoopContext loop = some.loop;
        if (some.queue.blocked) {
            giveUpWriting(some);
        } else if (some.state != AWAITING) {
            giveUpStreaming(some);
        }
        boolean tooLong = some.state == AWAITING && loop.now() - some.began >= loop.handlerTimeout;
        if (!tooLong || some.queue.pending().underWay) return;
        some.refuse(new RefusalException(Refusal.HANDLER_TIMEOUT, loop.handlerTimeout), some.queue.pending());
    }

    /**
     * Ends a stream on which nothing happens, after a look for signals, and for input in another protocol,
     * that the loop has not seen. The publisher is to blame only if it was asked all that time for a client
     * that may still read; in another protocol the client could have spoken, too.
     */
    private static void giveUpStreaming(Connection some) throws IOException {
        if (some.state == UPGRADED) some.receiver.look(some);
        BodyStream stream = some.queue.pending().stream();
        long now = some.loop.now();
        if (stream.hasSignals() || now - stream.silenceEnd(some.socket) < 0) return;
        if (some.state == STREAMING && now - stream.lastSignal >= some.loop.streamTimeout) {
            stream.fail(Event.BODY_ERROR, new IOException("its publisher is silent"));
        } else if (!stream.hasFailed()) {
            some.socket.reportTimeout();
            stream.end();
        }
    }

    /**
     * Times out, after one more write: after a long turn the socket may be ready without the loop's notice.
     * Not before that, if the write has to wait for others.
     */
    private static void giveUpWriting(Connection some) throws IOException {
        if (some.queue.flush() || some.queue.waits || some.loop.now() - writingEnd(some) < 0) return;
        some.socket.reportTimeout();
        // otherwise the kernel would keep megabytes for a client that does not read
        some.socket.dropUnsent();
        some.close();
    }
}
