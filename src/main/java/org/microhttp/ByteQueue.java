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
 * The array is the loop's, borrowed for the turn that read into it, until {@link #keep} copies the rest into
 * an array of the queue's own. That one doubles as bytes come, up to the most that can come, and is cut to
 * twice what it holds when it holds less than a quarter of its length. Each byte is scanned once, however it
 * arrives: the search for the end of a line goes on where it stopped.
 */
final class ByteQueue {

    static final byte[] NONE = new byte[0];

    private int start, scanned, end;

    /** What was received, and where in it the next line or block starts. */
    byte[] bytes = NONE;
    int position;

    /** How many bytes are not yet consumed. */
    int available() { return end - position; }

    /** How many consumed bytes are kept. */
    int consumed() { return position - start; }

    /**
     * Adds what the buffer holds, to the scratch array, which has room for it, if the queue is empty.
     *
     * @param most how many bytes the queue will probably hold at most
     */
    void add(ByteBuffer source, byte[] scratch, int most) {
        int length = source.remaining();
        if (start == end) {
            begin(scratch);
        } else {
            makeRoom(length, most);
        }
        source.get(bytes, end, length);
        end += length;
    }

    /** Moves bytes from another queue to the end of this one. */
    void move(ByteQueue source, int length, int most) {
        if (bytes.length == 0) {
            // most bodies come whole; a copy, unlike a new array, is not cleared first
            bytes = Arrays.copyOfRange(source.bytes, source.position, source.position + length);
        } else {
            makeRoom(length, most);
            System.arraycopy(source.bytes, source.position, bytes, end, length);
        }
        source.position += length;
        end += length;
    }

    /**
     * Ends a step: what is left moves out of the scratch array into one of just its length, and out of an
     * array that is too large into one with room for as much again.
     */
    void keep(byte[] scratch) {
        int length = end - start;
        if (length == 0) {
            release();
        } else if (bytes == scratch) {
            moveTo(length);
        } else if (bytes.length / 4 > length) {
            moveTo(2 * length);
        }
    }

    /**
     * Makes room for more bytes. Bytes are moved only if at least as many came or went since the last move,
     * so the work stays linear.
     */
    private void makeRoom(int more, int most) {
        if (end + more <= bytes.length) return;
        int length = end - start;
        int doubled = (int) Math.min(2L * length, most);
        moveTo(Math.max(length + more, doubled));
    }

    private void moveTo(int capacity) {
        bytes = Arrays.copyOfRange(bytes, start, start + capacity);
        position -= start;
        scanned -= start;
        end -= start;
        start = 0;
    }

    /** Drops everything, the array included. */
    void release() { begin(NONE); }

    private void begin(byte[] array) {
        bytes = array;
        start = 0;
        position = 0;
        scanned = 0;
        end = 0;
    }

    /**
     * Finds the end of the line at the position: the index of its CRLF, or -1 while there is none among the
     * first {@code max} bytes from the start. Refuses at once a byte that no line may have.
     */
    int findLineEnd(int max) {
        int stop = start + Math.min(end - start, max);
        scanned = Syntax.endOfText(bytes, Math.max(scanned, position), stop);
        if (scanned == stop) return -1;
        BARE_LF.refuseIf(bytes[scanned] == '\n');
        CONTROL_CHARACTER.refuseIf(bytes[scanned] != '\r');
        if (scanned + 1 == stop) return -1;
        BARE_CR.refuseIf(bytes[scanned + 1] != '\n');
        return scanned;
    }

    /** Releases the consumed bytes and returns how many there were. */
    int discard() {
        int length = consumed();
        start = position;
        return length;
    }

    /** Copies the bytes that are kept up to an index of {@link #bytes}. */
    byte[] copy(int to) { return Arrays.copyOfRange(bytes, start, to); }

    /** All bytes, none of which was consumed, in an array of just that length: its own, if it is full. */
    byte[] toArray() { return end == bytes.length ? bytes : Arrays.copyOf(bytes, end); }

    /** Takes all bytes, likewise. */
    ByteBuffer take() {
        ByteBuffer taken = ByteBuffer.wrap(toArray());
        release();
        return taken;
    }
}
