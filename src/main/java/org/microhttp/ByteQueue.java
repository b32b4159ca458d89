package org.microhttp;

import static org.microhttp.Syntax.refuseIf;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Received bytes that are not yet consumed, in one array so that a line can be read in place.
 * <pre>
 *   bytes  ....|consumed, kept|being scanned|not looked at|....
 *            start         position      scanned         end
 * </pre>
 * The array is the loop's, lent for the turn that read it, until {@link #keep} copies what is left of it into
 * one of the queue's own. An own array grows by doubling, with what has come and never with what was
 * declared; it is counted by the {@link Budget}, and let go when empty. Each byte is scanned once however it
 * arrives: a line is searched on from where the search ended.
 */
final class ByteQueue {

    static final byte[] NONE = new byte[0];

    private final Budget budget;
    private boolean lent;
    private int start, scanned, end;

    /**
     * What was received, and where in it the next line or block starts; what is before is kept until
     * discarded.
     */
    byte[] bytes = NONE;
    int position;
    private long work;

    ByteQueue(Budget budget) { this.budget = budget; }

    /** How many bytes are waiting, not yet consumed. */
    int available() { return end - position; }

    /** How many consumed bytes are kept. */
    int kept() { return position - start; }

    /**
     * Bytes looked at and bytes moved so far: what a test counts to show that work grows with the input
     * alone.
     */
    long work() { return work; }

    /** Adds what the buffer holds; into the scratch array, which has room for it, if the queue is empty. */
    void add(ByteBuffer source, byte[] scratch) throws HttpError {
        int length = source.remaining();
        if (start == end) lend(scratch);
        else own(length);
        source.get(bytes, end, length);
        end += length;
        work += length;
    }

    /** Moves bytes from another queue to the end of this one. */
    void add(ByteQueue source, int length) throws HttpError {
        if (bytes == NONE) {
            // most bodies come whole: a copy, unlike a new array, is not cleared first
            budget.take(length);
            bytes = source.copy(source.kept(), source.position + length);
        } else {
            own(length);
            System.arraycopy(source.bytes, source.position, bytes, end, length);
        }
        source.position += length;
        end += length;
        work += length;
    }

    /** Ends the turn: what is left moves out of the array that was lent. */
    void keep() throws HttpError { if (start == end) release(); else if (lent) own(0); }

    /**
     * Makes room for more bytes behind the end, in an array of the queue's own. Bytes are moved only when at
     * least as many came or went since the last move, so that the work stays linear.
     */
    private void own(int more) throws HttpError {
        int length = end - start;
        int capacity = lent ? 0 : bytes.length;
        if (end + more <= capacity) return;
        int wanted = Math.max(length + more, lent ? 0 : 2 * length);
        budget.take(wanted - capacity);
        bytes = Arrays.copyOfRange(bytes, start, start + wanted);
        work += length;
        lent = false;
        position -= start;
        scanned -= start;
        start = 0;
        end = length;
    }

    /** Drops everything, the array included. */
    void release() { lend(NONE); lent = false; }

    private void lend(byte[] array) {
        if (!lent) budget.giveBack(bytes.length);
        bytes = array;
        lent = true;
        start = position = scanned = end = 0;
    }

    /**
     * Finds the end of the line at the position: the index of its CRLF, or -1 while there is none among the
     * first {@code max} bytes from the start. Refuses at once what may stand in no line.
     */
    int findLineEnd(int max) throws HttpError {
        int stop = Math.min(end - start, max) + start;
        int from = Math.max(scanned, position);
        int at = scanned = Syntax.endOfText(bytes, from, stop);
        work += at - from + 1;
        if (at == stop) return -1;
        refuseIf(bytes[at] == '\n', 400, "bare_lf: a LF without CR before it (RFC 9112 §2.2)");
        refuseIf(bytes[at] != '\r', 400, "control_character: a control character in a line (RFC 9110 §5.5)");
        if (at + 1 == stop) return -1;
        refuseIf(bytes[at + 1] != '\n', 400, "bare_cr: a CR without LF after it (RFC 9112 §2.2)");
        return at;
    }

    /** Lets go of the consumed bytes and says how many there were. */
    int discard() { int length = kept(); start = position; return length; }

    /** Copies from an offset of the bytes that are kept up to an index of {@link #bytes}. */
    byte[] copy(int offset, int to) { return Arrays.copyOfRange(bytes, start + offset, to); }

    /** Hands over all bytes in an array of their number, and is empty. */
    byte[] takeAll() {
        byte[] all = end == bytes.length ? bytes : Arrays.copyOf(bytes, end);
        release();
        return all;
    }
}
