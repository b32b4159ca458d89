package org.microhttp;

import static java.nio.channels.SelectionKey.*;
import static org.microhttp.ConnectionState.*;
import static org.microhttp.Syntax.refuseIf;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.*;

/**
 * One client: owns its channel and its state, and moves bytes between channel, parser, handler and outlet.
 * All but {@link #later} and {@link #isHandling} is for the loop's thread, in turns: a step, then what
 * it put into the write buffer is sent, then interest set and deadline are brought in line with the state.
 * <p>
 * A closed connection whose request is still in the handler's hands stays with the scheduler, if places for
 * such requests are limited, until the answer comes or its time is over.
 */
final class Connection extends Peer {

    // made beforehand, for a step that there is no memory for would be taken by nobody
    private static final Step PROCEED = Connection::proceed, GIVE_UP = Connection::giveUp,
            DEPART = Connection::depart, FOLLOW = Connection::follow, GO_ON = Connection::goOn;
    static final Step IGNORE = connection -> connection.loop.log.responseIgnored(connection.id);

    /** What is read before a request is given up, with the default read buffer: 1 MiB. */
    private static final int MAX_LAST_READS = 16;

    // how long a loop that leaves waits for what a proxy may be sending, on one that was used so recently
    private static final long STAY = 1_000_000_000L;

    private final ByteQueue input;
    private final RequestParser parser;
    private final Outlet outlet;
    private ConnectionState state = READING;

    /** The request whose answer is not yet encoded; whether the handler is being asked for it. */
    private Exchange exchange;
    private boolean inHandler;

    /** Whether the client has asked for the close after the last answer, and sent nothing behind it. */
    private boolean clientCloses;

    /** No request is taken any more, and the end comes when all is sent; a task goes on with what is here. */
    private boolean last, backlog;

    /** Some of a request is here, and its time is running; the request is the first since bytes were read. */
    private boolean begun, fresh;

    /** When the request, or its handling, began; when bytes were read. */
    private long began, lastRead;
    private Lingering lingering;

    Connection(Shared loop, SocketChannel channel, SelectionKey key, long id) throws IOException {
        super(loop, channel, key, id);
        input = new ByteQueue();
        parser = new RequestParser(input, loop.limits, loop.common.bytes, channel.getRemoteAddress());
        outlet = new Outlet(loop, channel, id);
        lastRead = loop.now();
        settle();
    }

    // what the loop calls: the channel is ready, the deadline has passed, the loop leaves
    void onReady() { turn(PROCEED); }
    @Override void onDeadline() { turn(GIVE_UP); }
    void leave() { turn(DEPART); }

    /** A long turn is over, and what was noted to have happened at its beginning may have been at its end. */
    void postpone(long beginning, long end) {
        if (lastRead == beginning) lastRead = end;
        if (began == beginning) began = end;
        if (outlet.progress == beginning) outlet.progress = end;
        settle();
    }

    /** Whether the loop's thread is in the handler with this request, so that an answer needs no task. */
    boolean isHandling(Exchange asked) { return loop.isLoopThread() && inHandler && asked == exchange; }

    /** Has a turn take a step soon; from any thread. */
    void later(Step step) { loop.execute(() -> turn(step)); }

    void onHandlerFailure(Throwable cause) { loop.log.handlerFailed(id, cause); }

    private void turn(Step step) { turn(step, FOLLOW); }

    @Override
    void attempt(Step step) throws HttpError, IOException {
        try {
            step.run(this);
            if (last) dropRest();
            else parser.keep();
        } catch (HttpError e) {
            refuse(e, exchange != null);
        }
    }

    private void enter(ConnectionState next) {
        if (state == HANDLING && next != CLOSED) loop.givePlaceBack(exchange);
        state = next;
    }

    @Override
    void settle() {
        if (state == CLOSED) return;
        boolean deaf = state == WRITING || state == HANDLING && roomForEarlyBytes() == 0;
        int wanted = (deaf ? 0 : OP_READ) | (state == WRITING || outlet.blocked ? OP_WRITE : 0);
        watch(wanted);
        long due = deadline();
        long used = lastActive() - loop.leavingSince > 0 ? lastActive() : loop.leavingSince;
        loop.scheduler.schedule(this, loop.leaving && isIdle() ? earlier(due, used + STAY) : due);
    }

    private long deadline() {
        if (state == WRITING) return outlet.progress + loop.socketTimeout;
        if (state == HANDLING) return began + loop.handlerTimeout;
        if (state == LINGERING) return lingering.deadline();
        long silent = lastActive() + loop.socketTimeout;
        return begun ? earlier(silent, began + loop.requestTimeout) : silent;
    }

    private static long earlier(long a, long b) { return a - b < 0 ? a : b; }
    private long lastActive() { return lastRead - outlet.progress > 0 ? lastRead : outlet.progress; }

