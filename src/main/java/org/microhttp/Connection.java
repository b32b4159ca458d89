package org.microhttp;

import static java.nio.channels.SelectionKey.*;
import static org.microhttp.ConnectionState.*;
import static org.microhttp.Event.*;

import java.io.IOException;
import java.nio.channels.*;

/**
 * One client: moves bytes between its socket, the parser, the handler and the writer, and says what it is in
 * by a {@link ConnectionState}. For the loop's thread alone. It is served in turns, see {@link #turn}; its
 * deadline is set at the end of each, and once more by {@link #postpone}, after one that took long.
 */
final class Connection extends Scheduler.Entry {

    /** What a turn begins with, or goes on with. */
    interface Step { void run(Connection connection) throws IOException; }

    // made beforehand, for a step that there is no memory for would be taken by nobody
    private static final Step RECEIVE = Connection::receive, FOLLOW = Connection::follow,
            GIVE_UP = Connection::giveUp;

    /** What is read before a request is given up, with the default read buffer: 1 MiB. */
    private static final int MAX_LAST_READS = 16;

    final LoopContext loop;
    final ClientSocket socket;
    private final RequestParser parser;
    private final ResponseWriter writer;
    private ConnectionState state = IDLE;

    /** The request whose answer is not yet encoded; null if there is none. */
    private Exchange exchange;

    /** When the request, or its handling, began. */
    private long began;

    /** How far it has come with the end; null until then. */
    private Lingering lingering;

    Connection(LoopContext loop, SocketChannel channel, SelectionKey key) throws IOException {
        this.loop = loop;
        socket = new ClientSocket(loop, channel, key);
        parser = new RequestParser(loop.limits, socket.client);
        writer = new ResponseWriter(socket);
        settle();
    }

    /** A long turn is over, and what was noted to have happened at its beginning may have been at its end. */
    void postpone(long beginning, long end) {
        socket.postpone(beginning, end);
        if (began == beginning) began = end;
        settle();
    }

    void onReady() { turn(RECEIVE); }

    @Override
    void onDeadline() { turn(GIVE_UP); }

    /**
     * Takes a step, then sends what came of it, as often as there is more to be done behind that, then says
     * what is waited for. It is an error boundary: what the client did wrong is refused, and whatever else
     * goes wrong ends this connection, and nothing else.
     */
    void turn(Step step) {
        assert loop.tasks.isLoopThread();
        try {
            loop.beginConnectionTurn();
            try {
                attempt(step);
                while (deliver()) {
                    attempt(FOLLOW);
                }
            } catch (ResponseEncoder.BodyFailure e) {
                cut();
            }
            settle();
        } catch (Throwable t) {
            fail(t);
        }
    }

    private void fail(Throwable cause) {
        try {
            socket.report(cause);
        } catch (Throwable t) {
            // no memory even for that
        }
        free();
    }

    /** Closes, whatever happens. */
    void free() {
        try {
            close();
        } catch (Throwable t) {
            // all that counts is done before anybody is told
        }
    }

    /** Takes a step, and refuses what is wrong with what it has found. */
    private void attempt(Step step) throws IOException {
        try {
            step.run(this);
            if (isLast()) parser.drop();
            parser.keep();
        } catch (RefusalException e) {
            refuse(e, newExchange(parser.head));
        }
    }

    /** Whether no request is taken any more; what comes is not kept then. */
    private boolean isLast() { return state == ENDING || exchange != null && exchange.last; }

    private void enter(ConnectionState next) {
        assert state.followers[next.ordinal()] = true;
        state = next;
    }

    /** Says what is waited for, and until when. */
    private void settle() {
        long silenceEnd = socket.lastActive + loop.socketTimeout;
        switch (state) {
            case IDLE, YIELDING -> waitFor(OP_READ, loop.idleDeadline(socket, silenceEnd));
            case READING -> waitFor(OP_READ, Scheduler.earlier(silenceEnd, began + loop.requestTimeout));
            // what was written before may not be sent
            case AWAITING -> waitFor(early() | (writer.blocked ? OP_WRITE : 0), began + loop.handlerTimeout);
            case ANSWERED, WRITING, ENDING -> waitFor(writer.paused ? early() : OP_WRITE, writer.deadline());
            case LINGERING -> waitFor(OP_READ, loop.idleDeadline(socket, lingering.deadline()));
            case HANDLING -> throw new IllegalStateException("a turn has ended in the handler");
        }
    }

