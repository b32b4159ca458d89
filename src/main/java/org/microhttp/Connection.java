package org.microhttp;

import static java.nio.channels.SelectionKey.*;
import static org.microhttp.ConnectionState.*;
import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.*;

/**
 * One client: moves bytes between its socket, the parser, the handler and the queue of responses, in turns,
 * see {@link #turn}. Its {@link ConnectionState} says what it waits for. For the loop's thread alone.
 */
final class Connection extends Scheduler.Entry {

    /** The beginning of a turn, or of what follows in it. */
    interface Step { void run(Connection connection) throws IOException; }

    // made beforehand, because without memory for it a step would never be taken
    private static final Step RECEIVE = Connection::receive, RESUME = Connection::resume,
            GIVE_UP = Connection::giveUp;

    /** How often it reads before a request times out: 1 MiB with the default read buffer. */
    private static final int MAX_LAST_READS = 16;

    final LoopContext loop;
    final ClientSocket socket;
    private final RequestParser parser;
    private final ResponseQueue queue;
    private ConnectionState state = IDLE;

    /** When the incomplete request began. In AWAITING, when the pending one was handled. */
    private long began;
    private Lingering lingering;

    Connection(LoopContext loop, SocketChannel channel, SelectionKey key) throws IOException {
        this.loop = loop;
        socket = new ClientSocket(loop, channel, key);
        parser = new RequestParser(loop.limits, ClientSocket.peer(channel));
        queue = new ResponseQueue(socket);
        settle();
    }

    /** The client's address, or that of a proxy that has not named its client yet. */
    SocketAddress client() { return parser.client; }
    void onReady() { turn(RECEIVE); }

    /** A loop that is stopped counts and closes soon what is left. */
    @Override
    void onDeadline() { if (!loop.stopped) turn(GIVE_UP); }

    /**
     * Takes a step, sends what is queued, and goes on as long as everything is sent and more can be done. At
     * the end sets what is waited for. This is an error boundary: what the client did wrong is refused, and
     * any other failure ends this connection only.
     */
    void turn(Step step) {
        assert loop.tasks.isLoopThread();
        try {
            loop.beginConnectionTurn();
            try {
                attempt(step);
                while (sendQueued()) {
                    attempt(RESUME);
                }
            } catch (ResponseQueue.BodyFailure e) {
                cut();
            }
            settle();
        } catch (Throwable t) {
            socket.report(t);
            free();
        }
    }

    /** Closes even if memory is short. */
    void free() {
        try {
            close();
        } catch (Throwable t) {
            // everything is released, but not everything logged
        }
    }

    /** Takes a step, and refuses what it finds wrong. */
    private void attempt(Step step) throws IOException {
        try {
            step.run(this);
            if (refusesMore()) parser.drop();
            parser.keep(loop.scratch);
        } catch (RefusalException e) {
            refuse(e, new Exchange(this, parser, parser.head));
        }
    }

    /** Whether the last request has come. Then more input is dropped. */
    private boolean refusesMore() {
        Exchange pending = queue.pending();
        return state == ENDING || pending != null && pending.last;
    }

    /** Whether the handler is being called: then a response that the loop's thread gives needs no task. */
    boolean isHandling() { return state == HANDLING; }

    private void enter(ConnectionState next) { state = next; }

    /** Sets what is waited for, and until when. */
    private void settle() {
        switch (state) {
            case IDLE -> waitFor(OP_READ, silenceEnd());
            case READING -> waitFor(OP_READ, Scheduler.earlier(silenceEnd(), began + loop.requestTimeout));
            // while there is room it reads on, to notice a reset; and earlier responses may be blocked
            case AWAITING, STREAMING -> waitFor((room() > 0 ? OP_READ : 0) | (queue.blocked ? OP_WRITE : 0),
                    waitingEnd());
            case WRITING, ENDING -> waitFor(OP_WRITE, writingEnd());
            case LINGERING -> waitFor(OP_READ, loop.idleDeadline(socket, lingering.deadline()));
            case HANDLING -> throw new IllegalStateException("a turn has ended in the handler");
        }
    }

    /** Until when the client may send nothing; take nothing; and the handler or the publisher may work. */
    private long silenceEnd() {
        long end = socket.lastActive + loop.socketTimeout;
        return state == IDLE ? loop.idleDeadline(socket, end) : end;
    }
    private long writingEnd() { return socket.lastWritten + loop.socketTimeout; }
    private long waitingEnd() {
        if (state == STREAMING) return queue.blocked ? writingEnd()
                : queue.pending().stream().silenceEnd(socket);
        long end = began + loop.handlerTimeout;
        return queue.blocked ? Scheduler.earlier(end, writingEnd()) : end;
    }

    private void waitFor(int interest, long deadline) {
        socket.watch(interest);
        loop.scheduler.schedule(this, deadline);
    }

