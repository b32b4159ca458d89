package org.microhttp.extras.websocket;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates the messages of one client, each separately (RFC 7692 §7.2.2): begin, then give and inflate
 * arrived bytes until none is left, then the same with the end of the message, then end. It has memory only
 * while a message is unfinished; a new Inflater costs no more time than a reused one. For the loop's thread,
 * except {@link #close}.
 */
final class Decompression {

    /** Memory for one message, in bytes: zlib's state and window, which are native, and two pieces. */
    static final int HELD = 48 * 1024;

    private static final int PIECE = 4 * 1024;

    /**
     * Most bytes inflated in one turn of the loop: about a millisecond. Otherwise a client that sends 64 KiB
     * could have 64 MiB inflated at once.
     */
    private static final int MOST_IN_TURN = 256 * 1024;

    /** The cost of a call itself, as a number of inflated bytes. */
    private static final int CALL = 512;

    /**
     * The empty block that the client has removed (§7.2.1), then a final block, which zlib finishes only if
     * the message was complete.
     */
    private static final byte[] END = {0, 0, -1, -1, 3, 0};

    /** The next compressed bytes, and the inflated ones; null between messages. */
    byte[] input;
    byte[] output;

    /** Null between messages, and once closed. */
    private Inflater inflater;
    private boolean closed;

    /** The bytes that zlib reads, and their end. */
    private byte[] given;
    private int limit;

    /** Whether bytes are left to inflate; whether the input ends with a final block. */
    private boolean hasMore;
    private boolean atEnd;

    /** Whether the end of the message is given. */
    private boolean ending;

    private int leftInTurn = MOST_IN_TURN;

    /** Begins a turn, with a new limit of inflated bytes. */
    void beginTurn() {
        leftInTurn = MOST_IN_TURN;
    }

    /** {@return whether nothing more may be inflated in this turn} */
    boolean isExhausted() {
        return leftInTurn <= 0;
    }

    /** {@return whether {@link #inflate} is to be called before more is given} */
    boolean hasMore() {
        return hasMore;
    }

    /** Begins a message. */
    synchronized void begin() throws ConnectionFailure {
        if (closed) {
            throw closedFailure();
        }
        assert isIdle();
        inflater = new Inflater(true);
        input = new byte[PIECE];
        output = new byte[PIECE];
        ending = false;
    }

    /** Gives zlib the first bytes of {@link #input}. */
    void give(int count) throws ConnectionFailure {
        give(input, count);
    }

    /** Gives the end of the message; false if it was given before. */
    boolean giveEnd() throws ConnectionFailure {
        if (ending) {
            return false;
        }
        ending = true;
        give(END, END.length);
        return true;
    }

    private synchronized void give(byte[] bytes, int count) throws ConnectionFailure {
        given = bytes;
        limit = count;
        open().setInput(bytes, 0, count);
        hasMore = true;
    }

    /** {@return whether no memory is used: between messages, and once closed} */
    synchronized boolean isIdle() {
        return inflater == null;
    }

    private Inflater open() throws ConnectionFailure {
        if (inflater == null) {
            throw closedFailure();
        }
        return inflater;
    }

    /** {@return the number of bytes inflated to {@link #output}} */
    synchronized int inflate() throws ConnectionFailure {
        Inflater open = open();
        try {
            int count = open.inflate(output);
            leftInTurn -= count + CALL;
            // if the output is full, zlib may have more output for input that it has read
            hasMore = count == output.length || !open.needsInput();
            atEnd = open.finished();
            if (atEnd) {
                goOn(open);
            }
            return count;
        } catch (DataFormatException e) {
            throw failure("a message is not compressed as DEFLATE is (RFC 7692 §7.2.2)");
        }
    }

    /** A final block need not be the last (RFC 7692 §7.2.3.5). */
    private void goOn(Inflater open) {
        int rest = open.getRemaining();
        hasMore = rest > 0;
        atEnd = rest == 0;
        open.reset();
        open.setInput(given, limit - rest, rest);
    }

    /** Ends the message, whose end is given and inflated. */
    synchronized void end() throws ConnectionFailure {
        boolean whole = atEnd;
        release();
        input = null;
        output = null;
        given = null;
        if (!whole) {
            throw failure("a compressed message does not end with a block (RFC 7692 §7.2.1)");
        }
    }

    /** Ends decompression, and releases its native memory, on any thread. */
    synchronized void close() {
        closed = true;
        release();
    }

    private void release() {
        if (inflater != null) {
            inflater.end();
        }
        inflater = null;
    }

    private static ConnectionFailure failure(String rule) {
        return new ConnectionFailure(CloseStatus.PROTOCOL_ERROR, rule);
    }

    private static ConnectionFailure closedFailure() {
        return new ConnectionFailure(CloseStatus.NO_MEMORY.code(), CloseStatus.NO_MEMORY.reason());
    }
}
