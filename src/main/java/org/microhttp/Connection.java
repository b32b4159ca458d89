package org.microhttp;

import static java.nio.channels.SelectionKey.*;
import static org.microhttp.ConnectionState.*;
import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.*;
import org.microhttp.protocol.*;

/**
 * One client: moves bytes between its socket, the parser, the handler and the queue of responses, in turns,
 * see {@link #turn}. Its {@link ConnectionState} says what it waits for. For the loop's thread alone.
 */
final class Connection extends Scheduler.Entry {

    /** A step of a turn. */
    interface Step { void run(Connection connection) throws IOException; }

    /** How many bytes of input are read although the subscriber requests nothing. */
    private static final int FIRST_BYTES = 16;

    /** The first step of a turn in which input is read. */
    static final Step READ = Connection::readInput;

    /** The first step of a turn in which a response that has waited in line is written. */
    static final Step WRITE = connection -> connection.queue.leaveLine();

    final LoopContext context;
    final ClientSocket socket;
    final RequestParser parser;
    final ResponseQueue queue;
    ConnectionState state = IDLE;

    /** When the request began, in READING; when the call of its handler returned, in AWAITING. */
    long since;

    /** The exchange of the request whose body is still coming; else null. */
    private Exchange early;

    /** Takes the client's input in RECEIVING and UPGRADED; else null. */
    Incoming incoming;
    Lingering lingering;

    Connection(LoopContext context, SocketChannel channel, SelectionKey key) throws IOException {
        this.context = context;
        socket = new ClientSocket(context, channel, key);
        parser = new RequestParser(context.limits.parser, ClientSocket.peer(channel));
        queue = new ResponseQueue(socket);
        settle();
    }

    /** The client's address, or that of a proxy that has not named its client yet. */
    SocketAddress client() { return parser.client(); }

    /**
     * Takes a turn, unless that would read a request while the loop is full: the selector reports it again.
     */
    void onReady() {
        if (!state.takesRequests() || !context.isFull()) turn(READ);
    }

    /** Gives up, unless the loop is stopped: the loop then counts and closes what is left. */
    @Override
    void onDeadline() { if (!context.end.stopped) turn(Timeouts::giveUp); }

    /**
     * Takes a step, sends what is queued, and goes on as long as everything is sent and more can be done. At
     * the end it sets interest and deadline. This is an error boundary: a client's mistake is refused, and
     * any other failure ends this connection only.
     */
    void turn(Step step) {
        assert context.tasks.isLoopThread();
        try {
            context.connectionTurn.begin();
            try {
                attempt(step);
                while (sendQueued()) {
                    attempt(Connection::resume);
                }
            } catch (ResponseQueue.BodyFailure e) {
                cut();
            }
            settle();
        } catch (Throwable t) {
            try {
                socket.report(t);
            } finally {
                free();
            }
        }
    }

    /** Closes, whatever fails on the way: everything is released, but perhaps not everything logged. */
    void free() {
        try {
            close();
        } catch (Throwable t) {
            socket.report(t);
        }
    }

    /** Takes a step, and refuses a request that the step finds wrong. */
    private void attempt(Step step) throws IOException {
        try {
            step.run(this);
            if (refusesMore()) parser.drop();
            parser.keep(context.buffers.scratch);
        } catch (RefusalException e) {
            refuse(e, incomplete());
        }
    }

    private Exchange incomplete() {
        return state == UPGRADED ? queue.pending() : takeEarly(parser.head());
    }

    /** Returns the exchange of the request that the parser has read, completely or in part. */
    private Exchange takeEarly(RequestHead head) {
        Exchange known = early;
        early = null;
        return known == null ? new Exchange(this, parser, head) : known;
    }

    /** Says whether the last request has come. Then more input is dropped. */
    private boolean refusesMore() {
        Exchange pending = queue.pending();
        return state == ENDING || pending != null && pending.last;
    }

    /** Has the selector watch the socket anew, because a failed select may have lost what it watches. */
    void watchAnew() {
        socket.watch(0);
        settle();
    }

    void enter(ConnectionState next) {
        assert next == state || state.allows(next);
        state = next;
    }

