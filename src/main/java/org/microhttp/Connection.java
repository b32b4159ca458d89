package org.microhttp;

import static java.nio.channels.SelectionKey.*;
import static org.microhttp.Syntax.refuseIf;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.*;

/**
 * One client: owns its channel and its state, and moves bytes between channel, parser, handler and outlet.
 * <pre>
 *                request              response             sent, no further request here
 *   accept -> READING ------> HANDLING ---------> WRITING ------------------------> READING
 *               |               ^                 |  |
 *               |               +-----------------+  | sent, further request here
 *               | refused                            | sent, not persistent
 *               +----------------> WRITING           +----> LINGERING ----> CLOSED
 *   any state: reset, deadline passed, I/O error, loop stopped ----> CLOSED
 *   end of stream: after what is owed is sent ----> CLOSED
 *   sent, not persistent, nothing left unread ----> CLOSED without lingering
 * </pre>
 * All but {@link #answer} runs on the loop's thread, in turns: a step, then what it put into the write buffer
 * is sent, then interest set and deadline are brought in line with the state. A turn is an error boundary:
 * what goes wrong in it closes this connection and nothing else.
 */
final class Connection extends Scheduler.Entry {

    enum State { READING, HANDLING, WRITING, LINGERING, CLOSED }

    interface Step { void run() throws HttpError, IOException; }

    /** A full read buffer holds some 1,700 small requests; between batches of these others get their turn. */
    private static final int MAX_REQUESTS_PER_TURN = 128;

    // what a client may take to notice that it was refused (RFC 9112 §9.6); nginx, too, waits 5 s and 30 s
    private static final long LINGER_SILENCE = 5_000_000_000L, LINGER_TIME = 30_000_000_000L;
    private static final long LINGER_BYTES = 64L << 20;
    // how long a loop that leaves waits for what a proxy may be sending, on one that was used so recently
    private static final long STAY = 1_000_000_000L;

    private static final byte[] CONTINUE = ResponseEncoder.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private final Shared loop;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final long id;
    private final ByteQueue input;
    private final RequestParser parser;
    private final Outlet outlet;
    private State state = State.READING;

    /** The interest set that the key has; the request whose answer is not yet encoded. */
    private int interest = OP_READ;
    private Exchange exchange;
    private boolean inHandler;

    /** What the client did: ended its side; asked for the close after the last answer. */
    private boolean endOfStream, clientCloses;

    /** No request is taken any more, and the end comes when all is sent; a task goes on with what is here. */
    private boolean last, backlog;

    /** Some of a request is here, and its time is running; the request is the first since bytes were read. */
    private boolean begun, fresh;

    /** When the request, its handling, or lingering began; when bytes were read; how many while lingering. */
    private long began, lastRead, lingered;

    Connection(Shared loop, SocketChannel channel, SelectionKey key, long id) throws IOException {
        this.loop = loop; this.channel = channel; this.key = key; this.id = id;
        input = new ByteQueue(loop.common.bytes);
        parser = new RequestParser(input, loop.limits, loop.common.bytes, channel.getRemoteAddress());
        outlet = new Outlet(loop, channel, id);
        lastRead = loop.now();
        settle();
    }

    // what the loop calls: the channel is ready, the deadline has passed, the loop leaves
    void onReady() { turn(this::proceed); }
    @Override void onDeadline() { turn(this::giveUp); }
    void leave() { turn(this::depart); }

    /** Takes the handler's answer, from any thread. */
    void answer(Exchange answered, Response response) {
        if (loop.isLoopThread() && inHandler && answered == exchange) accept(answered, response);
        else loop.execute(() -> turn(() -> acceptLate(answered, response)));
    }

    /** Takes word that the handler failed, from any thread. */
    void fail(Exchange failed, Throwable cause) {
        loop.execute(() -> loop.log.handlerFailed(id, cause));
        answer(failed, Exchange.FAILED);
    }

    private void turn(Step step) {
        try {
            try { step.run(); input.keep(); } catch (HttpError e) { refuse(e); }
            if (state != State.CLOSED && state != State.LINGERING) finishTurn();
            if (state != State.CLOSED) settle();
        } catch (IOException e) { loop.log.writeFailed(id, e); close();
        } catch (Throwable t) { loop.log.failed(id, t); close(); }
    }