    /** Whether a request has begun and is not whole, perhaps behind answers that wait. */
    private boolean isInside() {
        return exchange == null && (state == READING || state == WRITING && parser.head != RequestHead.NONE);
    }

    private void waitFor(int interest, long deadline) {
        socket.watch(interest);
        loop.scheduler.schedule(this, deadline);
    }

    /** Behind a request that is in hand we read on, to notice a client that is gone. */
    private int early() { return room() > 0 ? OP_READ : 0; }

    /** How many requests, whole or begun, are here and will not be answered if this is the end. */
    int countDropped() {
        if (state == CLOSED || state == LINGERING) return 0;
        int unsent = (exchange != null ? 1 : 0) + (writer.blocked ? 1 : 0);
        // what comes behind a request that is the last is no request
        if (isLast() || exchange != null && !parser.persistent) return unsent;
        // the parser lets go of it when it looks at the rest
        if (isInside()) exchange = newExchange(parser.head);
        // nor is what comes behind as many as it may send
        return unsent + (int) Math.min(loop.maxRequests - parser.requests, parser.takeDropped());
    }

    /** Goes on with what has come. Where something is to be sent first, the end of the turn does that. */
    void receive() throws IOException {
        switch (state) {
            case IDLE, READING -> {
                read();
                serve();
            }
            case AWAITING -> read();
            case LINGERING -> linger();
            case ANSWERED, WRITING, ENDING -> {
                if (writer.paused) read();
            }
            // YIELDING waits for its task, HANDLING for the handler, CLOSED for nothing
        }
    }

    /** Reads what may be kept; says how much. */
    private int read() throws IOException {
        int count = socket.read(room());
        if (count > 0) {
            socket.lastActive = loop.now();
            parser.receive(loop.received.flip(), loop.scratch);
        }
        return count;
    }

    /** How much may be read: what the request may have; behind one that is in hand, a buffer at most. */
    private int room() {
        if (socket.endOfStream || isLast() && !writer.paused) return 0;
        if (state.takesRequests()) return parser.room(Integer.MAX_VALUE);
        int room = parser.room(loop.received.capacity());
        // in large steps: what is here already may have to move for what comes
        return room < parser.available() ? 0 : room;
    }

    /** Handles what has arrived, as many requests as a turn may take. No recursion, however answers come. */
    private void serve() throws IOException {
        while (state.takesRequests() && !loop.checkStop()) {
            // not when its bytes arrived: they may have waited behind a slow predecessor
            if (state == IDLE) began = loop.now();
            Request request = parser.next();
            if (request == null) {
                awaitMore();
                return;
            }
            if (parser.pipelined) socket.report(PIPELINE_REQUEST);
            handle(request);
            loop.requestsLeft--;
            if (loop.requestsLeft <= 0 && state == IDLE) {
                enter(YIELDING);
                loop.tasks.add(() -> turn(FOLLOW));
            }
        }
    }

    private void awaitMore() throws IOException {
        boolean inside = parser.isInsideRequest();
        if (socket.endOfStream) {
            Refusal.TRUNCATED.when(inside);
            enter(ENDING);
            return;
        }
        if (parser.takeContinue()) writer.add(null);
        enter(inside ? READING : IDLE);
    }

    /** For the request that was parsed last, or is refused. */
    private Exchange newExchange(RequestHead head) { return new Exchange(this, parser, head, began); }

    private void handle(Request request) throws IOException {
        exchange = newExchange(request.head);
        request.head.exchange = exchange;
        loop.log.requestRead(socket.id, request);
        began = loop.now();
        enter(HANDLING);
        // an interrupt up to here is a stop; the loop ends, and the request is dropped
        if (exchange.takePlace() && !loop.checkStop()) exchange.call(request);
        if (exchange.response == null) {
            exchange.charge();
            enter(AWAITING);
        } else {
            respond();
        }
    }

    /** Takes an answer that was given elsewhere, if it is to the current request. */
    void takeLate(Exchange answered, Response response) throws IOException {
        if (!answered.take(response)) return;
        respond();
        serve();
    }

    /** Answers the request, at once if nothing is blocked, and decides whether it is the last. */
    private void respond() throws IOException {
        exchange.giveBackPlace();
        exchange.last |= !parser.persistent || exchange.response.head.closing
                || parser.requests >= loop.maxRequests;
        // what follows may wait in the socket; it is answered too
        if (loop.leaving && !exchange.last && parser.available() == 0) {
            read();
            exchange.last = parser.available() == 0;
        }
        enter(ANSWERED);
        encode();
    }