    /** Goes on with what has come. If something has to be sent first, the turn does that next. */
    void receive() throws IOException {
        switch (state) {
            case IDLE, READING -> {
                read();
                serve();
            }
            case AWAITING, STREAMING -> read();
            case LINGERING -> linger(false);
            // the turn writes in WRITING and ENDING; HANDLING waits for the handler, CLOSED for nothing
        }
    }

    /** Reads what may be kept; returns how many bytes. */
    private int read() throws IOException {
        int count = socket.read(room());
        // what follows the last request is dropped
        if (count > 0 && !refusesMore()) {
            socket.lastActive = loop.now();
            parser.receive(loop.received.flip(), loop.scratch);
        }
        return count;
    }

    /** How much may be read: until the largest request waits to be parsed, or a buffer if one is pending. */
    private int room() {
        if (socket.endOfStream || refusesMore() && state != STREAMING) return 0;
        if (state.takesRequests()) return parser.room(Integer.MAX_VALUE);
        int room = parser.room(loop.received.capacity());
        // it stops when half is used, because appending in small steps would move the bytes each time
        return room < parser.available() ? 0 : room;
    }

    /** Handles the requests that have come, as many as a turn may take, without recursion. */
    private void serve() throws IOException {
        while (state.takesRequests() && !loop.checkStop()) {
            Request request = parser.next();
            if (request == null) {
                awaitMore();
                return;
            }
            if (parser.pipelined) socket.report(PIPELINE_REQUEST);
            handle(request);
            loop.requestsLeft--;
            if (state == IDLE && loop.requestsLeft <= 0) enter(WRITING);
        }
    }

    private void awaitMore() throws IOException {
        boolean inside = parser.isInsideRequest();
        if (socket.endOfStream) {
            Refusal.TRUNCATED.refuseIf(inside);
            enter(ENDING);
            return;
        }
        if (parser.takeContinue()) {
            var interim = new Exchange(this, parser, RequestHead.NONE);
            interim.response = Response.CONTINUE;
            queue.add(interim);
        }
        // not when its bytes came: they may have waited for a slow response to an earlier request
        if (inside) began = requestBegan();
        enter(inside ? READING : IDLE);
    }

    /** When the request began that was parsed last, whole or in part: now, unless some of it came before. */
    long requestBegan() { return state == READING ? began : loop.now(); }

    private void handle(Request request) throws IOException {
        var exchange = new Exchange(this, parser, request.head);
        queue.add(exchange);
        loop.log.report(READ_REQUEST, socket.id, request);
        enter(HANDLING);
        // an interrupt up to here acts as stop: the loop ends, and the request is dropped
        if (exchange.takePlace() && !loop.checkStop()) exchange.call(request);
        if (exchange.response == null) {
            began = loop.now();
            enter(AWAITING);
        }
        loop.forgetTime();
        if (exchange.response != null) respond(exchange);
    }

    /** Goes on with the response to the pending request, which was given elsewhere. */
    void respondLate(Exchange exchange) throws IOException {
        respond(exchange);
        serve();
    }

    /** Lets a response be sent, also one that a publisher signals, and decides whether it is the last. */
    private void respond(Exchange exchange) throws IOException {
        exchange.releasePlace();
        if (exchange.isUnframed() && socket.isUnnamed()) {
            refuse(new RefusalException(Refusal.UNFRAMED, 0), exchange);
            return;
        }
        exchange.addErrorHeaders();
        exchange.last |= exchange.isUnframed() || !parser.persistent || exchange.response.closing
                || parser.requests >= loop.maxRequests;
        // a loop that leaves also answers requests that wait in the socket
        if (loop.leaving && !exchange.last && parser.available() == 0) {
            read();
            exchange.last = parser.available() == 0;
        }
        loop.bytesLeft -= exchange.weight();
        ConnectionState next = queue.blocked || loop.bytesLeft <= 0 ? WRITING : IDLE;
        ConnectionState after = exchange.last ? ENDING : next;
        enter(exchange.isPending() ? STREAMING : after);
    }

    /** Sends what the socket takes; finishes after the last response. True if requests may be taken now. */
    private boolean sendQueued() throws IOException {
        if (!queue.flush()) {
            if (state.takesRequests()) enter(WRITING);
            return false;
        }
        loop.bytesLeft = LoopContext.BATCH;
        if (state == ENDING) finish();
        if (state == STREAMING) queue.pending().stream().ask(loop);
        // in WRITING much was queued, and is sent; or this turn has taken what it may, and others come first
        return state == WRITING && loop.requestsLeft > 0;
    }

    /** Goes on after everything is sent. */
    void resume() throws IOException {
        enter(IDLE);
        serve();
    }