    private void enter(State next) {
        if (state == State.HANDLING) loop.common.requests.giveBack(1);
        state = next;
    }

    /** Brings interest set and deadline in line with the state, once a turn: each costs even without need. */
    private void settle() {
        boolean deaf = state == State.WRITING || state == State.HANDLING && roomForEarlyBytes() == 0;
        int wanted = (deaf ? 0 : OP_READ) | (state == State.WRITING || outlet.blocked ? OP_WRITE : 0);
        if (wanted != interest) key.interestOps(interest = wanted);
        long silent = lastActive() + loop.socketTimeout;
        long due = state == State.WRITING ? outlet.progress + loop.socketTimeout
                : state == State.HANDLING ? began + loop.handlerTimeout
                : state == State.LINGERING ? earlier(lastRead + LINGER_SILENCE, began + LINGER_TIME)
                : begun ? earlier(silent, began + loop.requestTimeout) : silent;
        long used = lastActive() - loop.leavingSince > 0 ? lastActive() : loop.leavingSince;
        loop.scheduler.schedule(this, loop.leaving && isIdle() ? earlier(due, used + STAY) : due);
    }

    private static long earlier(long a, long b) { return a - b < 0 ? a : b; }
    private long lastActive() { return lastRead - outlet.progress > 0 ? lastRead : outlet.progress; }

    /** Whether nothing is lost if the connection ends, as far as we know. */
    private boolean isIdle() {
        return state == State.LINGERING || state == State.READING && !begun && !backlog;
    }

    /** Whether a request, or some of one, is here and the answer is not sent. */
    boolean isBusy() { return state != State.CLOSED && !isIdle(); }

    /** Reads once more, for a request may be here; then ends what is idle, and has been for a second. */
    private void depart() throws HttpError, IOException {
        proceed();
        if (isIdle() && loop.now() - lastActive() >= STAY) close();
    }

    private void proceed() throws HttpError, IOException {
        if (backlog) return;
        if (state == State.WRITING) transmit();
        else if (state != State.CLOSED) read();
        serve();
    }

    private void read() throws HttpError {
        loop.received.clear();
        if (state == State.HANDLING) loop.received.limit(roomForEarlyBytes());
        int count = 0;
        try {
            count = channel.read(loop.received);
        } catch (IOException e) { loop.log.readFailed(id, e); close(); }
        if (count < 0) loop.log.readClosed(id);
        endOfStream |= count < 0;
        if (count > 0) { loop.log.read(id, count); lastRead = loop.now(); fresh = true; }
        if (count > 0 && state != State.LINGERING) input.add(loop.received.flip(), loop.scratch);
        // to close a socket with unread input resets it, and our answer may be lost (RFC 9112 §9.6)
        if (state == State.LINGERING && (endOfStream || (lingered += count) > LINGER_BYTES)) close();
    }

    /** While a request is handled we read on, to notice a client that is gone, but one buffer at most. */
    private int roomForEarlyBytes() {
        return endOfStream || last ? 0 : Math.max(0, loop.received.capacity() - input.available());
    }

    /** Handles what has arrived, as many requests as a turn may take. No recursion, however answers come. */
    private void serve() throws HttpError, IOException {
        for (int i = 0; state == State.READING && !last && !backlog; i++) {
            Request request = parser.next();
            if (request == null) { awaitMore(); return; }
            if (!fresh) loop.log.requestPipelined(id);
            fresh = false;
            handle(request);
            backlog = i + 1 == MAX_REQUESTS_PER_TURN;
            if (backlog) loop.execute(() -> turn(() -> { backlog = false; serve(); }));
        }
    }

    private void awaitMore() throws HttpError, IOException {
        boolean inside = parser.isInsideRequest();
        refuseIf(endOfStream && inside, 400, "truncated: the request ends in the middle (RFC 9112 §8)");
        last = endOfStream;
        boolean room = loop.out.remaining() >= CONTINUE.length;
        if ((room || outlet.flush()) && parser.takeContinue()) loop.out.put(CONTINUE);
        // not when its bytes arrived: they may have waited behind a slow predecessor
        if (inside && !begun) began = loop.now();
        begun = inside;
    }

