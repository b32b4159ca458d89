package org.microhttp;

import static org.microhttp.Refusal.*;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Received bytes that are not yet consumed, in one array so that a line can be read in place.
 * <pre>
 *   bytes  ....|consumed, kept|being scanned|not looked at|....
 *            start         position      scanned         end
 * </pre>
 * The array is the loop's, borrowed for the turn that read it, until {@link #keep} copies what is left of it
 * into one of the queue's own. An own array grows by doubling, with what has come, and no further than the
 * most that can come, and is cut to twice what it holds when three quarters of it are not needed any more.
 * Each byte is scanned once however it arrives: a line is searched on from where the search ended.
 */
final class ByteQueue {

    static final byte[] NONE = new byte[0];

    private boolean borrowed;
    private int start, scanned, end;

    /**
     * What was received, and where in it the next line or block starts; what is before is kept until
     * discarded.
     */
    byte[] bytes = NONE;
    int position;

    /** How many bytes are waiting, not yet consumed. */
    int available() { return end - position; }

    /** How many consumed bytes are kept. */
    int consumed() { return position - start; }

    /** How many bytes of memory are the queue's own. */
    int capacity() { return borrowed ? 0 : bytes.length; }

    /**
     * Adds what the buffer holds; into the scratch array, which has room for it, if the queue is empty.
     *
     * @param most how many bytes the queue will hold at most, so far as is known
     */
    void add(ByteBuffer source, byte[] scratch, int most) {
        int length = source.remaining();
        if (start == end) {
            borrow(scratch);
        } else {
            makeRoom(length, most);
        }
        source.get(bytes, end, length);
        end += length;
    }

    /** Moves bytes from another queue to the end of this one. */
    void add(ByteQueue source, int length, int most) {
        if (bytes == NONE) {
            // most bodies come whole: a copy, unlike a new array, is not cleared first
            bytes = Arrays.copyOfRange(source.bytes, source.position, source.position + length);
        } else {
            makeRoom(length, most);
            System.arraycopy(source.bytes, source.position, bytes, end, length);
        }
        source.position += length;
        end += length;
    }

    /**
     * Ends the turn: what is left moves out of the array that was borrowed, or out of one that is too large.
     * That leaves room, so that it is not enlarged by the next byte.
     */
    void keep() {
        int length = end - start;
        if (length == 0) {
            release();
        } else if (borrowed) {
            moveTo(length);
        } else if (bytes.length / 4 > length) {
            moveTo(2 * length);
        }
    }

    /**
     * Makes room for more bytes behind the end. Bytes are moved only when at least as many came or went since
     * the last move, so that the work stays linear.
     */
    private void makeRoom(int more, int most) {
        if (end + more <= capacity()) return;
        int length = end - start;
        int doubled = (int) Math.min(2L * length, most);
        moveTo(Math.max(length + more, doubled));
    }

    private void moveTo(int capacity) {
        bytes = Arrays.copyOfRange(bytes, start, start + capacity);
        borrowed = false;
        position -= start;
        scanned -= start;
        end -= start;
        start = 0;
    }

    /** Drops everything, the array included. */
    void release() { borrow(NONE); }

    private void borrow(byte[] array) {
        bytes = array;
        borrowed = true;
        start = 0;
        position = 0;
        scanned = 0;
        end = 0;
    }

    /**
     * Finds the end of the line at the position: the index of its CRLF, or -1 while there is none among the
     * first {@code max} bytes from the start. Refuses at once what may stand in no line.
     */
    int findLineEnd(int max) {
        int stop = start + Math.min(end - start, max);
        scanned = Syntax.endOfText(bytes, Math.max(scanned, position), stop);
        if (scanned == stop) return -1;
        BARE_LF.when(bytes[scanned] == '\n');
        CONTROL_CHARACTER.when(bytes[scanned] != '\r');
        if (scanned + 1 == stop) return -1;
        BARE_CR.when(bytes[scanned + 1] != '\n');
        return scanned;
    }

    /** Lets go of the consumed bytes and says how many there were. */
    int discard() {
        int length = consumed();
        start = position;
        return length;
    }

    /** Copies the bytes that are kept up to an index of {@link #bytes}. */
    byte[] copy(int to) { return Arrays.copyOfRange(bytes, start, to); }

    /** All bytes, none of which was consumed, in an array of their number: its own, if that is just full. */
    byte[] toArray() { return end == bytes.length ? bytes : Arrays.copyOf(bytes, end); }
}
