package org.microhttp;

import static org.microhttp.ConnectionState.RECEIVING;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import org.microhttp.protocol.ByteQueue;
import org.microhttp.protocol.Refusal;

/** Passes on the body of one request; after its end the handler gets the request. */
final class BodyReceiver extends Receiver {

    /** How often a few bytes are read while nothing is requested. */
    private static final long PROBE_NANOS = 1_000_000_000L;

    /** Whether something was requested when it last waited; since when that has not changed. */
    private boolean wanted;
    private long idleSince;

    /** How many bytes might still come when the client's present time to send began; -1 before that. */
    private long counted = -1;

    private BodyReceiver(Exchange exchange, TaskQueue tasks,
            Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        super(exchange, tasks, subscriber);
    }

    /** Asks the handler for a receiver; returns false if there is none, and the body is kept. */
    static boolean choose(Exchange exchange, Connection connection) {
        LoopContext loop = connection.loop;
        BodyReceiver chosen = null;
        try {
            chosen = ask(exchange, connection);
        } finally {
            if (chosen == null) exchange.releasePlace();
        }
        if (chosen == null) return false;
        chosen.begin(RECEIVING, connection);
        connection.began = loop.now();
        chosen.idleSince = connection.began;
        return true;
    }

    private static BodyReceiver ask(Exchange exchange, Connection connection) {
        LoopContext loop = connection.loop;
        Flow.Subscriber<? super List<ByteBuffer>> subscriber = null;
        try {
            subscriber = loop.handler.receiver(exchange.request(ByteQueue.NONE, null));
        } catch (Throwable t) {
            exchange.take(Response.failed(t));
        }
        exchange.clearInterrupt();
        if (subscriber == null && exchange.response == null) return null;
        // this comes before onSubscribe, in which a subscriber may create its file
        connection.parser.checkSize(loop.maxStreamedSize, true);
        return new BodyReceiver(exchange, loop.tasks, subscriber);
    }

    @Override
    boolean isOver(Connection connection) throws IOException {
        return hasEnded() || connection.parser.next() != null;
    }

    /** Calls the handler. After a cancel or a failure the response is the last. */
    @Override
    boolean end(Connection connection) throws IOException {
        boolean whole = !hasEnded();
        Request received = exchange.request(ByteQueue.NONE, subscriber);
        complete();
        exchange.last |= !whole || exchange.response != null;
        connection.handle(exchange, received);
        return true;
    }

    @Override
    void await(Connection connection) throws IOException {
        Refusal.TRUNCATED.refuseIf(connection.socket.endOfStream && !connection.parser.hasBody());
        if (wants()) connection.sendContinue();
        if (wants() == wanted) return;
        wanted = wants();
        long now = connection.loop.now();
        if (counted < 0) counted = connection.parser.left();
        if (wanted) {
            // its time stands still while nothing is requested
            connection.began += now - idleSince;
            connection.socket.lastActive = now;
        }
        idleSince = now;
    }

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
    void abort(Throwable cause) {
        super.abort(cause);
        // a failure of the handler was logged already
        exchange.response = null;
    }

    /** Returns until when the connection waits. While nothing is requested, it checks for a reset. */
    long deadline(long silenceEnd, long began, LoopContext loop) {
        if (wanted) return Scheduler.earlier(silenceEnd, began + loop.requestTimeout);
        return Scheduler.earlier(loop.now() + PROBE_NANOS, idleSince + loop.handlerTimeout);
    }

    /** Looks, while nothing is requested; for {@code handlerTimeout} at most. */
    @Override
    void look(Connection connection) throws IOException {
        super.look(connection);
        LoopContext loop = connection.loop;
        boolean tooLong = loop.now() - idleSince >= loop.handlerTimeout;
        Refusal.HANDLER_TIMEOUT.refuseIf(tooLong && connection.receiver == this, loop.handlerTimeout);
    }

    /** Says whether too little has come in the client's time to send; if not, that time begins anew. */
    boolean isTooSlow(Connection connection) {
        long left = connection.parser.left();
        boolean tooSlow = counted - left < connection.loop.minReceived;
        if (!tooSlow) {
            counted = left;
            connection.began = connection.loop.now();
        }
        return tooSlow;
    }
}
