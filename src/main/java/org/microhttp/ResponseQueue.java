package org.microhttp;

import static org.microhttp.LoopClock.NONE;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.microhttp.protocol.ByteQueue;

/**
 * The sending side of a connection: its exchanges in the order of their requests, each until its response is
 * sent or dropped. Only the last exchange may lack a response.
 * <p>
 * {@link #flush} fills the loop's write buffer of 256 KiB, beginning with the first response, writes it, and
 * removes what the socket took. The rest stays in the queue, and the next flush fills the buffer with it
 * again, at first only 64 KiB. So a pipelined batch is sent in one write, and a response larger than the
 * buffer in pieces, as many as the {@link WriteShare} of the loop's turn allows; then the queue waits in line
 * until that share lets it write again. A body that need not be copied, of a file or a direct buffer, is
 * written directly after the buffer, at most 256 KiB with it. Of a file, the beginning is copied, or all of
 * it if it is small.
 * <p>
 * A position counts the bytes of one response from its first: head, tail, body. For example, of a response
 * with a head of 100 bytes, a tail of 50 and a body of 300,000, {@code fill} puts 262,144 bytes and returns
 * that position. If the socket takes 1,000, {@code remove} leaves {@code sent} at 1,000, and the next flush
 * fills from there: no head, no tail, and the body from its byte 850. A streamed body has only the bytes that
 * have come, see {@link Outgoing}: when they are sent, the cursor is 0 again, at the bytes that follow.
 */
final class ResponseQueue {

    /** The failure of a body that cannot be read, because its file was cut or closed for example. */
    static final class BodyFailure extends IOException {

        private static final long serialVersionUID = 1;

        BodyFailure(Throwable cause) { super(cause); }
    }

    /** The largest file that is copied: one write is cheaper than two until then. */
    private static final int SMALL_FILE = 16 * 1024;

    /** How much of a larger file is copied, so that the head is not sent as a packet of its own. */
    private static final int FILE_BEGINNING = 4 * 1024;

    private final ClientSocket socket;
    Exchange first;
    private Exchange newest;

    /** The cursor: how many bytes of the first response the socket has taken. */
    private long sent;

    /** The tail of the first response, once some of that response is sent. */
    private byte[] firstTail;

    /** How many bytes are charged for what the queue keeps. */
    private long charged;

    /** How many bytes of bodies the queue keeps in the heap while it waits in line. */
    private long inLine;

    /** Whether something is left to send: the socket did not take everything, or the queue waits in line. */
    boolean blocked;

    /** Whether the socket did not take all of the last write. */
    private boolean full;

    /** Since when the queue waits in line, because the turn of the loop allows no write; else NONE. */
    private long waitsSince = NONE;

    /** Whether the queue has just left the line: its next write comes before the writes of others in line. */
    private boolean firstInLine;

    /** Whether the queued or last responses waited in line or took several writes: the client could send. */
    boolean waited;

    ResponseQueue(ClientSocket socket) { this.socket = socket; }

    /** Adds an exchange, whose response may come later. */
    void add(Exchange exchange) {
        assert pending() == null;
        if (first == null) {
            first = exchange;
            waited = false;
        } else {
            newest.next = exchange;
        }
        newest = exchange;
    }

    /** Returns the exchange whose response is missing or incomplete; null if there is none. */
    Exchange pending() { return newest == null || !newest.isPending() ? null : newest; }

    /** Sends what the socket takes and the turn allows; returns true if every response so far is sent. */
    boolean flush() throws IOException {
        LoopContext context = socket.context;
        // nothing was queued, so the client's time to take it begins now
        if (!blocked && isReady(first)) socket.beginTaking();
        boolean more = !waits();
        for (int writes = 0; more && isReady(first); writes++) {
            WriteShare share = isSmall() ? context.shares.small : context.shares.large;
            more = mayWrite(share, writes);
            if (more) {
                full = !writeBatch(share);
                more = !full;
            } else {
                waitInLine(share);
            }
            firstInLine = false;
        }
        blocked = isReady(first);
        if (waited || context.connectionTurn.slow) context.clock.forget();
        context.connectionTurn.slow = false;
        if (waits() || inLine > 0) countInLine();
        if (first != null || charged > 0) charge();
        return !blocked;
    }

