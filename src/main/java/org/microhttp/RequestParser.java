package org.microhttp;

import static org.microhttp.Refusal.*;
import static org.microhttp.RequestParser.State.*;
import static org.microhttp.Syntax.*;

import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Bytes to requests, incrementally. Knows no socket, thread or clock: bytes are put into its
 * {@link ByteQueue}, then {@link #next} is called until it returns null.
 * <pre>
 *   PROXY -> START (where a proxy's header is in front of the first request)
 *
 *   START ------+-> FIELD -+-> DONE (without a body)
 *     |         ^    | ^   |
 *     v         |    +-+   +-> BODY --------------------------------> DONE
 *   REQUEST_LINE           |
 *   (after an empty line)  +-> CHUNK_SIZE -> CHUNK_DATA -> CHUNK_END
 *                               | ^                          |
 *                               | +--------------------------+
 *                               +-> TRAILER (until its empty line) -> DONE
 *   DONE -> START, with the next request
 * </pre>
 * A state consumes one element, a line or a block, or says that it has not fully arrived. What is malformed
 * is refused with {@link RefusalException}; then the parser is finished, for nobody knows where the next
 * request starts.
 */
final class RequestParser {

    /**
     * What a request may measure, and its header section or trailers; whether a proxy is in front; and what
     * counts what is kept for all clients.
     */
    record Limits(int requestSize, int headerSize, int fields, boolean proxied, Budget bytes) { }

    enum State { PROXY, START, REQUEST_LINE, FIELD, BODY, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER, DONE }

    /** Methods that need no new string. */
    private static final String[] METHODS = {"GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"};

    /** Extensions have some 20 bytes, and 100 with a signature in them. */
    private static final int MAX_CHUNK_LINE = 1024;

    /** Of a request without a body; nothing is added to it. */
    private static final ByteQueue NO_BODY = new ByteQueue();

    private final ByteQueue input = new ByteQueue();
    private final Limits limits;
    private State state;

    /** Who sends; if a proxy says so, its client. */
    SocketAddress client;

    /** What is known of the request, and what its header section says. */
    RequestHead head = RequestHead.NONE;
    private HeaderSection section;
    private int fieldCount;

    /** What has come of a body, where one is announced. */
    private ByteQueue body = NO_BODY;

    /** How much of the request was consumed and let go of. */
    private int size;

    /** How much is missing of the body, or of the chunk. */
    private int blockLeft;
    private boolean continueExpected;

    /** Of the last request, also if it was refused: its method is HEAD, its version 1.0, it lets persist. */
    boolean toHead, http10, persistent;

    /** Whether bytes have come since the last request, and whether any were dropped. */
    private boolean fresh, dropped;

    /** Whether the last request had come with the one before it. */
    boolean pipelined;

    /** How much of the budget is taken for what is kept. */
    private int charged;

    /** How many requests were returned. */
    long requests;

    RequestParser(Limits limits, SocketAddress client) {
        this.limits = limits;
        this.client = client;
        state = limits.proxied ? PROXY : START;
    }

    /** Takes what was received, by way of the scratch array. */
    void receive(ByteBuffer received, byte[] scratch) {
        fresh = true;
        input.add(received, scratch, sizeLeft());
    }

    /** How many bytes are here that are not yet parsed. */
    int available() { return input.available(); }

    /** How much more may be received without having more not yet parsed than that, or the largest request. */
    int room(int most) { return Math.max(0, Math.min(most, limits.requestSize) - available()); }

    /** The next request, or null if more bytes are needed. */
    Request next() {
        begin();
        while (state != DONE) {
            if (!advance()) return null;
        }
        var request = new Request(head, body.toArray(), client);
        letGo();
        pipelined = !fresh;
        fresh = false;
        requests++;
        return request;
    }

    /** Ends the turn: what is kept until the next is counted, and refused if that is too much. */
    void keep() {
        input.keep();
        // what has come of a request, and what is behind it
        long held = (long) input.capacity() + head.size + body.capacity();
        // arrays may be larger than what they hold, and one request alone must never have too much
        int needed = (int) Math.min(held, limits.requestSize);
        boolean refused = !limits.bytes.tryTake(needed - charged);
        // what is refused is not the request before, which has an answer of its own
        if (refused) begin();
        OUT_OF_BUFFERS.when(refused, limits.bytes.limit);
        charged = needed;
    }

    /** Forgets the request, but what its answer depends on. */
    private void letGo() {
        head = RequestHead.NONE;
        section = null;
        body = NO_BODY;
        size = 0;
    }

    /** Begins the next request, if the last is complete. */
    private void begin() {
        if (state != DONE) return;
        state = START;
        toHead = false;
        http10 = false;
    }

    /** True from a request's first byte until it was returned. */
    boolean isInsideRequest() { return available() > 0 || head != RequestHead.NONE; }

    /** Whether the client has asked for the close with its last request, and sent nothing behind it. */
    boolean isAtEnd() { return state == DONE && !persistent && !dropped; }

    /** True once for a request whose client waits for a 100 before it sends any of the body. */
    boolean takeContinue() {
        boolean due = continueExpected && body != NO_BODY && body.available() + available() == 0;
        continueExpected = false;
        return due;
    }

    /** Parses what is here, for the last time, and says how many requests it is, whole or in part. */
    int takeDropped() {
        int count = 0;
        try {
            while (next() != null) {
                count++;
                if (!persistent) return count;
            }
        } catch (RefusalException | OutOfMemoryError e) {
            return count;
        }
        return isInsideRequest() ? count + 1 : count;
    }

    /** Lets go of what was received, when no more requests are to be read. */
    void drop() {
        dropped |= available() > 0;
        input.release();
        letGo();
        limits.bytes.giveBack(charged);
        charged = 0;
    }

    /** Consumes one element; false if it has not fully arrived. */
    private boolean advance() {
        return switch (state) {
            case BODY -> readBlock(DONE);
            case CHUNK_DATA -> readBlock(CHUNK_END);
            case CHUNK_END -> readChunkEnd();
            case PROXY -> readProxyHeader();
            default -> readLine();
        };
    }

    /** Whether the proxy's header is not here yet: who has none is not answered. */
    boolean isBehindProxy() { return state == PROXY; }

    /** Of version 2, which begins as no line does, or of version 1, which is one. */
    private boolean readProxyHeader() {
        int from = input.position;
        if (available() == 0 || input.bytes[from] != '\r') return readLine();
        ByteBuffer header = ByteBuffer.wrap(input.bytes, from, available()).slice();
        int length = ProxyHeader.length(header);
        BAD_PROXY_HEADER.when(length > limits.requestSize);
        if (length > available()) return false;
        input.position += length;
        setClient(ProxyHeader.client(header.limit(length), client));
        return true;
    }

    private void setClient(SocketAddress told) {
        client = told;
        input.discard();
        state = START;
    }

    /** Consumes a line if it has arrived. One that is too long is refused before its end is here. */
    private boolean readLine() {
        int most = Math.min(lineLimit(), sizeLeft());
        int end = input.findLineEnd(most);
        if (end < 0) {
            if (input.consumed() + available() >= most) refuseLine();
            return false;
        }
        int from = input.position;
        input.position = end + 2;
        switch (state) {
            case PROXY -> setClient(ProxyHeader.client(text(input.bytes, from, end), client));
            case CHUNK_SIZE -> parseChunkSize(input.bytes, from, end);
            case FIELD, TRAILER -> parseField(input.bytes, from, end);
            default -> parseRequestLine(input.bytes, from, end);
        }
        return true;
    }

    /** How long the line may be, with what is kept in front of it: of a section, all lines before. */
    private int lineLimit() {
        return switch (state) {
            case PROXY -> ProxyHeader.LONGEST_LINE;
            case CHUNK_SIZE -> MAX_CHUNK_LINE;
            // the header section is measured with the request line, which was let go of
            case FIELD -> limits.headerSize - size;
            default -> limits.headerSize;
        };
    }

    /** How long the rest of the request may be. */
    private int sizeLeft() { return Math.max(0, limits.requestSize - size); }

    private void refuseLine() {
        BAD_PROXY_HEADER.when(state == PROXY);
        REQUEST_TOO_LARGE.when(sizeLeft() < lineLimit(), limits.requestSize);
        CHUNK_LINE_TOO_LONG.when(state == CHUNK_SIZE, MAX_CHUNK_LINE);
        HEADER_TOO_LARGE.when(state == FIELD || state == TRAILER, limits.headerSize);
        REQUEST_LINE_TOO_LONG.when(true, limits.headerSize);
    }

    /** request-line = method SP request-target SP HTTP-version (RFC 9112 §3) */
    private void parseRequestLine(byte[] bytes, int from, int end) {
        if (from == end) {
            // "SHOULD ignore at least one empty line" (RFC 9112 §2.2): one it is
            EMPTY_LINES.when(state == REQUEST_LINE);
            state = REQUEST_LINE;
            input.discard();
            return;
        }
        int space = endOf(TOKEN, bytes, from, end);
        BAD_METHOD.unless(space > from && (space == end || bytes[space] == ' '));
        String method = parseMethod(bytes, from, space);
        toHead = method.equals("HEAD");
        // where the method ends the line this is beyond its end, and not looked at
        int second = endOf(VISIBLE, bytes, space + 1, end);
        BAD_REQUEST_LINE.unless(second < end && (second > space + 1 || bytes[second] != ' '));
        BAD_TARGET.when(bytes[second] != ' ');
        String version = parseVersion(bytes, second + 1, end);
        String target = text(bytes, space + 1, second);
        head = new RequestHead(method, target, version);
        head.size = end - from;
        RequestTarget.check(method, target);
        size += input.discard();
        section = new HeaderSection();
        state = FIELD;
    }

    private static String parseMethod(byte[] bytes, int from, int to) {
        for (String method : METHODS) {
            if (matches(bytes, from, to, method, EXACTLY)) return method;
        }
        return text(bytes, from, to);
    }

    /** HTTP-version = "HTTP/" DIGIT "." DIGIT (RFC 9112 §2.3); 1.2 and up are served as 1.1. */
    private String parseVersion(byte[] bytes, int from, int to) {
        if (matches(bytes, from, to, "HTTP/1.1", EXACTLY)) return "HTTP/1.1";
        String version = text(bytes, from, to);
        http10 = version.equals("HTTP/1.0");
        BAD_VERSION.unless(matcher("HTTP/[0-9]\\.[0-9]", version).matches());
        UNSUPPORTED_VERSION.when(bytes[from + 5] != '1');
        return version;
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
        TOO_MANY_FIELDS.when(fieldCount > limits.fields, limits.fields);
        int colon = endOf(TOKEN, bytes, from, end);
        MISSING_COLON.when(colon == end);
        boolean space = SPACE[bytes[colon] & 0xFF];
        FOLDED_FIELD.when(space && colon == from);
        SPACE_AFTER_NAME.when(space);
        BAD_FIELD_NAME.unless(colon > from && bytes[colon] == ':');
        if (state == FIELD) {
            section.add(bytes, from, colon, end);
        } else {
            FORBIDDEN_TRAILER.unless(HeaderSection.isTrailer(text(bytes, from, colon)));
        }
    }

    private void completeSection(int end) {
        fieldCount = 0;
        if (state == TRAILER) {
            input.discard();
            state = DONE;
            return;
        }
        persistent = section.complete(head.method, http10);
        continueExpected = section.expectsContinue;
        head.fields = input.copy(end);
        head.size += head.fields.length;
        beginBlock(Math.max(section.declaredLength, 0));
        if (!section.hasBody()) {
            state = DONE;
            return;
        }
        body = new ByteQueue();
        state = section.chunked ? CHUNK_SIZE : BODY;
    }

    /** Lets go of what announced a block, and compares its length with the limit before it is received. */
    private void beginBlock(long length) {
        size += input.discard();
        REQUEST_TOO_LARGE.when(length > sizeLeft(), limits.requestSize);
        blockLeft = (int) length;
    }

    /** Consumes what has arrived of a block. */
    private boolean readBlock(State next) {
        int count = Math.min(blockLeft, available());
        // of a body in chunks anything may come that the request still may have
        int toCome = next == DONE ? blockLeft : sizeLeft();
        body.add(input, count, body.available() + toCome);
        size += input.discard();
        blockLeft -= count;
        if (blockLeft > 0) return false;
        state = next;
        return true;
    }

    /** chunk-size [ chunk-ext ] CRLF, chunk-size = 1*HEXDIG (RFC 9112 §7.1) */
    private void parseChunkSize(byte[] bytes, int from, int end) {
        int sizeEnd = endOf(HEXDIG, bytes, from, end);
        BAD_CHUNK_SIZE.unless(sizeEnd > from && "\r; \t".indexOf(bytes[sizeEnd]) >= 0);
        // chunk-ext = *( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] ) (RFC 9112 §7.1.1)
        BAD_CHUNK_EXTENSION.unless(endOfParameters(bytes, sizeEnd, end, false) == end);
        long length = 0;
        // never multiplied beyond the limit, so it cannot overflow
        for (int i = from; i < sizeEnd && length <= limits.requestSize; i++) {
            length = length * 16 + Character.digit(bytes[i], 16);
        }
        beginBlock(length);
        continueExpected = false;
        state = blockLeft == 0 ? TRAILER : CHUNK_DATA;
    }

    /** Exactly CRLF, a byte at a time: a wrong one is refused as soon as it is here. */
    private boolean readChunkEnd() {
        if (available() == 0) return false;
        BAD_CHUNK_END.unless(input.bytes[input.position] == "\r\n".charAt(input.consumed()));
        input.position++;
        if (input.consumed() == 2) {
            size += input.discard();
            state = CHUNK_SIZE;
        }
        return true;
    }
}