    /** Whether nothing is lost if the connection ends, as far as we know. */
    private boolean isIdle() {
        return state == LINGERING || state == READING && !begun && !backlog;
    }

    /** How many requests, whole or begun, are here and will not be answered if this is the end. */
    int countDropped() {
        if (state == CLOSED || state == LINGERING) return 0;
        int unsent = (exchange != null ? 1 : 0) + (outlet.blocked ? 1 : 0);
        // what comes behind a request that is the last is no request
        boolean behindLast = last || exchange != null && !parser.isPersistent();
        return behindLast ? unsent : unsent + parser.countDropped();
    }

    /** Reads once more, for a request may be here; then ends what is idle, and has been for a second. */
    private void depart() throws HttpError, IOException {
        proceed();
        if (isIdle() && loop.now() - lastActive() >= STAY) close();
    }

    private void proceed() throws HttpError, IOException {
        // what is blocked is sent at the end of the turn; until then nothing is read, or parsed
        if (backlog || state == WRITING || state == CLOSED) return;
        if (state == LINGERING) {
            linger();
            return;
        }
        read();
        serve();
    }

    /** Reads no more than the request may have, and while one is handled, one buffer. */
    private int read() {
        int room = state == HANDLING ? roomForEarlyBytes() : parser.room();
        int count = receive(room);
        if (count > 0) {
            lastRead = loop.now();
            fresh = true;
            parser.receive(loop.received.flip(), loop.scratch);
        }
        return count;
    }

    /** What comes behind the last request is not kept; but with it unread a close is a reset. */
    private void dropRest() {
        clientCloses &= input.available() == 0;
        parser.drop();
    }

    private void linger() {
        int count = receive(Integer.MAX_VALUE);
        if (lingering.isOver(count, loop.now())) close();
    }

    /** While a request is handled we read on, to notice a client that is gone, but one buffer at most. */
    private int roomForEarlyBytes() {
        if (endOfStream || last) return 0;
        return Math.min(Math.max(0, loop.received.capacity() - input.available()), parser.room());
    }

    /** Handles what has arrived, as many requests as a turn may take. No recursion, however answers come. */
    private void serve() throws HttpError, IOException {
        while (state == READING && !last && !backlog && !loop.isStopped()) {
            Request request = parser.next();
            if (request == null) {
                awaitMore();
                return;
            }
            if (!fresh) loop.log.requestPipelined(id);
            fresh = false;
            handle(request);
            backlog = --loop.requestsLeft == 0;
            if (backlog) loop.execute(() -> turn(GO_ON));
        }
    }

    private void goOn() throws HttpError, IOException {
        backlog = false;
        serve();
    }

    private void awaitMore() throws HttpError, IOException {
        boolean inside = parser.isInsideRequest();
        refuseIf(endOfStream && inside, 400, "truncated: the request ends in the middle (RFC 9112 §8)");
        last = endOfStream;
        if (parser.takeContinue()) outlet.add(Exchange.interim(this));
        // not when its bytes arrived: they may have waited behind a slow predecessor
        if (inside && !begun) began = loop.now();
        begun = inside;
    }

    private void handle(Request request) throws HttpError, IOException {
        exchange = new Exchange(this);
        exchange.unanswered = true;
        loop.log.requestRead(id, request);
        begun = false;
        began = loop.now();
        if (loop.takePlace(exchange)) {
            call(request);
        } else {
            loop.log.overloaded(id);
            exchange.response = Exchange.OVERLOADED;
        }
        if (exchange.response != null) respond(!parser.isPersistent());
    }

    private void call(Request request) {
        enter(HANDLING);
        inHandler = true;
        try {
            loop.handler.handle(request, exchange);
        } catch (Throwable t) {
            // an answer that is on its way from another thread was the first
            if (exchange.response == null && exchange.claim()) exchange.response = Exchange.FAILED;
            loop.log.handlerFailed(id, t);
        } finally {
            inHandler = false;
        }
        // a flag left behind would close the channel at the next read or write
        if (Thread.interrupted()) loop.log.interruptCleared(id);
    }

    /** Takes an answer if it is the first to the current request. */
    boolean accept(Exchange answered, Response response) {
        boolean first = answered == exchange && exchange.response == null && state == HANDLING;
        // before anything is said of it, for which memory may lack
        if (first) exchange.response = response == null ? Exchange.FAILED : response;
        if (!first) loop.log.responseIgnored(id);
        else if (response == null) loop.log.responseMissing(id);
        else loop.log.responseReady(id, response);
        return first;
    }

    void acceptLate(Exchange answered, Response response) throws HttpError, IOException {
        if (state == CLOSED && answered == exchange) forget();
        if (!accept(answered, response)) return;
        respond(!parser.isPersistent());
        serve();
    }