    private boolean mayWrite(WriteShare share, int writesBefore) {
        // while the loop is full it reads no requests, but late answers come: each may write a share
        return share.allows(firstInLine)
                || socket.context.isFull() && writesBefore < share.perTurn / share.most;
    }

    private void countInLine() {
        long kept = 0;
        for (Exchange exchange = waits() ? first : null; exchange != null; exchange = exchange.next) {
            kept += exchange.heapKept();
        }
        socket.context.shares.inLine += kept - inLine;
        inLine = kept;
    }

    /** Says whether all that is ready is small enough to be sent before large responses. */
    private boolean isSmall() {
        long left = socket.context.shares.small.most + sent;
        for (Exchange some = first; left >= 0 && isReady(some); some = some.next) {
            left -= headLength(some) + some.bodyLength();
        }
        return left >= 0;
    }

    /** Says whether the queue waits in line, for the loop, not for its socket. */
    boolean waits() { return waitsSince != NONE; }

    private void waitInLine(WriteShare share) {
        share.add(first);
        waitsSince = socket.context.clock.now();
        waited = true;
    }

    /** Has the next flush write, because it is this connection's turn. */
    void leaveLine() {
        assert waits();
        socket.takingSince += timeInLine();
        waitsSince = NONE;
        firstInLine = true;
    }

    /** Returns how long it has waited in line. Meanwhile the client's time to take something stands still. */
    private long timeInLine() { return waits() ? socket.context.clock.now() - waitsSince : 0; }

    /** Returns until when the client has to take something. */
    long deadline() { return socket.takingSince + timeInLine() + socket.context.limits.socketTimeout; }

    private static boolean isReady(Exchange some) { return some != null && some.isReady(); }

    /**
     * Fills the buffer and writes it once, with a piece of a body after it. Returns false if the socket
     * is full, as {@link #writeLast} says.
     */
    private boolean writeBatch(WriteShare share) throws IOException {
        // a full socket may take little, and the rest would be copied again
        int most = full ? Math.min(share.most, ConnectionTurn.BATCH) : share.most;
        ByteBuffer out = socket.context.buffers.out.clear().limit(most);
        Exchange exchange = first;
        long at = sent;
        try {
            while (isReady(exchange)) {
                at = fill(out, exchange, at);
                if (at >= 0) return writeLast(share, out.flip(), exchange, at - headLength(exchange));
                exchange = exchange.next;
                at = 0;
            }
        } catch (BodyFailure e) {
            failBody(exchange, e);
            return true;
        }
        int length = out.flip().remaining();
        return remove(share, socket.write(out)) == length;
    }

    /** Replaces a response whose body cannot be read, unless a part of it is sent. */
    private void failBody(Exchange exchange, BodyFailure failure) throws BodyFailure {
        boolean begun = exchange.hasBegun() || exchange == first && sent > 0;
        if (!begun && exchange.isPending()) {
            exchange.stream().failUnsent(failure.getCause());
            return;
        }
        exchange.report(Event.BODY_ERROR, failure.getCause());
        if (begun) throw failure;
        exchange.replace(Response.FAILED);
        exchange.askErrorHandler();
    }

    /**
     * Writes the buffer, and after it a piece of the body of the exchange that did not fit, from an offset
     * on, if that need not be copied. Returns false if the socket took less than the buffer, or, without a
     * buffer, less than the piece.
     */
    private boolean writeLast(WriteShare share, ByteBuffer out, Exchange exchange, long from)
            throws IOException {
        Body body = exchange.response.body;
        int length = out.remaining();
        long writable = from < 0 ? 0 : body.writable(from);
        int piece = (int) Math.min(writable, share.most - length);
        if (piece == 0) return remove(share, socket.write(out)) == length;
        socket.context.connectionTurn.slow = true;
        int count;
        try {
            count = socket.write(out, body, from, piece);
        } catch (Throwable t) {
            // if a file was cut, the last byte of the piece is missing; if it is there, the socket has failed
            if (body.isReadable(from + piece - 1)) throw t;
            throw new BodyFailure(t);
        }
        remove(share, count);
        return length > 0 ? count >= length : count == piece;
    }