    /** Puts the answer into the write buffer; where something is blocked it waits. */
    private void encode() throws IOException {
        if (writer.blocked) return;
        ConnectionState next = writer.add(exchange) ? IDLE : WRITING;
        enter(exchange.last ? ENDING : next);
        exchange = null;
    }

    /** Sends what the turn has collected. True if all is sent, and more is to be done behind it. */
    private boolean deliver() throws IOException {
        if (!writer.flush()) {
            if (state.takesRequests()) enter(WRITING);
            return false;
        }
        if (state == ENDING) finish();
        return state == ANSWERED || state == WRITING;
    }

    /** Goes on behind what was blocked, or after others had their turn: first with an answer that waits. */
    void follow() throws IOException {
        if (state == ANSWERED) encode();
        if (state == WRITING || state == YIELDING) enter(writer.blocked ? WRITING : IDLE);
        serve();
    }

    /** Closes at once if nothing that was read is lost by it; else ends our side until the client notices. */
    private void finish() throws IOException {
        // the step of this turn has dropped what was behind the last request, so the parser knows of it
        if (socket.endOfStream || parser.isAtEnd()) {
            socket.report(CLOSE_AFTER_RESPONSE);
            close();
            return;
        }
        socket.report(LINGER);
        socket.endOutput();
        lingering = new Lingering(loop.now());
        enter(LINGERING);
    }

    /** Ends with a body that has failed. A close with unread input, a reset, would cost earlier answers. */
    private void cut() throws IOException {
        parser.drop();
        writer.drop();
        abandon();
        finish();
    }

    private void linger() throws IOException {
        if (lingering.record(socket.read(Integer.MAX_VALUE), loop.now())) close();
    }

    /** Answers with the refusal, unless the answer of another exchange is owed; either is the last. */
    private void refuse(RefusalException e, Exchange refused) throws IOException {
        loop.counters.refused(e.refusal);
        loop.log.refused(refused, e);
        parser.drop();
        if (exchange == null) exchange = refused;
        exchange.last = true;
        if (exchange != refused) return;
        if (parser.isBehindProxy()) {
            close();
        } else {
            exchange.response = e.refusal.response(e.limit);
            respond();
        }
    }

    /** The deadline has passed. */
    void giveUp() throws IOException {
        switch (state) {
            case IDLE, READING -> giveUpReading();
            case AWAITING -> {
                if (exchange.underWay) return;
                exchange.abandon();
                refuse(new RefusalException(Refusal.HANDLER_TIMEOUT, loop.handlerTimeout), exchange);
            }
            case ANSWERED, WRITING, ENDING -> {
                if (writer.isStuck()) close();
            }
            case LINGERING -> {
                linger();
                // a loop that leaves does not wait for all that a client may send
                if (loop.leaving) close();
            }
            // YIELDING has a task that comes first, HANDLING and CLOSED have no deadline
        }
    }

    /** Reads a few times more first, for after a long turn much may be here and the loop not know it yet. */
    private void giveUpReading() throws IOException {
        for (int i = 0; i < MAX_LAST_READS && state.takesRequests() && read() > 0; i++) {
            serve();
        }
        serve();
        if (!state.takesRequests()) return;
        boolean begun = state == READING;
        Refusal.REQUEST_TIMEOUT.when(begun && loop.now() - began >= loop.requestTimeout, loop.requestTimeout);
        if (socket.lastActive == loop.now()) return;
        Refusal.SOCKET_TIMEOUT.when(begun, loop.socketTimeout);
        if (!loop.leaving) socket.reportTimeout();
        close();
    }

    /** Frees everything, but the place of a request that the handler has: it has a deadline of its own. */
    private void close() {
        if (state == CLOSED) return;
        RequestHead head = parser.head;
        boolean begun = isInside();
        enter(CLOSED);
        socket.close();
        parser.drop();
        writer.drop();
        loop.scheduler.cancel(this);
        loop.connectionClosed();
        loop.counters.add(Counters.CLOSED, 1);
        if (begun) exchange = newExchange(head);
        abandon();
        socket.report(CLOSE);
    }

    /** Ends the exchange whose answer is not sent; its request may be with the handler still. */
    private void abandon() {
        if (exchange != null) exchange.drop(began + loop.handlerTimeout);
        exchange = null;
    }
}
