package org.microhttp;

import static org.microhttp.ConnectionState.*;

import java.io.IOException;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RefusalException;

/** Until when a connection waits in each state, and what it does then. For the loop's thread alone. */
final class Timeouts {

    /** How often it reads before a request times out: 1 MiB with the default read buffer. */
    private static final int MAX_LAST_READS = 16;

    private Timeouts() { }

    /** Returns the connection's deadline. */
    static long deadline(Connection some) {
        LoopContext context = some.context;
        ResponseQueue queue = some.queue;
        return switch (some.state) {
            case IDLE -> silenceEnd(some);
            case READING -> Scheduler.earlier(silenceEnd(some), some.since + context.limits.requestTimeout);
            case LINGERING -> context.end.idleDeadline(some.socket.lastActive, some.lingering.deadline);
            case AWAITING -> orBlocked(queue, some.since + context.limits.handlerTimeout);
            case RECEIVING -> orBlocked(queue, some.incoming.deadline(some));
            // a publisher is not asked while its client takes nothing
            case STREAMING -> queue.blocked ? queue.deadline()
                    : queue.pending().stream().deadline(some.socket);
            case UPGRADED -> queue.blocked ? queue.deadline() : some.incoming.deadline(some);
            default -> queue.deadline();
        };
    }

    private static long orBlocked(ResponseQueue queue, long end) {
        return queue.blocked ? Scheduler.earlier(end, queue.deadline()) : end;
    }

    /** Returns until when the client may send nothing. */
    static long silenceEnd(Connection some) {
        long end = some.socket.lastActive + some.context.limits.socketTimeout;
        return some.state == IDLE ? some.context.end.idleDeadline(some.socket.lastActive, end) : end;
    }

    /** Acts on a deadline that has passed. */
    static void giveUp(Connection some) throws IOException {
        boolean blocked = some.queue.blocked;
        if (blocked) giveUpWriting(some);
        switch (some.state) {
            case IDLE, READING -> giveUpReading(some);
            case AWAITING -> giveUpAwaiting(some);
            case RECEIVING -> some.incoming.giveUp(some);
            // in a graceful stop the loop does not wait until the client has sent everything
            case LINGERING -> some.linger(some.context.end.leaving);
            default -> {
                if (!blocked) giveUpStreaming(some);
            }
        }
    }

    /**
     * Reads a few times more, because after a long turn much may have come that the loop has not seen.
     * Returns whether anything has.
     */
    static boolean readLast(Connection some) throws IOException {
        int reads = 0;
        while (reads < MAX_LAST_READS && isReading(some) && some.readAndServe()) {
            reads++;
        }
        return reads > 0;
    }

    /** Says whether the connection waits for a request, or more of one. */
    private static boolean isReading(Connection some) {
        return some.state.takesRequests() || some.state == RECEIVING && some.incoming.wants();
    }

    private static void giveUpReading(Connection some) throws IOException {
        LoopContext context = some.context;
        boolean silent = !readLast(some);
        if (!some.state.takesRequests()) return;
        boolean begun = some.state == READING;
        boolean tooLong = begun && context.clock.now() - some.since >= context.limits.requestTimeout;
        Refusal.REQUEST_TIMEOUT.refuseIf(tooLong, context.limits.requestTimeout);
        // a handler may just have taken long, which is no silence of the client
        if (!silent || context.clock.now() - silenceEnd(some) < 0) return;
        Refusal.SOCKET_TIMEOUT.refuseIf(begun, context.limits.socketTimeout);
        if (!context.end.leaving) some.socket.reportTimeout();
        some.close();
    }

    private static void giveUpAwaiting(Connection some) throws IOException {
        long limit = some.context.limits.handlerTimeout;
        boolean tooLong = some.context.clock.now() - some.since >= limit;
        if (!tooLong || some.queue.pending().underWay) return;
        some.refuse(new RefusalException(Refusal.HANDLER_TIMEOUT, limit), some.queue.pending());
    }

    private static void giveUpStreaming(Connection some) throws IOException {
        if (some.state == STREAMING) some.queue.pending().stream().giveUp(some.socket);
        if (some.state == UPGRADED) some.incoming.giveUp(some);
    }

    /**
     * Closes the connection after one more write: after a long turn the socket may be ready without the
     * loop's notice. Does nothing yet if that write has to wait in line.
     */
    private static void giveUpWriting(Connection some) throws IOException {
        ResponseQueue queue = some.queue;
        if (queue.flush() || queue.waits() || some.context.clock.now() - queue.deadline() < 0) return;
        some.socket.reportTimeout();
        // otherwise the kernel would keep megabytes for a client that does not read
        some.socket.dropUnsent();
        some.close();
    }
}