    /** Says whether the parts of the connection agree with its state, as they do between turns. */
    private boolean isConsistent() {
        Exchange pending = queue.pending();
        return switch (state) {
            case IDLE, READING -> pending == null && incoming == null && !queue.blocked;
            case RECEIVING -> pending == null && incoming != null && early != null;
            case AWAITING -> pending != null && pending.response == null && incoming == null;
            case STREAMING -> pending != null && pending.stream() != null && incoming == null;
            case UPGRADED -> pending != null && pending.stream() != null && incoming != null;
            case WRITING -> pending == null && incoming == null;
            case ENDING -> queue.blocked && incoming == null;
            case LINGERING, CLOSED -> queue.first == null && incoming == null;
            case HANDLING -> false;
        };
    }

    /** Sets the interest and the deadline of the state. */
    private void settle() {
        assert isConsistent();
        int interest = switch (state) {
            case IDLE, READING, LINGERING -> OP_READ;
            // it reads on while there is room, to notice a reset; earlier responses may be blocked
            case AWAITING, STREAMING, UPGRADED, RECEIVING ->
                (room() > 0 ? OP_READ : 0) | (queue.blocked ? OP_WRITE : 0);
            case WRITING, ENDING -> OP_WRITE;
            case HANDLING -> throw new IllegalStateException("a turn has ended in the handler");
            case CLOSED -> 0;
        };
        if (state == CLOSED) return;
        // in line the connection waits for the loop, not for its socket
        if (queue.waits()) interest &= ~OP_WRITE;
        socket.watch(interest);
        context.scheduler.schedule(this, Timeouts.deadline(this));
    }

    /** Reads and goes on. If something has to be sent first, the turn does that next. */
    private void readInput() throws IOException {
        switch (state) {
            case IDLE, READING, RECEIVING, AWAITING, STREAMING, UPGRADED -> readAndServe();
            case LINGERING -> linger(false);
            // the turn writes in WRITING and ENDING; HANDLING waits for the handler, CLOSED for nothing
        }
    }

    /** Reads as much as may be kept, and goes on; returns false if nothing has come. */
    boolean readAndServe() throws IOException {
        boolean came = read(room()) > 0;
        serve();
        return came;
    }

    /** Reads at most so many bytes, and gives them to the parser; returns how many have come. */
    int read(int most) throws IOException {
        int count = socket.read(most);
        if (count < 0) socket.lastActive = context.clock.now();
        // what follows the last request is dropped
        if (count > 0 && !refusesMore()) {
            socket.lastActive = context.clock.now();
            parser.receive(context.buffers.received.flip(), context.buffers.scratch);
        }
        return count;
    }

    /** Reads and drops input; closes at the end of input, or after the last read. */
    void linger(boolean last) throws IOException {
        int count = socket.read(Integer.MAX_VALUE);
        if (lingering.record(count, context.clock.now()) || last) close();
    }

    /**
     * Returns how much may be read: up to the largest request, or one buffer while a request is pending. Of
     * input that is not requested, the first bytes are read, so that a reset or an end before them is
     * noticed.
     */
    int room() {
        if (socket.endOfStream) return 0;
        if (incoming != null && !incoming.wants()) return parser.hasBody() ? 0 : FIRST_BYTES;
        if (state.takesRequests() || incoming != null) return parser.room(Integer.MAX_VALUE);
        int room = parser.room(context.buffers.received.capacity());
        // half must be free: if each read brought only what one request has freed, all other bytes would be
        // moved each time
        return room < parser.available() ? 0 : room;
    }

    /** Handles the requests that have come, at most as many as a turn may take. */
    void serve() throws IOException {
        boolean more = true;
        while (more && !context.checkStop()) {
            more = state.takesRequests() ? serveNext() : incoming != null && incoming.passOn(this);
        }
    }

    /** Handles a request, or begins to receive its body; returns false if more has to come first. */
    private boolean serveNext() throws IOException {
        RequestHead complete = parser.next();
        if (complete == null && !parser.isHeld()) {
            awaitMore();
            return false;
        }
        Exchange exchange = takeEarly(complete == null ? parser.head() : complete);
        if (complete == null) {
            // the handler may keep the request that its receiver method gets, and ask whether that is
            // abandoned
            early = exchange;
            if (!beginBody(exchange)) return true;
        }
        if (parser.isPipelined()) socket.report(PIPELINE_REQUEST);
        handle(exchange, exchange.request(parser.takeBody(), null));
        return true;
    }

