package org.microhttp;

import static org.microhttp.Syntax.refuseIf;

import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Bytes to requests, incrementally. Knows no socket, thread or clock: bytes are put into its
 * {@link ByteQueue}, then {@link #next} is called until it returns null.
 * <pre>
 *   START -+-> FIELD -+-> BODY -----------------------------------> DONE -> START
 *     |    |    | ^   |                                              ^
 *     v    |    +-+   +-> CHUNK_SIZE -> CHUNK_DATA -> CHUNK_END      |
 *   REQUEST_LINE             | ^                          |          |
 *   (after an empty line)    | +--------------------------+          |
 *                            +-> TRAILER (until its empty line) -----+
 * </pre>
 * A state consumes one element, a line or a block, or says that it has not fully arrived. What is malformed
 * is refused with {@link HttpError}; then the parser is finished, for nobody knows where the next request
 * starts.
 */
final class RequestParser {

    private enum State { DONE, START, REQUEST_LINE, FIELD, BODY, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER }

    /** Methods that need no new string. */
    private static final String[] METHODS = {"GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"};

    /** Extensions have some 20 bytes, and 100 with a signature in them. */
    private static final int MAX_CHUNK_LINE = 1024;

    /** Fields about framing, routing, authentication, or how to read the body (RFC 9110 §6.5.1). */
    private static final String[] FORBIDDEN_TRAILERS = {"te", "age", "date", "host", "vary", "range",
        "expect", "pragma", "expires", "trailer", "upgrade", "warning", "location", "forwarded", "keep-alive",
        "retry-after", "content-type", "max-forwards", "cache-control", "content-range", "content-length",
        "content-encoding", "content-language", "content-location", "transfer-encoding"};
    private static final String[] FORBIDDEN_BEGINNINGS = {"if-", "x-forwarded-"};
    private static final String[] FORBIDDEN_ENDS = {"connection", "cookie", "authorization", "authenticate"};

    private final ByteQueue input;
    private final Limits limits;
    private final Budget budget;
    private final SocketAddress peer;
    private State state = State.START;
    private String method, target, version;
    private Framing framing;
    private byte[] fields;

    /** What has come of a body, where one is announced: an idle connection has none. */
    private ByteQueue body;
    private int fieldCount;

    /**
     * How much of the request was consumed and let go of; how much of the body, or of the chunk, is missing.
     */
    private int size, blockLeft;
    private boolean continueExpected, persistent, head, http10;

    /** How much of the budget is taken for what is kept. */
    private long charged;

    RequestParser(ByteQueue input, Limits limits, Budget budget, SocketAddress peer) {
        this.input = input;
        this.limits = limits;
        this.budget = budget;
        this.peer = peer;
    }

    /** Takes what was received, by way of the scratch array. */
    void receive(ByteBuffer received, byte[] scratch) {
        input.add(received, scratch, limits.requestSize() - (state == State.DONE ? 0 : size));
    }

    /** How much more may be received without having more than the largest request. */
    int room() { return Math.max(0, limits.requestSize() - input.available()); }

    /** The next request, or null if more bytes are needed. */
    Request next() throws HttpError {
        if (state == State.DONE) begin();
        while (state != State.DONE) {
            if (!advance()) return null;
        }
        byte[] content = body == null ? ByteQueue.NONE : body.takeAll();
        var request = new Request(method, target, version, fields, content, peer);
        letGo();
        return request;
    }

    /** Ends the turn: what is kept until the next is counted, and refused if that is too much. */
    void keep() throws HttpError {
        input.keep();
        // an array may be larger than what can come by a chunk-size line: a request alone never has too much
        long needed = Math.min(held(), limits.requestSize());
        boolean refused = needed > charged && !budget.tryTake(needed - charged);
        refuseIf(refused, 503, "out_of_buffers: too many bytes wait (RFC 9110 §15.6.4)");
        if (needed < charged) budget.giveBack(charged - needed);
        charged = needed;
    }

    /** How many bytes of memory are kept for what has come of a request, and for what is behind it. */
    private long held() {
        long held = input.capacity();
        if (target != null) held += method.length() + target.length() + version.length();
        if (fields != null) held += fields.length;
        if (body != null) held += body.capacity();
        return held;
    }

    /** Forgets the request, but what its answer depends on. */
    private void letGo() {
        method = null;
        target = null;
        version = null;
        framing = null;
        fields = null;
        body = null;
    }

    private void begin() {
        state = State.START;
        head = false;
        http10 = false;
        size = fieldCount = 0;
    }

    /** True from a request's first byte until it was returned. */
    boolean isInsideRequest() { return input.available() > 0 || state.compareTo(State.FIELD) >= 0; }

    /** Whether the last request, even if it was refused after its method, is answered without a body. */
    boolean isHead() { return head; }

    boolean isHttp10() { return http10; }

    /** Whether the connection may persist as far as the last request is concerned. */
    boolean isPersistent() { return persistent; }

    /**
     * True once for a request whose client waits for a 100 before it sends the body; not if some of it is
     * here.
     */
    boolean takeContinue() {
        boolean due = continueExpected && body != null && body.available() + input.available() == 0;
        continueExpected = false;
        return due;
    }

    /** How many requests are here whole, or in part; they are not answered any more. */
    int countDropped() {
        int count = 0;
        try {
            while (next() != null) count++;
        } catch (HttpError | OutOfMemoryError e) {
            return count;
        }
        return isInsideRequest() ? count + 1 : count;
    }

    /** Lets go of what was received, when no more requests are to be read. */
    void drop() {
        input.release();
        letGo();
        budget.giveBack(charged);
        charged = 0;
    }

    private boolean advance() throws HttpError {
        return switch (state) {
            case START, REQUEST_LINE, FIELD, CHUNK_SIZE, TRAILER -> readLine();
            case BODY -> readBlock(State.DONE);
            case CHUNK_DATA -> readBlock(State.CHUNK_END);
            case CHUNK_END -> readChunkEnd();
            case DONE -> throw new IllegalStateException();
        };
    }

    /** Consumes a line if it has arrived, of a section of limited size in a request of limited size. */
    private boolean readLine() throws HttpError {
        boolean chunk = state == State.CHUNK_SIZE;
        boolean section = state == State.FIELD || state == State.TRAILER;
        // the header section is measured with the request line, which was let go of
        int max = chunk ? MAX_CHUNK_LINE : limits.headerSize() - (state == State.FIELD ? size : 0);
        int room = Math.max(0, limits.requestSize() - size);
        int end = input.findLineEnd(Math.min(max, room));
        boolean full = end < 0 && input.kept() + input.available() >= Math.min(max, room);
        refuseIf(full && room < max, 413, "request_too_large: more than allowed (RFC 9110 §15.5.14)");
        refuseIf(full && chunk, 400, "chunk_line_too_long: above 1024 bytes (RFC 9112 §7.1.1)");
        refuseIf(full && section, 431, "header_too_large: more than allowed (RFC 6585 §5)");
        refuseIf(full, 414, "request_line_too_long: more than allowed (RFC 9112 §3)");
        if (end < 0) return false;
        int from = input.position;
        input.position = end + 2;
        // its parts are looked at for a second and a third time
        input.count(2L * (end - from));
        if (chunk) parseChunkSize(input.bytes, from, end);
        else if (section) parseField(input.bytes, from, end);
        else parseRequestLine(input.bytes, from, end);
        return true;
    }

    /** request-line = method SP request-target SP HTTP-version (RFC 9112 §3) */
    private void parseRequestLine(byte[] bytes, int from, int end) throws HttpError {
        if (from == end) {
            // "SHOULD ignore at least one empty line" (RFC 9112 §2.2): one it is
            refuseIf(state == State.REQUEST_LINE, 400, "empty_lines: two before a request (RFC 9112 §2.2)");
            state = State.REQUEST_LINE;
            input.discard();
            return;
        }
        int space = Syntax.endOf(Syntax.TOKEN, bytes, from, end);
        boolean valid = space > from && (space == end || bytes[space] == ' ');
        refuseIf(!valid, 400, "bad_method: the method is not a token and a space (RFC 9112 §3.1)");
        method = parseMethod(bytes, from, space);
        head = method.equals("HEAD");
        int second = Syntax.endOfVisible(bytes, Math.min(space + 1, end), end);
        valid = second < end && (second > space + 1 || bytes[second] != ' ');
        refuseIf(!valid, 400, "bad_request_line: not method SP target SP version (RFC 9112 §3)");
        refuseIf(bytes[second] != ' ', 400, "bad_target: not visible ASCII (RFC 9112 §3.2)");
        parseVersion(bytes, second + 1, end);
        target = Syntax.text(bytes, space + 1, second);
        RequestTarget.check(method, target);
        size += input.discard();
        framing = new Framing();
        state = State.FIELD;
    }

    private static String parseMethod(byte[] bytes, int from, int to) {
        for (String method : METHODS) {
            if (Syntax.equals(bytes, from, to, method)) return method;
        }
        return Syntax.text(bytes, from, to);
    }

    /** HTTP-version = "HTTP/" DIGIT "." DIGIT (RFC 9112 §2.3); 1.2 and up are served as 1.1. */
    private void parseVersion(byte[] bytes, int from, int to) throws HttpError {
        boolean current = Syntax.isHttp11(bytes, from, to);
        version = current ? "HTTP/1.1" : Syntax.text(bytes, from, to);
        http10 = !current && version.equals("HTTP/1.0");
        boolean valid = current || version.matches("HTTP/[0-9]\\.[0-9]");
        refuseIf(!valid, 400, "bad_version: not HTTP/DIGIT.DIGIT (RFC 9112 §2.3)");
        refuseIf(bytes[from + 5] != '1', 505, "unsupported_version: not of major version 1 (RFC 9112 §2.3)");
    }

    /**
     * field-line = field-name ":" OWS field-value OWS (RFC 9112 §5); the value was checked with the line's
     * end. Trailers are held to the grammar and the limits of header fields, then dropped (RFC 9112 §7.1.2).
     */
    private void parseField(byte[] bytes, int from, int end) throws HttpError {
        if (from == end) {
            completeSection(end);
            return;
        }
        refuseIf(++fieldCount > limits.fields(), 431, "too_many_fields: more than allowed (RFC 6585 §5)");
        int colon = parseName(bytes, from, end);
        if (state == State.FIELD) {
            long work = framing.work();
            framing.field(bytes, from, colon, end);
            input.count(framing.work() - work);
            return;
        }
        boolean forbidden = isForbiddenTrailer(bytes, from, colon);
        refuseIf(forbidden, 400, "forbidden_trailer: not allowed in trailers (RFC 9110 §6.5.1)");
    }

    private static boolean isForbiddenTrailer(byte[] bytes, int from, int to) {
        for (String name : FORBIDDEN_TRAILERS) {
            if (Syntax.equalsLower(bytes, from, to, name)) return true;
        }
        for (String beginning : FORBIDDEN_BEGINNINGS) {
            int end = Math.min(to, from + beginning.length());
            if (Syntax.equalsLower(bytes, from, end, beginning)) return true;
        }
        for (String end : FORBIDDEN_ENDS) {
            int start = Math.max(from, to - end.length());
            if (Syntax.equalsLower(bytes, start, to, end)) return true;
        }
        return false;
    }

    private static int parseName(byte[] bytes, int from, int end) throws HttpError {
        int colon = Syntax.endOf(Syntax.TOKEN, bytes, from, end);
        refuseIf(colon == end, 400, "missing_colon: a field line without a colon (RFC 9112 §5)");
        boolean space = Syntax.SPACE[bytes[colon] & 0xFF];
        refuseIf(space && colon == from, 400, "folded_field: a line starts with a space (RFC 9112 §5.2)");
        refuseIf(space, 400, "space_after_name: white space after a field name (RFC 9112 §5.1)");
        boolean valid = colon > from && bytes[colon] == ':';
        refuseIf(!valid, 400, "bad_field_name: a field name that is not a token (RFC 9110 §5.1)");
        return colon;
    }

    private void completeSection(int end) throws HttpError {
        if (state == State.TRAILER) {
            input.discard();
            state = State.DONE;
            return;
        }
        framing.complete(method, http10);
        fields = input.copy(0, end);
        beginBlock(Math.max(framing.length, 0));
        state = framing.chunked ? State.CHUNK_SIZE : blockLeft > 0 ? State.BODY : State.DONE;
        continueExpected = framing.continueExpected;
        persistent = framing.persistent;
        body = state == State.DONE ? null : new ByteQueue();
        framing = null;
    }

    /** Lets go of what announced a block, and compares its length with the limit before it is received. */
    private void beginBlock(long length) throws HttpError {
        size += input.discard();
        boolean large = length > limits.requestSize() - size;
        refuseIf(large, 413, "request_too_large: more than allowed (RFC 9110 §15.5.14)");
        blockLeft = (int) length;
    }

    /** Consumes what has arrived of a block. */
    private boolean readBlock(State next) throws HttpError {
        int count = Math.min(blockLeft, input.available());
        // of a body in chunks anything may come that the request still may have
        int toCome = next == State.DONE ? blockLeft : limits.requestSize() - size;
        long work = body.work();
        body.add(input, count, body.available() + toCome);
        input.count(body.work() - work);
        size += input.discard();
        blockLeft -= count;
        if (blockLeft == 0) state = next;
        return blockLeft == 0;
    }

    /** chunk-size [ chunk-ext ] CRLF, chunk-size = 1*HEXDIG (RFC 9112 §7.1) */
    private void parseChunkSize(byte[] bytes, int from, int end) throws HttpError {
        int sizeEnd = Syntax.endOf(Syntax.HEXDIG, bytes, from, end);
        boolean digits = sizeEnd > from && "\r; \t".indexOf(bytes[sizeEnd]) >= 0;
        refuseIf(!digits, 400, "bad_chunk_size: a chunk size is not hexadecimal digits (RFC 9112 §7.1)");
        // chunk-ext = *( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] ) (RFC 9112 §7.1.1)
        boolean valid = Syntax.endOfParameters(bytes, sizeEnd, end, false) == end;
        refuseIf(!valid, 400, "bad_chunk_extension: breaks its grammar (RFC 9112 §7.1.1)");
        long length = 0;
        // never multiplied beyond the limit, so it cannot overflow
        for (int i = from; i < sizeEnd && length <= limits.requestSize(); i++) {
            length = length * 16 + Character.digit(bytes[i], 16);
        }
        beginBlock(length);
        continueExpected = false;
        fieldCount = 0;
        state = blockLeft == 0 ? State.TRAILER : State.CHUNK_DATA;
    }

    /** Exactly CRLF: a wrong byte is refused as soon as it is here. */
    private boolean readChunkEnd() throws HttpError {
        int from = input.position;
        int count = Math.min(input.available(), 2);
        boolean right = Syntax.equals(input.bytes, from, from + count, "\r\n".substring(0, count));
        refuseIf(!right, 400, "bad_chunk_end: chunk data is not followed by CRLF (RFC 9112 §7.1)");
        if (count < 2) return false;
        input.position = from + 2;
        size += input.discard();
        state = State.CHUNK_SIZE;
        return true;
    }
}
