package org.microhttp.protocol;

import static org.microhttp.protocol.Refusal.*;
import static org.microhttp.protocol.RequestParser.State.*;
import static org.microhttp.protocol.Syntax.*;

import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Turns bytes into requests, incrementally. It knows no socket, thread or clock: {@link #receive} takes
 * bytes, then {@link #next} is called until it returns null. A body comes whole, by {@link #takeBody}, or in
 * parts, as {@link #keepBody} or {@link #streamBody} have said when its head had come.
 * <pre>
 *   PROXY -> START (if a proxy's header is required before the first request)
 *
 *   START ------+-> FIELD -+-> DONE (without a body)
 *     |         ^    | ^   |
 *     v         |    +-+   +-> HEAD -+-> BODY ---------------------> DONE
 *   REQUEST_LINE        (beginBody)  |
 *   (after an empty line)            +-> CHUNK_SIZE -> CHUNK_DATA -> CHUNK_END
 *                                         | ^                          |
 *                                         | +--------------------------+
 *                                         +-> TRAILER (until its empty line) -> DONE
 *   DONE -> START, with the next request
 * </pre>
 * For example, the chunked body "3 CRLF abc CRLF 0 CRLF A: b CRLF CRLF": CHUNK_SIZE reads the line "3";
 * CHUNK_DATA moves "abc" to the end of the body, in {@link #readBlock}; CHUNK_END is the CRLF after it;
 * CHUNK_SIZE reads "0", after which trailers come; TRAILER reads "A: b", which {@link #parseField} checks as
 * it checks any field, and drops; the empty line is the end, in {@link #completeSection}.
 * <p>
 * How long a line may be, and from where it is measured: in CHUNK_SIZE 1 KiB, from the beginning of the line;
 * in FIELD {@code maxHeaderSize} less the request line, from that line's end; in TRAILER
 * {@code maxHeaderSize}, from the end of the last chunk-size line; a request line {@code maxHeaderSize}. All
 * bytes of the request count for {@code maxRequestSize}. See {@link #readLine} and {@link #refuseLine}.
 * <p>
 * A state consumes one element, a line or a block. After a {@link RefusalException} the parser is of no use.
 */
public final class RequestParser {

    /**
     * The limits in bytes of a request, and of its head or its trailer section; the limit of fields in a
     * section; whether a proxy's header is required; and the budget that is charged for bytes kept.
     */
    public record Limits(int requestSize, int headerSize, int fields, boolean proxied, Budget bytes) { }

    enum State {
        PROXY, START, REQUEST_LINE, FIELD, HEAD, BODY, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER, DONE
    }

    /** How the user of a parser wants a body. */
    private enum Delivery {

        /** It is kept until it is whole. */
        WHOLE,

        /** Parts are taken as they come. */
        IN_PARTS,

        /** It is kept until it is whole, and then its user decides. */
        UNDECIDED
    }

    /** The limit of a chunk-size line. Extensions have some 20 bytes, or 100 with a signature. */
    private static final int MAX_CHUNK_LINE = 1024;

    /** Stands for no body; nothing is added to it. */
    private static final ByteQueue NO_BODY = new ByteQueue();

    private final ByteQueue input = new ByteQueue();
    private final Limits limits;
    private State state;

    /** The peer, or the client that a proxy's header names. */
    private SocketAddress client;

    /** The request line and the field lines, as far as they are parsed, and what the fields say. */
    private RequestHead head = RequestHead.NONE;
    private RequestFraming framing;
    private int fieldCount;

    /** The bytes of the body that have come and are not taken. */
    private ByteQueue body = NO_BODY;

    /** The body of the request that was returned last, until it is taken. */
    private byte[] whole = ByteQueue.NONE;

    /** How the body is wanted; the limit if it is taken in parts; if undecided, how many requests pend. */
    private Delivery delivery = Delivery.WHOLE;
    private long deliveryLimit;

    /** How many more bytes the request may have, including those here that are not discarded. */
    private long left;

    /** How many bytes of the body or the chunk are missing. */
    private long blockLeft;

    /** Whether the client may be waiting for a 100. */
    private boolean continueExpected;

    /** Whether the last request, refused or not, has the method HEAD; whether it has the version HTTP/1.0. */
    private boolean toHead, http10;

    /** Whether the connection may persist after the last complete head. */
    private boolean persistent;

    /** Whether bytes have come since the last request. */
    private boolean fresh;

    /** Whether the last request came together with the one before it. */
    private boolean pipelined;

    /** How many bytes are charged to the budget. */
    private int charged;

    /** How many requests were returned. */
    private long requests;

    public RequestParser(Limits limits, SocketAddress client) {
        this.limits = limits;
        this.client = client;
        state = limits.proxied ? PROXY : START;
        left = limits.requestSize;
    }

    /** Returns the peer, or the client that a proxy's header names. */
    public SocketAddress client() { return client; }

    /** Returns the head of the incomplete request, as far as it is parsed. */
    public RequestHead head() { return head; }

    /** Returns how many more bytes the request may have, including those here that are not discarded. */
    public long left() { return left; }

    /** Says whether the last request, refused or not, has the method HEAD. */
    public boolean isHead() { return toHead; }

    /** Says whether the last request, refused or not, has the version HTTP/1.0. */
    public boolean isHttp10() { return http10; }

    /** Says whether the connection may persist after the last complete head. */
    public boolean isPersistent() { return persistent; }

    /** Says whether the last request came together with the one before it. */
    public boolean isPipelined() { return pipelined; }

    /** Returns how many requests were returned. */
    public long requests() { return requests; }

    /** Takes received bytes. They are parsed in the scratch array if no earlier bytes are kept. */
    public void receive(ByteBuffer received, byte[] scratch) {
        fresh = true;
        input.add(received, scratch, sizeLeft());
    }

    /** Returns how many bytes are not yet parsed. */
    public int available() { return input.available(); }

    /** Returns how many bytes may be received so that at most {@code most}, and one request, are unparsed. */
    public int room(int most) { return Math.max(0, Math.min(most, limits.requestSize) - available()); }

    /**
     * Returns the head of the next request, whose body {@link #takeBody} returns; null if more bytes are
     * needed, or the body must be begun or its parts taken first.
     */
    public RequestHead next() {
        begin();
        while (state != DONE) {
            if (!advance()) return null;
        }
        if (delivery == Delivery.UNDECIDED || delivery == Delivery.IN_PARTS && hasBody()) return null;
        RequestHead complete = head;
        whole = body.toArray();
        releaseRequest();
        pipelined = !fresh;
        fresh = false;
        requests++;
        return complete;
    }

    /** Says whether the user has to say how the body is wanted: its head, or all of it, has come. */
    public boolean isHeld() {
        return state == HEAD || state == DONE && delivery == Delivery.UNDECIDED;
    }

    /**
     * Refuses a request that is known to be above the limit of streamed bodies before its body begins. While
     * it is open whether this one is streamed, it is refused only if it cannot be kept in memory either.
     */
    public void checkSize(long size, boolean streamed) {
        long known = limits.requestSize - left + (state == HEAD ? framing.bodyLength : 0);
        STREAM_TOO_LARGE.refuseIf(known > size && (streamed || known > limits.requestSize), size);
    }

    /** Keeps the body until it is whole. */
    public void keepBody() { beginBody(Delivery.WHOLE, 0); }

    /** Has the body be taken in parts; the request may have so many bytes. */
    public void streamBody(long size) { beginBody(Delivery.IN_PARTS, size); }

    /**
     * Keeps the body until it is whole, and then asks again, once. If it is too large to be kept, the request
     * is refused because so many others are pending.
     */
    public void postponeBody(long pending) { beginBody(Delivery.UNDECIDED, pending); }

    private void beginBody(Delivery wanted, long limit) {
        assert isHeld();
        delivery = state == DONE && wanted == Delivery.UNDECIDED ? Delivery.WHOLE : wanted;
        deliveryLimit = limit;
        if (state == DONE) return;
        if (wanted == Delivery.IN_PARTS) left += limit - limits.requestSize;
        beginBlock(framing.bodyLength);
        body = new ByteQueue();
        state = framing.chunked ? CHUNK_SIZE : BODY;
    }

    /** Treats what follows as a body without an end; its length is so large that sums are still exact. */
    public void upgrade() {
        framing = new RequestFraming();
        framing.bodyLength = Budget.NO_LIMIT / 2;
        state = HEAD;
        streamBody(Budget.NO_LIMIT);
    }

    /** Takes the body of the request that {@link #next} returned last; empty if there is none. */
    public byte[] takeBody() {
        byte[] taken = whole;
        whole = ByteQueue.NONE;
        return taken;
    }

    /** Takes the bytes that have come of the body of an incomplete request. */
    public ByteBuffer takePart() { return body.take(); }

    /** Says whether bytes of the body can be taken. */
    public boolean hasBody() { return body.available() > 0; }

    /** Ends a step: charges the bytes that are kept, and refuses if they are too many. */
    public void keep(byte[] scratch) {
        input.keep(scratch);
        // the bytes of an incomplete request, and those after it
        long held = (long) input.bytes.length + head.size() + body.bytes.length;
        // arrays may be larger than their content, and one request alone must never exceed the budget
        int needed = (int) Math.min(held, limits.requestSize);
        boolean refused = !limits.bytes.tryTake(needed - charged);
        // the refusal answers the next request; the last one has its own response
        if (refused) begin();
        OUT_OF_BUFFERS.refuseIf(refused, limits.bytes.limit);
        charged = needed;
        assert charged >= 0 && charged <= limits.requestSize;
    }

    /** Releases the request, except for the facts that its response depends on. */
    private void releaseRequest() {
        head = RequestHead.NONE;
        framing = null;
        body = NO_BODY;
        delivery = Delivery.WHOLE;
        left = limits.requestSize;
    }

    /** Begins the next request, if the last one is returned. */
    private void begin() {
        if (state != DONE || head != RequestHead.NONE) return;
        state = START;
        toHead = false;
        http10 = false;
    }

    /** Returns true from a request's first byte until the request is returned. */
    public boolean isInsideRequest() { return available() > 0 || head != RequestHead.NONE; }

    /** Says whether the client's last request asked for the close, and nothing came after it. */
    public boolean clientIsDone() { return state == DONE && !persistent; }

    /** Returns true once for a request whose client waits for a 100 before it sends the body. */
    public boolean takeContinue() {
        boolean due = continueExpected && body != NO_BODY && body.available() + available() == 0;
        continueExpected = false;
        return due;
    }

    /** Drops received bytes. If there are any, they count as the beginning of another request. */
    public void drop() {
        releaseRequest();
        if (available() > 0) begin();
        input.release();
        keep(ByteQueue.NONE);
    }

    /** Consumes one element; returns false if it has not fully arrived. */
    private boolean advance() {
        return switch (state) {
            case HEAD -> false;
            case BODY -> readBlock(DONE);
            case CHUNK_DATA -> readBlock(CHUNK_END);
            case CHUNK_END -> readChunkEnd();
            case PROXY -> readProxyHeader();
            default -> readLine();
        };
    }

    /** Says whether a proxy's header is still missing. A peer that sends none gets no response. */
    public boolean awaitsProxyHeader() { return state == PROXY; }

    /** Reads a header of version 2, which begins with CR, or of version 1, which is a line. */
    private boolean readProxyHeader() {
        if (available() == 0 || input.bytes[input.position] != '\r') return readLine();
        ByteBuffer header = ByteBuffer.wrap(input.bytes, input.position, available()).slice();
        int length = ProxyHeader.length(header);
        BAD_PROXY_HEADER.refuseIf(length > limits.requestSize);
        if (length > available()) return false;
        input.position += length;
        setClient(ProxyHeader.client(header.limit(length)));
        return true;
    }

    private void setClient(SocketAddress named) {
        if (named != null) client = named;
        input.discard();
        state = START;
    }

    /** Consumes a line if it has arrived. A line that is too long is refused before its end is here. */
    private boolean readLine() {
        // the earlier lines of a section are kept, so they are measured with this one
        int limit = switch (state) {
            case PROXY -> ProxyHeader.LONGEST_LINE;
            case CHUNK_SIZE -> MAX_CHUNK_LINE;
            // the request line counts, too, and was released
            case FIELD -> limits.headerSize - limits.requestSize + (int) left;
            default -> limits.headerSize;
        };
        int most = Math.min(limit, sizeLeft());
        int end = input.findLineEnd(most);
        if (end < 0) {
            if (input.consumed() + available() >= most) refuseLine(most < limit);
            return false;
        }
        int from = input.position;
        input.position = end + 2;
        switch (state) {
            case PROXY -> setClient(ProxyHeader.client(text(input.bytes, from, end)));
            case CHUNK_SIZE -> beginChunk(RequestFraming.chunkSize(input.bytes, from, end));
            case FIELD, TRAILER -> parseField(input.bytes, from, end);
            default -> parseRequestLine(input.bytes, from, end);
        }
        return true;
    }

    /** Refuses a line above a limit, of the request (413), a section (431) or a line (414, 400). */
    private void refuseLine(boolean requestTooLarge) {
        BAD_PROXY_HEADER.refuseIf(state == PROXY);
        refuseSize(requestTooLarge);
        CHUNK_LINE_TOO_LONG.refuseIf(state == CHUNK_SIZE, MAX_CHUNK_LINE);
        HEADER_TOO_LARGE.refuseIf(state == FIELD || state == TRAILER, limits.headerSize);
        REQUEST_LINE_TOO_LONG.refuseIf(true, limits.headerSize);
    }

    private void refuseSize(boolean tooLarge) {
        STREAM_TOO_LARGE.refuseIf(tooLarge && delivery == Delivery.IN_PARTS, deliveryLimit);
        OVERLOAD.refuseIf(tooLarge && delivery == Delivery.UNDECIDED, deliveryLimit);
        REQUEST_TOO_LARGE.refuseIf(tooLarge, limits.requestSize);
    }

    /** Returns how many more bytes of the request may be kept. */
    private int sizeLeft() { return (int) Math.max(0, Math.min(left, limits.requestSize)); }

    /** request-line = method SP request-target SP HTTP-version (RFC 9112 §3) */
    private void parseRequestLine(byte[] bytes, int from, int end) {
        if (from == end) {
            // "SHOULD ignore at least one empty line" (RFC 9112 §2.2): exactly one is ignored
            EMPTY_LINES.refuseIf(state == REQUEST_LINE);
            state = REQUEST_LINE;
            input.discard();
            return;
        }
        int space = endOf(TOKEN, bytes, from, end);
        BAD_METHOD.refuseUnless(space > from && (space == end || bytes[space] == ' '));
        String method = word(bytes, from, space);
        toHead = method.equals("HEAD");
        // if the method ends the line, this search begins beyond the end and finds nothing
        int second = endOf(VISIBLE, bytes, space + 1, end);
        BAD_REQUEST_LINE.refuseUnless(second < end && (second > space + 1 || bytes[second] != ' '));
        BAD_TARGET.refuseIf(bytes[second] != ' ');
        String version = word(bytes, second + 1, end);
        http10 = version.equals("HTTP/1.0");
        // HTTP-version = "HTTP/" DIGIT "." DIGIT (RFC 9112 §2.3); 1.2 and up are served as 1.1
        boolean valid = version.equals("HTTP/1.1") || matcher("HTTP/[0-9]\\.[0-9]", version).matches();
        BAD_VERSION.refuseUnless(valid);
        UNSUPPORTED_VERSION.refuseIf(version.charAt(5) != '1');
        String target = text(bytes, space + 1, second);
        head = new RequestHead(method, target, version);
        RequestTarget.check(method, target);
        left -= input.discard();
        framing = new RequestFraming();
        state = FIELD;
    }

    /**
     * field-line = field-name ":" OWS field-value OWS (RFC 9112 §5); the value was checked with the line's
     * end. Trailers are held to the grammar and the limits of header fields, then dropped (RFC 9112 §7.1.2).
     */
    private void parseField(byte[] bytes, int from, int end) {
        if (from == end) {
            completeSection(end);
            return;
        }
        fieldCount++;
        TOO_MANY_FIELDS.refuseIf(fieldCount > limits.fields, limits.fields);
        int colon = endOf(TOKEN, bytes, from, end);
        MISSING_COLON.refuseIf(colon == end);
        boolean space = SPACE[bytes[colon] & 0xFF];
        FOLDED_FIELD.refuseIf(space && colon == from);
        SPACE_AFTER_NAME.refuseIf(space);
        BAD_FIELD_NAME.refuseUnless(colon > from && bytes[colon] == ':');
        if (state == FIELD) {
            framing.add(bytes, from, colon, end);
        } else {
            FORBIDDEN_TRAILER.refuseIf(RequestFraming.isForbiddenTrailer(text(bytes, from, colon)));
        }
    }

    private void completeSection(int end) {
        fieldCount = 0;
        if (state == TRAILER) {
            input.discard();
            state = DONE;
            return;
        }
        persistent = framing.complete(head.method, http10);
        continueExpected = framing.expectsContinue;
        head.fields = input.copy(end);
        left -= input.discard();
        state = framing.hasBody() ? HEAD : DONE;
    }

    /** Releases the line before a block, and checks the block's length before it is received. */
    private void beginBlock(long length) {
        left -= input.discard();
        refuseSize(length > left);
        blockLeft = length;
    }

    /** Consumes the bytes of a block that have arrived. */
    private boolean readBlock(State next) {
        int count = (int) Math.min(blockLeft, available());
        // a body in chunks may still grow to the rest of the request's limit
        long toCome = next == DONE ? blockLeft : sizeLeft();
        int most = (int) Math.min(body.available() + toCome, limits.requestSize);
        body.move(input, count, most, next == DONE && delivery == Delivery.WHOLE);
        left -= input.discard();
        blockLeft -= count;
        assert blockLeft >= 0;
        if (blockLeft > 0) return false;
        state = next;
        return true;
    }

    private void beginChunk(long size) {
        beginBlock(size);
        continueExpected = false;
        state = size == 0 ? TRAILER : CHUNK_DATA;
    }

    /** Consumes exactly CRLF, a byte at a time: a wrong byte is refused at once. */
    private boolean readChunkEnd() {
        if (available() == 0) return false;
        BAD_CHUNK_END.refuseUnless(input.bytes[input.position] == "\r\n".charAt(input.consumed()));
        input.position++;
        if (input.consumed() == 2) {
            left -= input.discard();
            state = CHUNK_SIZE;
        }
        return true;
    }
}