    /** The connection is gone, and now the handler is done with its request, too. */
    private void forget() {
        loop.scheduler.cancel(this);
        loop.givePlaceBack(exchange);
        exchange = null;
    }

    private void respond(boolean clientClosesAfterwards) throws HttpError, IOException {
        clientCloses = clientClosesAfterwards;
        last |= clientCloses || exchange.response.closing;
        // what follows may wait in the socket; it is answered too
        if (loop.leaving && !last && input.available() == 0) {
            read();
            last = input.available() == 0;
        }
        if (state == CLOSED) return;
        enter(WRITING);
        if (!outlet.blocked) encode();
    }

    /** Puts the answer into the write buffer, when nothing is blocked. */
    private void encode() throws IOException {
        Exchange answered = exchange;
        exchange = null;
        loop.encoder.start(answered, parser.isHead(), parser.isHttp10(), !last, loop.now());
        boolean whole = outlet.add(answered);
        enter(last || !whole ? WRITING : READING);
    }

    @Override
    boolean deliver() throws IOException {
        if (state == LINGERING || state == CLOSED) return false;
        boolean sent = outlet.flush();
        if (!sent && state == READING) enter(WRITING);
        if (!sent || state == HANDLING) return false;
        boolean more = state == WRITING && (exchange != null || !last);
        if (!more && last) finish();
        return more;
    }

    /** Goes on behind what was blocked: an answer that had to wait for it, then what has been received. */
    private void follow() throws HttpError, IOException {
        if (exchange == null) enter(READING);
        else encode();
        serve();
    }

    /** Closes at once if nothing can be lost by it; else ends our side until the peer has noticed. */
    private void finish() throws IOException {
        if (endOfStream || clientCloses) {
            loop.log.closedAfterResponse(id);
            close();
            return;
        }
        loop.log.lingering(id);
        channel.shutdownOutput();
        lingering = new Lingering(loop.now());
        enter(LINGERING);
    }

    /** Answers with the refusal, unless another answer is owed; either is the last. */
    private void refuse(HttpError error, boolean owed) throws HttpError, IOException {
        loop.log.refused(id, error);
        parser.drop();
        last = true;
        if (owed) return;
        if (exchange == null) exchange = new Exchange(this);
        exchange.response = error.response();
        respond(false);
    }

    private void giveUp() throws HttpError, IOException {
        if (state == CLOSED) forget();
        else if (state == HANDLING) giveUpHandling();
        else if (state == WRITING) giveUpWriting();
        else if (state == LINGERING) linger();
        else giveUpReading();
    }

    /** What is claimed has an answer that is on its way. */
    private void giveUpHandling() throws HttpError, IOException {
        if (!exchange.claim()) return;
        refuse(new HttpError(503, "handler_timeout: no answer in time (RFC 9110 §15.6.4)"), false);
    }

    /** Tries once more first, for after a long turn the socket may be ready and the loop not know it yet. */
    private void giveUpWriting() throws IOException {
        long progress = outlet.progress;
        if (outlet.flush() || outlet.progress != progress) return;
        loop.log.timedOut(id);
        // a reset: else the kernel would go on offering megabytes to a client that does not read
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        close();
    }

    /** Reads once more first, for the same reason, or a few times, for a body may be here as a whole. */
    private void giveUpReading() throws HttpError, IOException {
        boolean silent = true;
        int count = 1;
        for (int i = 0; i < MAX_LAST_READS && count > 0 && state == READING && !last && !backlog; i++) {
            count = read();
            silent &= count <= 0;
            serve();
        }
        if (state != READING || last || backlog) return;
        boolean slow = begun && loop.now() - began >= loop.requestTimeout;
        refuseIf(slow, 408, "request_timeout: the request took too long (RFC 9110 §15.5.9)");
        if (!silent) return;
        refuseIf(begun, 408, "socket_timeout: nothing came for too long (RFC 9110 §15.5.9)");
        // a loop that leaves does not wait that long
        if (!loop.leaving) loop.log.timedOut(id);
        if (!loop.leaving || loop.now() - lastActive() >= STAY) close();
    }

    /** Frees everything, but a place that a request in the handler's hands has. */
    @Override
    void close() {
        if (state == CLOSED) return;
        boolean place = state == HANDLING && exchange.hasPlace && exchange.response == null;
        enter(CLOSED);
        parser.drop();
        outlet.drop();
        if (exchange != null) loop.log.answered(exchange);
        if (place) loop.scheduler.schedule(this, began + loop.handlerTimeout);
        else if (exchange != null) forget();
        else loop.scheduler.cancel(this);
        closeChannel();
        loop.closed();
        loop.log.closed(id);
    }
}
