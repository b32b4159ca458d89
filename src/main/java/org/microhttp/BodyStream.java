package org.microhttp;

import static org.microhttp.Event.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.*;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.Syntax;

/**
 * The body of one response, which a publisher signals while it is sent. Signals may come from any thread, one
 * at a time. Each becomes a task of the loop; of signals that break the rules, only the first few do. A later
 * task then gives the connection one turn, which sends what several signals have brought.
 * <p>
 * The stream is a list of segments that are not all sent: for each buffer the chunk-size line, the buffer,
 * and the line end after it; without chunks only the buffer. As a body it has the length of these segments.
 * For example, if the publisher signals "ab" and "c" and later its end, they are "2 CRLF ab CRLF 1 CRLF c
 * CRLF", and "0 CRLF CRLF". When all segments are sent, they are removed, more is requested, and the exchange
 * waits like one without a response. So the publisher is as slow as the client.
 * <p>
 * After a failure no buffer is taken. When the segments before it are sent, the response is cut; if nothing
 * of the response is sent by then, the response is replaced.
 */
final class BodyStream extends Outgoing implements Flow.Subscriber<ByteBuffer>, Runnable, Connection.Step {

    /** Where the publisher is. */
    private enum State {

        /** It has no subscriber yet. */
        NEW,

        /** It has this subscriber, and has given no subscription. */
        SUBSCRIBING,

        /** It signals buffers. */
        OPEN,

        /** It has ended, with nothing missing; the connection does not know yet. */
        ENDED,

        /** The connection knows that nothing follows the segments. */
        COMPLETE,

        /** No buffer is taken any more, and the publisher has not ended. */
        FAILED,

        /** No buffer is taken any more, and the publisher has ended. */
        FAILED_AND_ENDED;

        boolean allows(State next) {
            return switch (this) {
                case NEW -> next == SUBSCRIBING || next == FAILED;
                case SUBSCRIBING -> next == OPEN || next == ENDED || next == FAILED;
                case OPEN -> next == ENDED || next == FAILED;
                case ENDED -> next == COMPLETE || next == FAILED_AND_ENDED;
                case FAILED -> next == FAILED_AND_ENDED;
                case COMPLETE, FAILED_AND_ENDED -> false;
            };
        }

        boolean hasFailed() { return this == FAILED || this == FAILED_AND_ENDED; }

        boolean hasEnded() { return this == ENDED || this == COMPLETE || this == FAILED_AND_ENDED; }
    }

    /** How many buffers at most are requested and not sent. */
    private static final int WINDOW = 8;

    /** How many signals besides buffers are reported; two of them are allowed, a subscription and an end. */
    private static final int MOST_OTHERS = 5;

    private final Exchange exchange;
    private final TaskQueue tasks;
    private final Body.Streamed whole;

    /** How many buffers were requested, set by the loop's thread; how many came, set by the publisher's. */
    private volatile long requested, received;

    /** How many signals but buffers have come, and how many of all became tasks; set by the publisher. */
    private volatile int others;
    private volatile long added;

    // only the loop's thread uses the rest
    private State state = State.NEW;

    /** Its subscription, in OPEN; else null. */
    private Flow.Subscription subscription;

    /** Whether a task for the next turn of the connection is added. */
    private boolean due;

    /** How many of the publisher's tasks have run. */
    private long run;

    /** When the publisher last signalled, or was last asked for buffers. */
    private long lastSignal;

    /** The segments, not all of which are sent; the read-only ones are the publisher's. */
    private final List<Buffer> segments = new ArrayList<>();

    /** How many buffers were taken, how many bytes they have, and how many of these were sent and removed. */
    private long taken, content, sent;

    /** Whether the head is to be sent without segments; whether the head was sent, with or without them. */
    private boolean headDue, begun;

    /**
     * Returns what is sent for a response that a handler gives: itself, or if a publisher signals its body, a
     * response with a stream.
     */
    static Response of(Response given, Exchange exchange, TaskQueue tasks) {
        if (!(given.body instanceof Body.Streamed body)) return given;
        if (given.isUpgrade()) checkUpgrade(given.header("Upgrade"), exchange);
        if (exchange.toHead || !given.hasBody()) return given;
        var stream = new BodyStream(exchange, tasks, body);
        String lines = Syntax.text(given.head);
        if (stream.isChunked()) lines += "Transfer-Encoding: chunked\r\n";
        return given.streaming(Syntax.bytes(lines), stream);
    }

    private static void checkUpgrade(String protocol, Exchange exchange) {
        if (protocol == null) throw new IllegalStateException("the response has no field Upgrade");
        Refusal.BAD_UPGRADE.refuseUnless(UpgradeReceiver.isAllowed(exchange.asFarAsKnown(), protocol));
    }

    private BodyStream(Exchange exchange, TaskQueue tasks, Body.Streamed whole) {
        super(whole.releases);
        this.exchange = exchange;
        this.tasks = tasks;
        this.whole = whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) { signal(given, () -> begin(given)); }