    /** Closes at once if the client sends nothing more; else lingers. */
    private void finish() throws IOException {
        // what came after the last request was dropped before, and counts for the parser as the next
        lingering = Lingering.begin(socket, !parser.clientIsDone(), queue.waited);
        if (lingering == null) {
            close();
        } else {
            enter(LINGERING);
        }
    }

    /** Ends in the middle of a body. */
    private void cut() throws IOException {
        if (queue.needsReset()) {
            close();
            return;
        }
        queueIncomplete();
        parser.drop();
        queue.drop();
        finish();
    }

    /** Refuses a request, with the last response; but if an earlier request is pending, that is the last. */
    private void refuse(RefusalException e, Exchange refused) throws IOException {
        loop.counters.refused(e.refusal);
        loop.log.refused(refused, e);
        parser.drop();
        if (queue.pending() == null) queue.add(refused);
        Exchange pending = queue.pending();
        pending.last = true;
        if (pending != refused) return;
        if (parser.awaitsProxyHeader()) {
            close();
        } else {
            refused.replace(e.refusal.response(e.limit));
            respond(refused);
        }
    }

    /** The deadline has passed. */
    void giveUp() throws IOException {
        switch (state) {
            case IDLE, READING -> giveUpReading();
            case AWAITING, STREAMING -> giveUpAwaiting();
            case WRITING, ENDING -> giveUpWriting();
            // a loop that leaves does not wait until the client has sent everything
            case LINGERING -> linger(loop.leaving);
        }
    }

    private void linger(boolean last) throws IOException {
        if (lingering.record(socket.read(Integer.MAX_VALUE), loop.now()) || last) close();
    }

    /** Reads a few times first: after a long turn much may have come that the loop has not noticed. */
    private void giveUpReading() throws IOException {
        boolean silent = true;
        for (int i = 0; i < MAX_LAST_READS && state.takesRequests() && read() > 0; i++) {
            serve();
            silent = false;
        }
        serve();
        if (!state.takesRequests()) return;
        boolean begun = state == READING;
        boolean tooLong = begun && loop.now() - began >= loop.requestTimeout;
        Refusal.REQUEST_TIMEOUT.refuseIf(tooLong, loop.requestTimeout);
        // a handler that was called may have taken long, which is no silence of the client
        if (!silent || loop.now() - silenceEnd() < 0) return;
        Refusal.SOCKET_TIMEOUT.refuseIf(begun, loop.socketTimeout);
        if (!loop.leaving) socket.reportTimeout();
        close();
    }

    private void giveUpAwaiting() throws IOException {
        if (queue.blocked) {
            giveUpWriting();
        } else if (state == STREAMING) {
            queue.pending().stream().fail(BODY_ERROR, new IOException("its publisher is silent"));
        }
        boolean tooLong = state == AWAITING && loop.now() - began >= loop.handlerTimeout;
        if (!tooLong || !queue.pending().giveUp()) return;
        refuse(new RefusalException(Refusal.HANDLER_TIMEOUT, loop.handlerTimeout), queue.pending());
    }

    /** Tries to write first: after a long turn the socket may be ready, and the loop not have noticed. */
    private void giveUpWriting() throws IOException {
        if (queue.flush() || loop.now() - writingEnd() < 0) return;
        socket.reportTimeout();
        // otherwise the kernel would keep megabytes for a client that does not read
        socket.dropUnsent();
        close();
    }

    /** Queues a request that is incomplete, perhaps behind a blocked response, so that its end is logged. */
    private void queueIncomplete() {
        boolean begun = state == READING || state == WRITING && parser.head != RequestHead.NONE;
        try {
            if (begun && queue.pending() == null) queue.add(new Exchange(this, parser, parser.head));
        } catch (Throwable t) {
            // without memory or the time it is not logged
        }
    }

    /** Drops what is not answered, as the loop ends. Returns how many requests that is, whole or begun. */
    int dropRequests() {
        if (state == CLOSED || state == LINGERING) return 0;
        Exchange pending = queue.pending();
        int unsent = (pending != null ? 1 : 0) + (queue.blocked && queue.first != pending ? 1 : 0);
        // what follows the last request is no request
        if (refusesMore() || pending != null && !parser.persistent) return unsent;
        // before the parser releases the head and parses the rest
        queueIncomplete();
        return unsent + (int) Math.min(loop.maxRequests - parser.requests, parser.parseRest());
    }

    /** Logs an incomplete request, closes and releases everything, except the place that a handler holds. */
    private void close() {
        if (state == CLOSED) return;
        queueIncomplete();
        enter(CLOSED);
        if (queue.needsReset()) socket.dropUnsent();
        socket.close();
        parser.drop();
        cancelDeadline();
        loop.connectionClosed();
        loop.counters.add(Counters.CLOSED, 1);
        queue.drop();
        socket.report(CLOSE);
    }
}