    /** Asks the handler for a receiver of the body; returns true if the body is kept and complete. */
    private boolean beginBody(Exchange exchange) throws IOException {
        parser.checkSize(context.limits.maxStreamedSize, false);
        // while all places are taken, this is put off once; the second time the request is refused
        if (!exchange.reserve()) {
            parser.postponeBody(context.group.requests.limit);
        } else if (BodyReceiver.choose(exchange, this)) {
            // the receiver is the incoming now, in RECEIVING
            parser.streamBody(context.limits.maxStreamedSize);
        } else {
            parser.keepBody();
        }
        return incoming == null && parser.next() != null;
    }

    private void awaitMore() throws IOException {
        boolean inside = parser.isInsideRequest();
        if (socket.endOfStream) {
            Refusal.TRUNCATED.refuseIf(inside);
            enter(ENDING);
            return;
        }
        sendContinue();
        // the request did not begin when its bytes came, which may have waited for a slow earlier response
        if (inside) since = requestBegan();
        enter(inside ? READING : IDLE);
    }

    /** Queues a 100, if the client may be waiting for it. */
    void sendContinue() {
        if (!parser.takeContinue()) return;
        var interim = new Exchange(this, parser, RequestHead.NONE);
        interim.response = Response.CONTINUE;
        queue.add(interim);
    }

    /** Returns when the last parsed request began: now, unless the connection has waited for the rest. */
    long requestBegan() { return state == READING ? since : context.clock.now(); }

    /** Handles a request, whose body is in memory or was received by a subscriber. */
    void handle(Exchange exchange, Request request) throws IOException {
        assert state.takesRequests() || state == RECEIVING;
        queue.add(exchange);
        early = null;
        incoming = null;
        context.log.report(READ_REQUEST, socket.id, request);
        enter(HANDLING);
        // an interrupt up to here acts as stop: the loop ends, and the request is dropped
        if (!context.checkStop() && exchange.takePlace()) exchange.call(request);
        if (exchange.response == null) {
            since = context.clock.now();
            enter(AWAITING);
        }
        context.clock.forget();
        if (exchange.response != null) respond(exchange);
        context.connectionTurn.requestsLeft--;
        if (state == IDLE && context.connectionTurn.requestsLeft <= 0) enter(WRITING);
    }

    /** Goes on after a response was given later, or its stream has ended. */
    void respondLate(Exchange exchange) throws IOException {
        respond(exchange);
        serve();
    }

    /** Lets a response be sent, or its stream begin, and decides whether it is the last. */
    private void respond(Exchange exchange) throws IOException {
        exchange.releasePlace();
        if (exchange.http10 && exchange.isUnframed() && socket.isUnixDomain()) {
            refuse(new RefusalException(Refusal.UNFRAMED, 0), exchange);
            return;
        }
        boolean upgrade = exchange.isPending() && exchange.response.isUpgrade();
        // then the incoming is a receiver of the other protocol, in UPGRADED
        if (upgrade && UpgradeReceiver.begin(exchange, this)) return;
        if (state == UPGRADED) endReceiving(new IOException("the publisher has ended"));
        exchange.askErrorHandler();
        exchange.last |= state == UPGRADED || exchange.isUnframed() || !parser.isPersistent()
                || exchange.response.closing || parser.requests() >= context.limits.maxRequests;
        // in a graceful stop, requests that wait in the socket are answered, too
        if (context.end.leaving && !exchange.last) exchange.last = !hasMore();
        context.connectionTurn.bytesLeft -= exchange.weight();
        ConnectionState next = queue.blocked || context.connectionTurn.bytesLeft <= 0 ? WRITING : IDLE;
        ConnectionState after = exchange.last ? ENDING : next;
        enter(exchange.isPending() ? STREAMING : after);
    }

    /** Says whether bytes of a next request are here, if necessary after a read. */
    private boolean hasMore() throws IOException {
        if (parser.available() == 0) read(room());
        return parser.available() > 0;
    }