    @Override
    public void onNext(ByteBuffer buffer) {
        received++;
        // of the buffers that were not requested, one is reported
        if (received > requested + 1) return;
        // the program may use the buffer elsewhere, so its own position and limit stay
        Buffer view = buffer == null ? null : new Buffer(buffer.slice().asReadOnlyBuffer());
        // a buffer that was not requested is not kept, for it may be the first of many
        signal(buffer, received > requested ? () -> refuse("more than was requested") : () -> take(view));
    }

    @Override
    public void onError(Throwable cause) { signal(cause, () -> end(cause)); }

    @Override
    public void onComplete() { signal(this, () -> end(null)); }

    private void signal(Object given, Runnable signal) {
        Runnable task = () -> {
            run++;
            try {
                if (given == null) {
                    refuse("null");
                } else {
                    signal.run();
                }
            } catch (Throwable t) {
                // a part may be missing, so the body must not end as if it were whole
                fail(BODY_ERROR, t);
            }
        };
        // if a publisher goes on with forbidden signals, only a few are reported
        boolean reported = given instanceof ByteBuffer || others++ < MOST_OTHERS;
        // the loop has ended: the state is not this thread's, but a subscription must not stay open
        if (reported && !tasks.add(task) && given instanceof Flow.Subscription late) cancel(late);
        if (reported) added++;
        Objects.requireNonNull(given);
    }

    private void begin(Flow.Subscription given) {
        if (state == State.SUBSCRIBING) {
            enter(State.OPEN);
            subscription = given;
            headDue = whole.headAtOnce;
            goOn();
        } else {
            cancel(given);
            refuse("a second subscription");
        }
    }

    private void take(Buffer buffer) {
        if (state.hasEnded()) {
            refuse("more after its end");
        } else if (!state.hasFailed()) {
            taken++;
            content += buffer.length;
            if (hasLength() && content > whole.length) {
                fail(BODY_ERROR, wrongLength());
            } else if (buffer.length > 0) {
                // an empty chunk would be the last
                append(Long.toHexString(buffer.length) + "\r\n");
                append(buffer);
                append("\r\n");
            }
            goOn();
        }
    }

    /** Ends the body as its publisher says: complete if the cause is null, and nothing has failed. */
    private void end(Throwable cause) {
        if (state.hasEnded()) {
            refuse("a second end");
            return;
        }
        subscription = null;
        if (cause instanceof CancellationException) {
            // the publisher gives its client up, which is no failure
            end();
        } else if (cause != null) {
            fail(BODY_ERROR, cause);
        } else if (content < whole.length) {
            fail(BODY_ERROR, wrongLength());
        } else if (!state.hasFailed()) {
            append("0\r\n\r\n");
        }
        enter(state.hasFailed() ? State.FAILED_AND_ENDED : State.ENDED);
        goOn();
    }

    private Throwable wrongLength() {
        return new IOException("its publisher has signalled " + content + " of " + whole.length + " bytes");
    }

    @Override
    boolean hasLength() { return whole.length >= 0; }

    @Override
    boolean hasBegun() { return begun; }

    @Override
    Flow.Subscriber<? super List<ByteBuffer>> incoming() { return whole.incoming; }

    /** Says whether the body has chunks, which HTTP/1.0 and other protocols do not have. */
    private boolean isChunked() { return !hasLength() && !exchange.http10 && whole.incoming == null; }

    @Override
    Body with(List<Release> others) { throw new UnsupportedOperationException("it is sent already"); }

    private void append(String line) {
        if (isChunked()) append(new Buffer(ByteBuffer.wrap(Syntax.bytes(line))));
    }

    private void append(Buffer segment) {
        assert !state.hasFailed() && !state.hasEnded() : state;
        segments.add(segment);
        length += segment.length;
    }

    /** Fails, because the publisher breaks a rule. */
    private void refuse(String what) {
        fail(PUBLISHER_ERROR, new IllegalStateException("the publisher signals " + what));
    }

    /** After a failure nothing is reported until the publisher has ended: signals may be on their way. */
    private void fail(Event event, Throwable cause) {
        if (state.hasEnded() || !state.hasFailed()) exchange.report(event, cause);
        fail();
    }

    @Override
    void fail() {
        if (!state.hasEnded()) end();
        goOn();
    }

    /** Takes nothing more; cancels the subscription, unless the publisher has ended. */
    private void end() {
        if (state == State.ENDED) {
            enter(State.FAILED_AND_ENDED);
        } else if (!state.hasEnded() && !state.hasFailed()) {
            enter(State.FAILED);
        }
        if (subscription != null) cancel(subscription);
        subscription = null;
    }

    @Override
    void failUnsent(Throwable cause) {
        exchange.report(BODY_ERROR, cause);
        drop();
        length = 0;
        goOn();
    }

    /** Releases the segments, too: a publisher may keep this subscriber. */
    @Override
    void drop() {
        end();
        segments.clear();
    }

