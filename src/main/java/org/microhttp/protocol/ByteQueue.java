package org.microhttp.protocol;

import static org.microhttp.protocol.Refusal.*;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Received bytes that are not yet consumed, in one array so that a line can be read in place.
 * <pre>
 *   bytes  ....|consumed, kept|scanned, no CRLF|not scanned|....
 *              start          position         scanned     end
 * </pre>
 * At first the array is the caller's scratch array, until {@link #keep} copies the rest into the queue's own.
 * The queue's array doubles as bytes come, up to the most that can come, and shrinks to twice its content
 * when less than a quarter is used; see also {@link #moveFrom}. Each byte is scanned once, however it
 * arrives: the search for the end of a line goes on where it stopped.
 */
public final class ByteQueue {

    public static final byte[] NONE = new byte[0];

    private int start, scanned, end;

    /** The received bytes, and where the next line or block starts. */
    byte[] bytes = NONE;
    int position;

    /** Returns how many bytes are not yet consumed. */
    int available() { return end - position; }

    /** Returns how many consumed bytes are kept. */
    int consumed() { return position - start; }

    /**
     * Adds a buffer's bytes; if the queue is empty, they go into the scratch array, which has room for them.
     *
     * @param most how many bytes the queue will probably hold at most
     */
    void add(ByteBuffer source, byte[] scratch, int most) {
        int length = source.remaining();
        if (start == end) {
            reset(scratch);
        } else {
            makeRoom(length, most);
        }
        source.get(bytes, end, length);
        end += length;
    }

    /**
     * Moves bytes from another queue to the end of this one.
     *
     * @param whole whether exactly {@code most} bytes will be moved. If the first move has a quarter of them,
     *              the array is made for all; until they come, it has other bytes of the source at its end
     */
    void moveFrom(ByteQueue source, int length, int most, boolean whole) {
        if (bytes.length == 0) {
            // most bodies arrive at once; a copy, unlike a new array, is not cleared first
            int capacity = whole && most / 4 <= length ? most : length;
            bytes = Arrays.copyOfRange(source.bytes, source.position, source.position + capacity);
        } else {
            makeRoom(length, most);
            System.arraycopy(source.bytes, source.position, bytes, end, length);
        }
        source.position += length;
        end += length;
    }

    /**
     * Ends a step: bytes in the scratch array move into an array of exactly their number, and bytes in an
     * array that is too large into one of twice their number.
     */
    void keep(byte[] scratch) {
        int length = end - start;
        if (length == 0) {
            release();
        } else if (bytes == scratch) {
            resize(length);
        } else if (bytes.length / 4 > length) {
            resize(2 * length);
        }
    }

    /**
     * Makes room for more bytes. The array doubles, so that after the first move in a step bytes move only if
     * at least as many came or were consumed since the last move: the work stays linear.
     */
    private void makeRoom(int more, int most) {
        if (end + more <= bytes.length) return;
        int length = end - start;
        int doubled = (int) Math.min(2L * length, most);
        resize(Math.max(length + more, doubled));
    }

    private void resize(int capacity) {
        bytes = Arrays.copyOfRange(bytes, start, start + capacity);
        position -= start;
        scanned -= start;
        end -= start;
        start = 0;
    }

    /** Drops everything, the array included. */
    void release() { reset(NONE); }

    private void reset(byte[] array) {
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

    /** Drops the consumed bytes and returns how many there were. */
    int discard() {
        int length = consumed();
        start = position;
        return length;
    }

    /** Copies the kept bytes before an index of {@link #bytes}. */
    byte[] copy(int to) { return Arrays.copyOfRange(bytes, start, to); }

    /** Returns all bytes, none of which was consumed, in an array of that length: the queue's own if full. */
    byte[] toArray() { return end == bytes.length ? bytes : Arrays.copyOf(bytes, end); }

    /** Takes all bytes, none of which was consumed. */
    ByteBuffer take() {
        ByteBuffer taken = ByteBuffer.wrap(toArray());
        release();
        return taken;
    }
}