    private void endReceiving(Throwable cause) {
        Incoming ended = incoming;
        incoming = null;
        if (ended != null) ended.abort(cause);
    }

    /** Sends what the socket takes; finishes after the last response. True if WRITING is over. */
    private boolean sendQueued() throws IOException {
        if (!queue.flush()) {
            if (state.takesRequests()) enter(WRITING);
            return false;
        }
        context.connectionTurn.bytesLeft = ConnectionTurn.BATCH;
        if (state == ENDING) finish();
        if (state == STREAMING || state == UPGRADED) queue.pending().stream().ask(context);
        // in WRITING all that was queued is sent now; if this turn is full, other connections come first
        return state == WRITING && context.connectionTurn.requestsLeft > 0;
    }

    /** Goes on after everything is sent. */
    void resume() throws IOException {
        enter(IDLE);
        serve();
    }

    /** Closes at once if the client sends nothing more; else lingers. */
    private void finish() throws IOException {
        // input after the last request was dropped; for the parser it is a next request
        lingering = Lingering.begin(socket, !parser.clientIsDone(), queue.waited);
        if (lingering == null) {
            close();
        } else {
            enter(LINGERING);
        }
    }

    /** Ends the connection in the middle of a body. */
    private void cut() throws IOException {
        if (queue.needsReset()) {
            close();
            return;
        }
        queueIncomplete();
        queue.logEnds();
        drop();
        finish();
    }

    /** Drops unsent responses and unread input. */
    private void drop() {
        parser.drop();
        // the handler does not have this request
        if (early != null) early.releasePlace();
        queue.drop();
        endReceiving(new IOException("the connection is closed"));
    }

    /**
     * Refuses a request with the last response; if an earlier request is pending, its response is the last.
     */
    void refuse(RefusalException e, Exchange refused) throws IOException {
        context.counters.refused(e.refusal, refused.served);
        refused.reportRefused(e);
        parser.drop();
        // the program may have the request, or its head, and ask whether it is abandoned
        if (refused.response == null) refused.abandon();
        endReceiving(e);
        if (state == UPGRADED) {
            close();
            return;
        }
        if (queue.pending() == null) queue.add(refused);
        Exchange pending = queue.pending();
        pending.last = true;
        if (pending != refused) return;
        if (parser.awaitsProxyHeader()) {
            close();
        } else {
            refused.replace(Response.refusing(e.refusal, e.limit));
            respond(refused);
        }
    }

    /** Queues an incomplete request, perhaps after a blocked response, so that its end is logged. */
    private void queueIncomplete() {
        boolean begun = state.isInsideRequest() || state == WRITING && parser.head() != RequestHead.NONE;
        if (begun && queue.pending() == null) queue.add(incomplete());
    }

    /** Counts the requests that the end of the loop drops. What is not parsed counts as one. */
    int countDropped() {
        if (state == CLOSED || state == LINGERING) return 0;
        Exchange pending = queue.pending();
        int unsent = (pending != null ? 1 : 0) + (queue.blocked && queue.first != pending ? 1 : 0);
        // input after the last request, or in another protocol, is no request
        if (refusesMore() || state == UPGRADED) return unsent;
        if (pending != null && !parser.isPersistent()) return unsent;
        boolean more = parser.isInsideRequest() && !parser.clientIsDone()
                && parser.requests() < context.limits.maxRequests;
        return unsent + (more ? 1 : 0);
    }

    /** Logs the end, closes and releases everything, except the place of a working handler. */
    void close() {
        if (state == CLOSED) return;
        try {
            // an error has come while the handler was called
            if (state == HANDLING) since = context.clock.now();
            queueIncomplete();
            enter(CLOSED);
            queue.logEnds();
        } finally {
            // also if that has failed
            enter(CLOSED);
            try {
                if (queue.needsReset()) socket.dropUnsent();
            } finally {
                release();
            }
        }
        socket.report(CLOSE);
    }

    private void release() {
        socket.close();
        cancelDeadline();
        context.connectionClosed();
        context.counters.add(Counters.CLOSED, 1);
        drop();
    }
}
