package org.microhttp;

import static org.microhttp.ConnectionState.RECEIVING;
import static org.microhttp.LoopClock.NONE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import org.microhttp.protocol.*;

/** Passes on the body of one request; after its end the handler gets the request. */
final class BodyReceiver extends Receiver {

    /** Since when nothing is requested; {@link LoopClock#NONE} if something is. */
    private long pausedSince;

    /** When the client's present time to send began, moved later by each pause. */
    private long sendingSince;

    /** How many bytes might still come then; -1 before the first such time. */
    private long leftThen = -1;

    private BodyReceiver(Exchange exchange, TaskQueue tasks,
            Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        super(exchange, tasks, subscriber);
    }

    /** Asks the handler for a receiver; returns false if there is none, and the body is kept. */
    static boolean choose(Exchange exchange, Connection connection) {
        BodyReceiver chosen = null;
        try {
            chosen = ask(exchange, connection);
        } finally {
            if (chosen == null) exchange.releasePlace();
        }
        if (chosen == null) return false;
        chosen.begin(RECEIVING, connection);
        chosen.pausedSince = connection.context.clock.now();
        chosen.sendingSince = chosen.pausedSince;
        return true;
    }

    private static BodyReceiver ask(Exchange exchange, Connection connection) {
        LoopContext context = connection.context;
        Flow.Subscriber<? super List<ByteBuffer>> subscriber = null;
        try {
            subscriber = context.handler.receiver(exchange.request(ByteQueue.NONE, null));
        } catch (Throwable t) {
            exchange.take(Response.failed(t));
        }
        exchange.clearInterrupt();
        if (subscriber == null && exchange.response == null) return null;
        // this comes before onSubscribe, in which a subscriber may create its file
        connection.parser.checkSize(context.limits.maxStreamedSize, true);
        return new BodyReceiver(exchange, context.tasks, subscriber);
    }

    @Override
    boolean isOver(Connection connection) throws IOException {
        return !isOpen() || connection.parser.next() != null;
    }

    /**
     * Has the handler called, unless the subscriber has failed. After a cancel or a failure the response is
     * the last.
     */
    @Override
    boolean end(Connection connection) throws IOException {
        boolean whole = isOpen();
        Request received = exchange.request(ByteQueue.NONE, subscriber());
        complete();
        exchange.last |= !whole || exchange.response != null;
        connection.handle(exchange, received);
        return true;
    }

    @Override
    void await(Connection connection) throws IOException {
        Refusal.TRUNCATED.refuseIf(connection.socket.endOfStream && !connection.parser.hasBody());
        if (wants()) {
            connection.sendContinue();
            noteRequest(connection);
        } else if (!isPaused()) {
            pausedSince = connection.context.clock.now();
        }
    }

    /** Ends a pause: the client's time to send goes on. */
    @Override
    void noteRequest(Connection connection) {
        if (!isPaused()) return;
        long now = connection.context.clock.now();
        sendingSince += now - pausedSince;
        connection.socket.lastActive = now;
        pausedSince = NONE;
        if (leftThen < 0) leftThen = connection.parser.left();
    }

    private boolean isPaused() { return pausedSince != NONE; }

    @Override
    void fail(Throwable cause) {
        if (exchange.response == null) {
            exchange.take(Response.failed(cause));
        } else {
            exchange.failStream(cause);
        }
    }

    /** Signals an error; the handler does not get the request. */
    @Override
    public void abort(Throwable cause) {
        super.abort(cause);
        // a failure of the handler was logged already
        exchange.response = null;
    }

    @Override
    public long deadline(Connection connection) {
        ConnectionLimits limits = connection.context.limits;
        if (isPaused()) return pausedSince + limits.handlerTimeout;
        return Scheduler.earlier(Timeouts.silenceEnd(connection), sendingSince + limits.requestTimeout);
    }

    @Override
    public void giveUp(Connection connection) throws IOException {
        LoopClock clock = connection.context.clock;
        ConnectionLimits limits = connection.context.limits;
        if (isPaused()) {
            boolean tooLong = clock.now() - pausedSince >= limits.handlerTimeout;
            Refusal.HANDLER_TIMEOUT.refuseIf(tooLong, limits.handlerTimeout);
            return;
        }
        boolean silent = !Timeouts.readLast(connection);
        if (connection.incoming != this || isPaused()) return;
        boolean tooLong = clock.now() - sendingSince >= limits.requestTimeout;
        Refusal.REQUEST_TIMEOUT.refuseIf(tooLong && isTooSlow(connection), limits.requestTimeout);
        boolean tooSilent = silent && clock.now() - Timeouts.silenceEnd(connection) >= 0;
        Refusal.SOCKET_TIMEOUT.refuseIf(tooSilent, limits.socketTimeout);
    }

    /** Says whether too little has come in the client's time to send; if not, that time begins anew. */
    private boolean isTooSlow(Connection connection) {
        long left = connection.parser.left();
        boolean tooSlow = leftThen - left < connection.context.limits.minReceived;
        if (!tooSlow) {
            leftThen = left;
            sendingSince = connection.context.clock.now();
        }
        return tooSlow;
    }
}