    private void cancel(Flow.Subscription given) {
        try {
            given.cancel();
        } catch (Throwable cause) {
            exchange.report(PUBLISHER_ERROR, cause);
        }
        exchange.clearInterrupt();
    }

    /** Adds a task, after those of the signals that have come, that gives the connection a turn. */
    private void goOn() {
        if (!due) tasks.add(this);
        due = true;
    }

    @Override
    public void run() {
        due = false;
        if (exchange.stream() == this) exchange.turn(this);
    }

    @Override
    public void run(Connection connection) throws IOException {
        if (isComplete()) return;
        lastSignal = connection.context.clock.now();
        boolean over = state.hasFailed() && !isReady();
        if (state == State.ENDED) enter(State.COMPLETE);
        if (over && begun) throw new ResponseQueue.BodyFailure(null);
        if (over) exchange.replace(Response.FAILED);
        if (over || isComplete()) connection.respondLate(exchange);
    }

    private void enter(State next) {
        assert state.allows(next) : state + " to " + next;
        state = next;
    }

    @Override
    boolean isComplete() { return state == State.COMPLETE; }

    @Override
    boolean isReady() {
        return !segments.isEmpty() || isComplete() || headDue && !begun;
    }

    /** Once the client has ended its side, {@code socketTimeout} ends a silence, too. */
    @Override
    long deadline(ClientSocket client) {
        LoopContext context = client.context;
        long active = lastSignal + Math.max(0, client.lastActive - lastSignal);
        // what a client sends in another protocol is a sign of life, too
        long end = (whole.incoming == null ? lastSignal : active) + context.limits.streamTimeout;
        if (!client.endOfStream) return end;
        return Scheduler.earlier(end, active + context.limits.socketTimeout);
    }

    /**
     * Ends the stream after its deadline, unless the connection has not yet seen all signals. This is the
     * publisher's failure only if it was silent for all of {@code streamTimeout}, and not in another
     * protocol, where the client could have sent something instead.
     */
    @Override
    void giveUp(ClientSocket client) {
        LoopContext context = client.context;
        boolean signals = due || added > run;
        if (signals || context.clock.now() - deadline(client) < 0) return;
        if (whole.incoming == null && context.clock.now() - lastSignal >= context.limits.streamTimeout) {
            fail(BODY_ERROR, new IOException("its publisher is silent"));
        } else if (!state.hasFailed()) {
            client.reportTimeout();
            end();
        }
    }

    /** Subscribes, or requests more. */
    @Override
    void ask(LoopContext context) {
        if (context.end.stopped) return;
        long more = taken + WINDOW - requested;
        if (state.hasFailed()) goOn();
        // a buffer that has come and is not taken yet is not sent either
        boolean waits = more == 0 || received > taken;
        if (state != State.NEW && (state != State.OPEN || waits)) return;
        lastSignal = context.clock.now();
        try {
            if (state == State.OPEN) {
                requested += more;
                subscription.request(more);
            } else {
                enter(State.SUBSCRIBING);
                whole.publisher.subscribe(this);
            }
        } catch (Throwable t) {
            fail(PUBLISHER_ERROR, t);
        }
        exchange.clearInterrupt();
        context.clock.forget();
    }

    /** Returns what is left of the segment at an offset; null at the end of the last. */
    private Buffer rest(long from) {
        long at = from;
        for (Buffer segment : segments) {
            int left = (int) (segment.length - at);
            if (left > 0) return new Buffer(segment.bytes.slice((int) at, left));
            at -= segment.length;
        }
        return null;
    }

    @Override
    long writable(long from) {
        Buffer rest = rest(from);
        return rest == null ? 0 : rest.writable(0);
    }

    @Override
    int write(ByteBuffer before, long from, int most, GatheringByteChannel target) throws IOException {
        return rest(from).write(before, 0, most, target);
    }

    @Override
    boolean isReadable(long at) { return rest(at).isReadable(0); }

    /** Puts segments, up to the first that is {@link #writable}. */
    @Override
    int put(long from, int most, ByteBuffer target) throws IOException {
        int room = target.remaining();
        long skipped = from;
        for (Buffer segment : segments) {
            long at = Math.min(skipped, segment.length);
            if (at < segment.length && segment.writable(at) > 0) break;
            segment.put(at, (int) Math.min(segment.length - at, target.remaining()), target);
            skipped -= at;
        }
        return room - target.remaining();
    }

    @Override
    void removeSent() {
        assert isReady();
        sent = sent(length);
        segments.clear();
        length = 0;
        begun = true;
    }

    @Override
    long sent(long ofSegments) {
        if (!begun && ofSegments < 0) return -1;
        long count = sent;
        long left = Math.max(0, ofSegments);
        for (Buffer segment : segments) {
            long part = Math.min(left, segment.length);
            if (segment.bytes.isReadOnly()) count += part;
            left -= part;
        }
        return count;
    }
}