    /** Fills the buffer with a response from a position on; returns the next position, or -1 at its end. */
    private long fill(ByteBuffer out, Exchange exchange, long from) throws IOException {
        byte[] head = exchange.responseHead();
        byte[] tail = tail(exchange);
        long at = put(head, 0, from, out);
        at = put(tail, head.length, at, out);
        long inBody = at - head.length - tail.length;
        if (inBody < 0) return at;
        long left = exchange.bodyLength() - inBody;
        Body body = exchange.response.body;
        if (left > 0 && body.writable(inBody) == 0 && out.hasRemaining()) {
            socket.context.connectionTurn.slow |= body.isFile();
            try {
                long most = body.isFile() && left > SMALL_FILE ? FILE_BEGINNING : left;
                int count = body.put(inBody, (int) Math.min(most, out.remaining()), out);
                at += count;
                left -= count;
            } catch (Throwable t) {
                throw new BodyFailure(t);
            }
        }
        return left == 0 ? -1 : at;
    }

    /** Puts what fits of the head or the tail, which begins at position {@code begin} of the response. */
    private static long put(byte[] piece, int begin, long at, ByteBuffer out) {
        int from = (int) Math.max(0, Math.min(at - begin, piece.length));
        int count = Math.min(piece.length - from, out.remaining());
        out.put(piece, from, count);
        return at + count;
    }

    /** Returns how many bytes of the response come before its body. */
    private int headLength(Exchange some) { return some.responseHead().length + tail(some).length; }

    /** Returns the tail, which is the same throughout a flush, because the time does not change in it. */
    private byte[] tail(Exchange exchange) {
        if (exchange.hasBegun()) return ByteQueue.NONE;
        if (exchange == first && sent > 0) return firstTail;
        LoopContext context = socket.context;
        return context.tail.of(exchange.response, exchange.last, exchange.http10, context.clock.now());
    }

    /** Removes bytes that were sent: whole responses, and a part of the next. Returns their number. */
    private int remove(WriteShare share, int count) {
        share.take(count);
        long left = sent + count;
        while (isReady(first)) {
            firstTail = tail(first);
            long length = first.responseHead().length + firstTail.length + first.bodyLength();
            if (left < length) break;
            left -= length;
            sent = 0;
            if (first.isPending()) {
                first.stream().removeSent();
                break;
            }
            Exchange done = first;
            first = done.next;
            if (first == null) newest = null;
            done.end(done.bodyLength());
        }
        sent = left;
        assert sent == 0 || isReady(first);
        waited |= isReady(first);
        return count;
    }

    /**
     * Charges what the queue keeps, but not its largest body, which may be above the budget. If the budget is
     * used up, the fields of the first request are released; if that does not suffice and the socket is full,
     * the connection ends.
     */
    private void charge() throws IOException {
        if (tryCharge()) return;
        first.releaseRequest();
        if (tryCharge() || !blocked || waits()) return;
        throw socket.failure(Event.OUT_OF_BUFFERS, "no buffer left for unread responses");
    }

    private boolean tryCharge() {
        long kept = 0, largest = 0;
        for (Exchange exchange = first; exchange != null; exchange = exchange.next) {
            // only an error handler would need the fields, if the body fails
            if (!exchange.reported) exchange.releaseRequest();
            kept += exchange.headKept(exchange == first) + exchange.bodyKept();
            largest = Math.max(largest, exchange.bodyKept());
        }
        kept -= largest;
        boolean taken = socket.context.group.bytes.tryTake(kept - charged);
        if (taken) charged = kept;
        return taken;
    }

    /**
     * Says whether a part of a body is sent, and only a reset shows that the rest is missing. A reset may
     * cost earlier responses that the client has not read.
     */
    boolean needsReset() { return first != null && first.isUnframed() && (sent > 0 || first.hasBegun()); }

    /** Logs the end of every exchange before {@link #drop}, and before the client sees the end. */
    void logEnds() {
        long bodySent = sent > 0 ? sent - headLength(first) : -1;
        for (Exchange exchange = first; exchange != null; exchange = exchange.next) {
            exchange.logEnd(bodySent);
            bodySent = -1;
        }
    }

    /** Ends every exchange; nothing more is sent. */
    void drop() {
        socket.context.group.bytes.release(charged);
        charged = 0;
        waitsSince = NONE;
        countInLine();
        while (first != null) {
            Exchange dropped = first;
            first = dropped.next;
            dropped.drop();
        }
        newest = null;
        sent = 0;
        blocked = false;
        full = false;
        assert inLine == 0;
    }
}
