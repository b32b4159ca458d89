package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Makes control frames and whole messages (RFC 6455 §5.2) from a client's bytes, however these are cut, and
 * inflates compressed messages (RFC 7692). The reader keeps an unfinished message in at most twice its bytes,
 * and between messages nothing. Bytes are checked as soon as they arrive; after a failure the reader is
 * finished. For one thread, except {@link #close}.
 * <pre>
 *   OPCODE -> LENGTH -> [EXTENDED_LENGTH] -> KEY -> PAYLOAD -> OPCODE
 * </pre>
 */
final class FrameReader {

    /** What the next byte belongs to. */
    private enum Part { OPCODE, LENGTH, EXTENDED_LENGTH, KEY, PAYLOAD }

    /** The part of a payload that has arrived, unmasked. */
    private static final class Collected {

        private static final byte[] NONE = {};

        private byte[] bytes = NONE;
        private int size;

        /** The capacity for more bytes. It doubles: many small fragments cost no more than a large one. */
        private int capacity(int count, long mostSize) {
            int needed = size + count;
            long doubled = Math.min(2L * bytes.length, mostSize);
            return needed <= bytes.length ? bytes.length : (int) Math.max(needed, doubled);
        }

        private void add(ByteBuffer input, int count, int capacity) {
            if (capacity > bytes.length) {
                bytes = Arrays.copyOf(bytes, capacity);
            }
            input.get(bytes, size, count);
            size += count;
        }

        private ByteBuffer content() {
            return ByteBuffer.wrap(bytes, 0, size);
        }
    }

    private static final int RESERVED_BITS = 0x30;
    private static final int OPCODE_BITS = 0x0F;
    private static final int MASKED = 0x80;

    private final int maxMessageSize;
    private final Share share;

    /** Inflates compressed messages; null if compression was not agreed on. */
    final Decompression decompression;

    /** The part that is read now; in the header, its value so far and how many bytes of it are missing. */
    private Part part = Part.OPCODE;
    private long number;
    private int awaited = 1;

    /** The frame that is read: FIN and opcode; its length, and the least one for this form of a length. */
    private boolean last;
    private int opcode;
    private long length;
    private int least;
    private int key;

    /** How many bytes of the payload are missing. */
    private long left;

    /** The unfinished message; control frames may come between its fragments (§5.4). Null for none. */
    private Collected message;

    /** Checks that message; null for a binary one. */
    private Utf8Check text;

    /** Whether that message is compressed. */
    private boolean compressed;

    /** The payload of a control frame; null for none. */
    private Collected control;

    /** @param maxMessageSize largest message, and so largest frame, in bytes */
    FrameReader(int maxMessageSize) {
        this(maxMessageSize, new Share(new SharedMemory(Long.MAX_VALUE), why -> { }), null);
    }

    /**
     * @param share         counts what the reader keeps
     * @param decompression for compressed messages; null if they are not allowed
     */
    FrameReader(int maxMessageSize, Share share, Decompression decompression) {
        this.maxMessageSize = maxMessageSize;
        this.share = share;
        this.decompression = decompression;
    }

    /** Begins a turn of the loop, with a new limit of inflated bytes. */
    void beginTurn() {
        if (decompression != null) {
            decompression.beginTurn();
        }
    }

    /** {@return whether this turn's limit of inflated bytes is reached; nothing more is read in this turn} */
    boolean isExhausted() {
        return decompression != null && decompression.isExhausted();
    }

    /** Releases native memory, on any thread. Nothing more can be inflated. */
    void close() {
        if (decompression != null) {
            decompression.close();
        }
    }

    /**
     * Reads up to the end of the next control frame or message.
     *
     * @param input is read from its position on
     * @return the frame; null if the input ends before it is whole, or the reader {@linkplain #isExhausted is
     *         exhausted}
     * @throws ConnectionFailure if a rule is broken, or a message is too large
     */
    Frame next(ByteBuffer input) throws ConnectionFailure {
        Frame whole = null;
        while (whole == null && !isExhausted() && (goesOn() || input.hasRemaining())) {
            if (part != Part.PAYLOAD) {
                readHeader(input.get() & 0xFF);
            } else if (isInflating()) {
                inflate();
            } else if (left > 0) {
                readPayload(input);
            } else if (Frame.isControl(opcode)) {
                whole = takeControl();
            } else if (!last || !compressed || !decompression.giveEnd()) {
                whole = takeMessage();
            }
        }
        return whole;
    }

    /** Whether there is something to do without more input. */
    private boolean goesOn() {
        return part == Part.PAYLOAD && (left == 0 || isInflating());
    }

    /** Whether this is no control frame, and has bytes that are not inflated yet. */
    private boolean isInflating() {
        return compressed && !Frame.isControl(opcode) && decompression.hasMore();
    }

    private void expect(Part next, int bytes) {
        part = next;
        number = 0;
        awaited = bytes;
    }

    private void readHeader(int value) throws ConnectionFailure {
        number = number << 8 | value;
        awaited--;
        if (awaited > 0) {
            return;
        }
        switch (part) {
            case OPCODE -> readOpcode();
            case LENGTH -> readLength();
            case EXTENDED_LENGTH -> endLength();
            case KEY -> beginPayload();
            case PAYLOAD -> throw new IllegalStateException();
        }
    }

    private void readOpcode() throws ConnectionFailure {
        last = (number & Frame.FIN) != 0;
        opcode = (int) number & OPCODE_BITS;
        boolean isCompressed = (number & Frame.COMPRESSED) != 0;
        // no agreed extension gives these bits a meaning
        boolean reserved = (number & RESERVED_BITS) != 0 || isCompressed && decompression == null;
        refuseIf(reserved, "a reserved bit is set (RFC 6455 §5.2)");
        boolean known = opcode <= Frame.BINARY || opcode >= Frame.CLOSE && opcode <= Frame.PONG;
        refuseIf(!known, "a reserved opcode (RFC 6455 §5.2)");
        boolean continues = opcode == Frame.CONTINUATION;
        if (Frame.isControl(opcode)) {
            refuseIf(!last, "a control frame is fragmented (RFC 6455 §5.5)");
            refuseIf(isCompressed, "a control frame is compressed (RFC 7692 §6.1)");
        } else {
            refuseIf(continues && message == null, "a fragment of no message (RFC 6455 §5.4)");
            refuseIf(!continues && message != null, "a message within another (RFC 6455 §5.4)");
            refuseIf(continues && isCompressed, "not the first fragment is compressed (RFC 7692 §6.1)");
            compressed = continues ? compressed : isCompressed;
        }
        expect(Part.LENGTH, 1);
    }

    private void readLength() throws ConnectionFailure {
        refuseIf((number & MASKED) == 0, "a frame of a client is not masked (RFC 6455 §5.1)");
        number &= ~MASKED;
        boolean tooLong = Frame.isControl(opcode) && number > Frame.SHORT;
        refuseIf(tooLong, "a control frame is too long (RFC 6455 §5.5)");
        if (number <= Frame.SHORT) {
            least = 0;
            endLength();
        } else {
            boolean two = number == Frame.TWO_BYTES;
            least = two ? Frame.SHORT + 1 : Frame.MEDIUM + 1;
            expect(Part.EXTENDED_LENGTH, two ? Short.BYTES : Long.BYTES);
        }
    }

    /** The length of a compressed message is known, and limited, during inflation. */
    private void endLength() throws ConnectionFailure {
        length = number;
        // "the minimal number of bytes MUST be used"; a length whose first bit is set is negative
        refuseIf(length < least, "a length is not in its shortest form, or has its first bit set"
                + " (RFC 6455 §5.2)");
        int before = message == null ? 0 : message.size;
        if (!Frame.isControl(opcode) && !compressed) {
            refuseAbove(maxMessageSize - before, length);
        }
        expect(Part.KEY, Integer.BYTES);
    }

    private void refuseAbove(int most, long bytes) throws ConnectionFailure {
        if (bytes > most) {
            throw new ConnectionFailure(CloseStatus.TOO_LARGE,
                    "a message has more than " + maxMessageSize + " bytes (RFC 6455 §7.4.1)");
        }
    }

    private void beginPayload() throws ConnectionFailure {
        key = (int) number;
        left = length;
        part = Part.PAYLOAD;
        if (Frame.isControl(opcode)) {
            control = new Collected();
        } else if (opcode != Frame.CONTINUATION) {
            message = new Collected();
            text = opcode == Frame.TEXT ? new Utf8Check() : null;
            if (compressed) {
                hold(Decompression.HELD);
                decompression.begin();
            }
        }
    }

    private void readPayload(ByteBuffer input) throws ConnectionFailure {
        if (compressed && !Frame.isControl(opcode)) {
            readCompressed(input);
            return;
        }
        Collected target = Frame.isControl(opcode) ? control : message;
        int from = target.size;
        int count = (int) Math.min(left, input.remaining());
        int capacity = target.capacity(count, last ? from + left : maxMessageSize);
        boolean waits = target == message && (count < left || !last);
        // a message that comes whole is not counted: its memory is used only while the listener runs
        if (waits) {
            hold(capacity);
        }
        target.add(input, count, capacity);
        unmask(target.bytes, from, target.size, (int) (length - left));
        left -= count;
        boolean valid = target == control || text == null || text.accepts(target.bytes, from, target.size);
        refuseTextIf(!valid);
    }

    private void hold(long bytes) throws ConnectionFailure {
        if (!share.receive(bytes)) {
            throw new ConnectionFailure(CloseStatus.NO_MEMORY.code(), CloseStatus.NO_MEMORY.reason());
        }
    }

    private void readCompressed(ByteBuffer input) throws ConnectionFailure {
        byte[] bytes = decompression.input;
        int count = (int) Math.min(left, Math.min(bytes.length, input.remaining()));
        input.get(bytes, 0, count);
        unmask(bytes, 0, count, (int) (length - left));
        left -= count;
        decompression.give(count);
    }

    private void inflate() throws ConnectionFailure {
        int count = decompression.inflate();
        byte[] bytes = decompression.output;
        refuseAbove(maxMessageSize - message.size, count);
        int capacity = message.capacity(count, maxMessageSize);
        hold(Decompression.HELD + capacity);
        message.add(ByteBuffer.wrap(bytes), count, capacity);
        refuseTextIf(text != null && !text.accepts(bytes, 0, count));
    }

    /** Byte i of the payload was combined with byte i modulo 4 of the key (§5.3). */
    private void unmask(byte[] bytes, int from, int to, int position) {
        int shift = 24 - 8 * (position & 3);
        for (int i = from; i < to; i++) {
            bytes[i] ^= (byte) (key >>> shift);
            shift = shift - 8 & 24;
        }
    }

    private Frame takeControl() throws ConnectionFailure {
        expect(Part.OPCODE, 1);
        var frame = new Frame(opcode, control.content());
        control = null;
        if (opcode == Frame.CLOSE) {
            CloseStatus.parse(frame.payload());
        }
        return frame;
    }

    /** {@return the message; null if more fragments follow} */
    private Frame takeMessage() throws ConnectionFailure {
        expect(Part.OPCODE, 1);
        if (!last) {
            // a message with empty fragments counts, too, so that its time is limited
            share.receive(compressed ? Decompression.HELD + message.bytes.length
                    : Math.max(1, message.bytes.length));
            return null;
        }
        if (compressed) {
            decompression.end();
        }
        refuseTextIf(text != null && !text.isComplete());
        var frame = new Frame(text == null ? Frame.BINARY : Frame.TEXT, message.content());
        message = null;
        text = null;
        share.receive(0);
        return frame;
    }

    private static void refuseIf(boolean broken, String rule) throws ConnectionFailure {
        if (broken) {
            throw new ConnectionFailure(CloseStatus.PROTOCOL_ERROR, rule);
        }
    }

    private static void refuseTextIf(boolean broken) throws ConnectionFailure {
        if (broken) {
            throw new ConnectionFailure(CloseStatus.INVALID_TEXT, "a text is not UTF-8 (RFC 6455 §8.1)");
        }
    }
}