    private void handle(Request request) throws HttpError, IOException {
        loop.log.requestRead(id, request);
        exchange = new Exchange(this);
        begun = false;
        began = loop.now();
        if (loop.common.requests.tryTake(1)) call(request);
        else { loop.log.overloaded(id); exchange.response = Exchange.OVERLOADED; }
        if (exchange.response != null) respond(!parser.isPersistent());
    }

    private void call(Request request) {
        enter(State.HANDLING);
        inHandler = true;
        try { loop.handler.handle(request, exchange); } catch (Throwable t) {
            loop.log.handlerFailed(id, t);
            if (exchange.response == null) exchange.response = Exchange.FAILED;
        }
        inHandler = false;
        // a flag left behind would close the channel at the next read or write
        if (Thread.interrupted()) loop.log.interruptCleared(id);
    }

    /** Takes an answer if it is the first to the current request. */
    private boolean accept(Exchange answered, Response response) {
        boolean first = answered == exchange && exchange.response == null;
        if (!first) loop.log.responseIgnored(id);
        else if (response == null) loop.log.responseMissing(id);
        else loop.log.responseReady(id, response);
        if (first) exchange.response = response == null ? Exchange.FAILED : response;
        return first;
    }

    private void acceptLate(Exchange answered, Response response) throws HttpError, IOException {
        if (accept(answered, response)) { respond(!parser.isPersistent()); serve(); }
    }

    private void respond(boolean clientClosesAfterwards) throws HttpError, IOException {
        clientCloses = clientClosesAfterwards;
        last |= clientCloses || exchange.response.closing;
        // what follows may wait in the socket; it is answered too
        if (loop.leaving && !last && input.available() == 0) { read(); last = input.available() == 0; }
        if (state == State.CLOSED) return;
        enter(State.WRITING);
        transmit();
    }

    /** Sends what is owed: first what is blocked, then the answer that is ready. */
    private void transmit() throws IOException {
        if (outlet.blocked && !outlet.flush()) return;
        if (exchange != null) {
            Exchange answered = exchange;
            exchange = null;
            loop.encoder.start(answered, parser.isHead(), parser.isHttp10(), !last, loop.now());
            if (!outlet.add(answered)) return;
        }
        enter(last ? State.WRITING : State.READING);
    }

    /** Sends what the turn collected; if that was the last, goes on to the end of the connection. */
    private void finishTurn() throws IOException {
        boolean sent = outlet.flush();
        if (!sent && state == State.READING) enter(State.WRITING);
        if (!sent || !last || state == State.HANDLING) return;
        // close at once if nothing can be lost by it; else end our side, and read until the peer has noticed
        boolean done = endOfStream || clientCloses && input.available() == 0;
        if (done) { loop.log.closedAfterResponse(id); close(); return; }
        loop.log.lingering(id);
        parser.drop();
        channel.shutdownOutput();
        began = lastRead = loop.now();
        enter(State.LINGERING);
    }

    /** Answers with the refusal, in place of an answer that is awaited, too, and takes no more requests. */
    private void refuse(HttpError error) throws HttpError, IOException {
        loop.log.refused(id, error);
        parser.drop();
        last = true;
        if (exchange == null) exchange = new Exchange(this);
        exchange.response = error.response();
        respond(false);
    }

    private void giveUp() throws HttpError, IOException {
        if (loop.leaving && state == State.READING && isIdle()) { depart(); return; }
        refuseIf(state == State.HANDLING, 503, "handler_timeout: no answer in time (RFC 9110 §15.6.4)");
        boolean partial = state == State.READING && begun;
        boolean slow = partial && loop.now() - began >= loop.requestTimeout;
        refuseIf(slow, 408, "request_timeout: the request took too long (RFC 9110 §15.5.9)");
        refuseIf(partial, 408, "socket_timeout: nothing came for too long (RFC 9110 §15.5.9)");
        if (state != State.LINGERING) loop.log.timedOut(id);
        // a reset: else the kernel would go on offering megabytes to a client that does not read
        if (state == State.WRITING) channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        close();
    }

    /** Frees everything; harmless when done already. */
    void close() {
        if (state == State.CLOSED) return;
        enter(State.CLOSED);
        loop.scheduler.cancel(this);
        parser.drop();
        outlet.drop();
        exchange = null;
        try { channel.close(); } catch (IOException e) { loop.log.failed(id, e); }
        loop.log.closed(id);
        loop.closed();
    }
}
