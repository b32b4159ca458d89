package org.microhttp.protocol;

import static org.microhttp.protocol.Refusal.*;
import static org.microhttp.protocol.RequestParser.State.*;
import static org.microhttp.protocol.Syntax.*;

import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Turns bytes into requests, incrementally: {@link #receive} adds bytes, then the caller calls {@link #next}
 * until that returns null. When the head of a request with a body is complete, {@link #isHeld} is true. Then
 * {@link #keepBody} keeps the body for {@link #takeBody}, or {@link #streamBody} passes it on in parts, by
 * {@link #takePart}.
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
 *   DONE -> START, with the next request; -> HEAD, if another protocol follows
 * </pre>
 * For example, the chunked body "3 CRLF abc CRLF 0 CRLF A: b CRLF CRLF": CHUNK_SIZE reads the line "3";
 * CHUNK_DATA moves "abc" to the end of the body, in {@link #readBlock}; CHUNK_END reads the CRLF after it;
 * CHUNK_SIZE reads "0", after which trailers come; TRAILER reads "A: b", which {@link #readField} checks like
 * any field, and drops; the empty line ends the request, in {@link #completeSection}.
 * <p>
 * Limits: a chunk-size line has at most 1 KiB. The request line and the header section together have at most
 * {@code headerSize}, and so has the trailer section. All bytes of a request kept in memory count towards
 * {@code requestSize}, except an empty line before it. See {@link #readLine} and {@link #refuseLine}.
 * <p>
 * A state consumes one element, a line or a block. After a {@link RefusalException} {@link #next} must not be
 * called again.
 */
public final class RequestParser {

    /**
     * The limits of a connection's requests; sizes are in bytes.
     *
     * @param requestSize the limit of a request that is kept in memory
     * @param headerSize  of request line and header section together, and of a trailer section
     * @param fields      how many fields a section may have
     * @param proxied     whether a PROXY header must precede the first request
     * @param bytes       the budget that is charged for bytes kept
     */
    public record Limits(int requestSize, int headerSize, int fields, boolean proxied, Budget bytes) { }

    enum State {
        PROXY, START, REQUEST_LINE, FIELD, HEAD, BODY, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER, DONE;

        boolean allows(State next) {
            return switch (this) {
                case PROXY -> next == START;
                case START -> next == REQUEST_LINE || next == FIELD;
                case REQUEST_LINE -> next == FIELD;
                case FIELD -> next == HEAD || next == DONE;
                case HEAD -> next == BODY || next == CHUNK_SIZE;
                case CHUNK_SIZE -> next == CHUNK_DATA || next == TRAILER;
                case CHUNK_DATA -> next == CHUNK_END;
                case CHUNK_END -> next == CHUNK_SIZE;
                case BODY, TRAILER -> next == DONE;
                // another protocol follows a request as its body would
                case DONE -> next == START || next == HEAD;
            };
        }
    }

    /** How the caller gets a body. */
    private enum Delivery {

        /** It is kept until it is whole. */
        WHOLE,

        /** The caller takes parts as they come. */
        IN_PARTS,

        /** The body is kept until it is whole; then the caller decides. */
        UNDECIDED
    }

    /** The limit of a chunk-size line, in bytes. Extensions have some 20 bytes, or 100 with a signature. */
    private static final int MAX_CHUNK_LINE = 1024;

    /** No body. Nothing is added to it. */
    private static final ByteQueue NO_BODY = new ByteQueue();

    private final ByteQueue input = new ByteQueue();
    private final Limits limits;
    private State state;

    private SocketAddress client;

    /** The request line and the field lines, as far as they are parsed, and what the fields mean. */
    private RequestHead head = RequestHead.NONE;
    private RequestFraming framing;
    private int fieldCount;

    /** The received bytes of the body that are not taken. */
    private ByteQueue body = NO_BODY;

    /** The body of the request that was returned last, until it is taken. */
    private byte[] whole = ByteQueue.NONE;

    private Delivery delivery = Delivery.WHOLE;

    /** The limit that a refusal names if the body is too large: bytes if IN_PARTS, requests if UNDECIDED. */
    private long deliveryLimit;

    /** See {@link #left()}. */
    private long left;

    /** How many bytes of the body or the chunk are missing. */
    private long blockLeft;

    /** Whether the client may be waiting for a 100. */
    private boolean continueExpected;

    private boolean toHead, http10, persistent, pipelined;

    /** Whether bytes were received since the last request was returned. */
    private boolean fresh;

    /** How many bytes are charged to the budget. */
    private int charged;

    private long requests;

    public RequestParser(Limits limits, SocketAddress client) {
        this.limits = limits;
        this.client = client;
        state = limits.proxied ? PROXY : START;
        left = limits.requestSize;
    }

    /** Returns the peer, or the client that a proxy's header names. */
    public SocketAddress client() { return client; }

    /**
     * Returns the head of the incomplete request: the line once it is parsed, and the fields once all are
     * parsed.
     */
    public RequestHead head() { return head; }

    /** Returns how many bytes the request may still have, counted from the first that is not discarded. */
    public long left() { return left; }

    /** Says whether the last request, refused or not, has the method HEAD. */
    public boolean isToHead() { return toHead; }

    /** Says whether the last request, refused or not, has the version HTTP/1.0. */
    public boolean isHttp10() { return http10; }

    /** Says whether the connection may persist after the last complete head. */
    public boolean isPersistent() { return persistent; }

    /** Says whether no bytes were received between the last request and the one before it. */
    public boolean isPipelined() { return pipelined; }

    /** Returns how many requests were returned. */
    public long requests() { return requests; }

    /** Adds received bytes, which are parsed in the scratch array if no earlier bytes are kept. */
    public void receive(ByteBuffer received, byte[] scratch) {
        fresh = true;
        input.add(received, scratch, leftInMemory());
    }

    /** Returns how many bytes are not yet parsed. */
    public int available() { return input.available(); }

    /**
     * Returns how many bytes may be received so that at most {@code most} are unparsed, and at most those of
     * one request.
     */
    public int room(int most) { return Math.max(0, Math.min(most, limits.requestSize) - available()); }

    /**
     * Returns the head of the next request, whose body {@link #takeBody} returns. It returns null if
     * {@link #isHeld} is true, if parts of a body must be taken first, or if more bytes are needed.
     */
    public RequestHead next() {
        beginRequest();
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

    /** Says whether the caller must choose how to get the body: the head, or the whole body, has come. */
    public boolean isHeld() {
        return state == HEAD || state == DONE && delivery == Delivery.UNDECIDED;
    }

    /**
     * Refuses a request whose known size is above {@code size}, the limit of streamed requests. Before the
     * decision to stream, a request is refused only if it is also too large to be kept.
     */
    public void checkSize(long size, boolean streamed) {
        long known = limits.requestSize - left + (state == HEAD ? framing.bodyLength : 0);
        STREAM_TOO_LARGE.refuseIf(known > size && (streamed || known > limits.requestSize), size);
    }

    /** Keeps the body until it is whole. */
    public void keepBody() { beginBody(Delivery.WHOLE, 0); }

    /** Passes the body on in parts. The whole request may have {@code limit} bytes. */
    public void streamBody(long limit) { beginBody(Delivery.IN_PARTS, limit); }

    /**
     * Keeps the body until it is whole; then {@link #isHeld} is true once more. If the body is too large to
     * be kept, the refusal says that {@code pending} requests are pending.
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
        enter(framing.chunked ? CHUNK_SIZE : BODY);
    }

    /** Treats further input as a body without an end. Its length is such that sums cannot overflow. */
    public void upgrade() {
        framing = new RequestFraming();
        framing.bodyLength = Budget.NO_LIMIT / 2;
        enter(HEAD);
        streamBody(Budget.NO_LIMIT);
    }

    /** Takes the body of the request that {@link #next} returned last; empty if it has none. */
    public byte[] takeBody() {
        byte[] taken = whole;
        whole = ByteQueue.NONE;
        return taken;
    }

    /** Takes the received bytes of the body of an incomplete request. Its client needs no 100 any more. */
    public ByteBuffer takePart() {
        continueExpected = false;
        return body.take();
    }

    /** Says whether bytes of the body can be taken. */
    public boolean hasBody() { return body.available() > 0; }

    /** Ends a step: moves unparsed bytes from the scratch array, and charges the bytes that are kept. */
    public void keep(byte[] scratch) {
        input.keep(scratch);
        long held = (long) input.bytes.length + head.size() + body.bytes.length;
        // arrays may be larger than their content, and one request alone must never exceed the budget
        int needed = (int) Math.min(held, limits.requestSize);
        boolean refused = !limits.bytes.tryTake(needed - charged);
        // the refusal answers the next request; the last one has its own response
        if (refused) beginRequest();
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

    private void enter(State next) {
        assert state.allows(next);
        state = next;
    }

    /** Begins the next request, if the last one was returned. */
    private void beginRequest() {
        if (state != DONE || head != RequestHead.NONE) return;
        enter(START);
        toHead = false;
        http10 = false;
    }

    /** Returns true from the first byte of a request, or of a PROXY header, until the request is returned. */
    public boolean isInsideRequest() { return available() > 0 || head != RequestHead.NONE; }

    /** Says whether the last request was returned and ends the connection, and no other has begun. */
    public boolean clientIsDone() { return state == DONE && head == RequestHead.NONE && !persistent; }

    /** Returns true once for a request whose client waits for a 100 before it sends the body. */
    public boolean takeContinue() {
        boolean due = continueExpected && body != NO_BODY && body.available() + available() == 0;
        continueExpected = false;
        return due;
    }

    /** Drops received bytes. If there are any, they count as the beginning of another request. */
    public void drop() {
        releaseRequest();
        if (available() > 0) beginRequest();
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
        completeProxyHeader(ProxyHeader.client(header.limit(length)));
        return true;
    }

    private void completeProxyHeader(SocketAddress named) {
        if (named != null) client = named;
        input.discard();
        enter(START);
    }

    /** Consumes a line if it has arrived. A line that is too long is refused before its end arrives. */
    private boolean readLine() {
        // the input keeps the earlier lines of a section, so the limit holds for them and this line together
        int limit = switch (state) {
            case PROXY -> ProxyHeader.LONGEST_LINE;
            case CHUNK_SIZE -> MAX_CHUNK_LINE;
            // the request line counts, too, but was discarded
            case FIELD -> limits.headerSize - limits.requestSize + (int) left;
            default -> limits.headerSize;
        };
        int most = Math.min(limit, leftInMemory());
        int end = input.findLineEnd(most);
        if (end < 0) {
            if (input.consumed() + available() >= most) refuseLine(most < limit);
            return false;
        }
        int from = input.position;
        input.position = end + 2;
        switch (state) {
            case PROXY -> completeProxyHeader(ProxyHeader.client(text(input.bytes, from, end)));
            case CHUNK_SIZE -> beginChunk(RequestFraming.parseChunkSize(input.bytes, from, end));
            case FIELD, TRAILER -> readField(input.bytes, from, end);
            default -> readRequestLine(input.bytes, from, end);
        }
        return true;
    }

    /**
     * Refuses a line that exceeds the limit of the request (413, 503), a section (431), or a line (414, 400).
     */
    private void refuseLine(boolean requestTooLarge) {
        BAD_PROXY_HEADER.refuseIf(state == PROXY);
        refuseSize(requestTooLarge);
        CHUNK_LINE_TOO_LONG.refuseIf(state == CHUNK_SIZE, MAX_CHUNK_LINE);
        HEADER_TOO_LARGE.refuseIf(state == FIELD || state == TRAILER, limits.headerSize);
        REQUEST_LINE_TOO_LONG.refuseIf(true, limits.headerSize);
    }

    /** Refuses a request above its limit (413), or too large to be kept until fewer are pending (503). */
    private void refuseSize(boolean tooLarge) {
        STREAM_TOO_LARGE.refuseIf(tooLarge && delivery == Delivery.IN_PARTS, deliveryLimit);
        OVERLOAD.refuseIf(tooLarge && delivery == Delivery.UNDECIDED, deliveryLimit);
        REQUEST_TOO_LARGE.refuseIf(tooLarge, limits.requestSize);
    }

    /** Returns how many more bytes of the request may be kept. */
    private int leftInMemory() { return (int) Math.max(0, Math.min(left, limits.requestSize)); }

    /** request-line = method SP request-target SP HTTP-version (RFC 9112 §3) */
    private void readRequestLine(byte[] bytes, int from, int end) {
        if (from == end) {
            // "SHOULD ignore at least one empty line" (RFC 9112 §2.2): exactly one is ignored
            EMPTY_LINES.refuseIf(state == REQUEST_LINE);
            enter(REQUEST_LINE);
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
        enter(FIELD);
    }

    /**
     * field-line = field-name ":" OWS field-value OWS (RFC 9112 §5); the search for the line's end has
     * checked the value. Trailers must keep the grammar and the limits of header fields, and are dropped (RFC
     * 9112 §7.1.2).
     */
    private void readField(byte[] bytes, int from, int end) {
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
            enter(DONE);
            return;
        }
        persistent = framing.complete(head.method, http10);
        continueExpected = framing.expectsContinue;
        head.fields = input.copy(end);
        left -= input.discard();
        enter(framing.hasBody() ? HEAD : DONE);
    }

    /** Discards the line before a block, and checks the block's length before it is received. */
    private void beginBlock(long length) {
        left -= input.discard();
        refuseSize(length > left);
        blockLeft = length;
    }

    /** Consumes the bytes of a block that have arrived. */
    private boolean readBlock(State next) {
        int count = (int) Math.min(blockLeft, available());
        // a body in chunks may still grow to the rest of the request's limit
        long toCome = next == DONE ? blockLeft : leftInMemory();
        int most = (int) Math.min(body.available() + toCome, limits.requestSize);
        body.moveFrom(input, count, most, next == DONE && delivery == Delivery.WHOLE);
        left -= input.discard();
        blockLeft -= count;
        assert blockLeft >= 0;
        if (blockLeft > 0) return false;
        enter(next);
        return true;
    }

    private void beginChunk(long size) {
        beginBlock(size);
        continueExpected = false;
        enter(size == 0 ? TRAILER : CHUNK_DATA);
    }

    /** Consumes exactly CRLF, a byte at a time: a wrong byte is refused at once. */
    private boolean readChunkEnd() {
        if (available() == 0) return false;
        BAD_CHUNK_END.refuseUnless(input.bytes[input.position] == "\r\n".charAt(input.consumed()));
        input.position++;
        if (input.consumed() == 2) {
            left -= input.discard();
            enter(CHUNK_SIZE);
        }
        return true;
    }
}
