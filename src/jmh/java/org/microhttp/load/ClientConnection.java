package org.microhttp.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One connection of the load client: keeps a batch of requests in flight, and counts answers by their
 * Content-Length, whatever pieces they come in. Owns no buffer but a piece of an answer's head, if one came.
 */
final class ClientConnection {

    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = new byte[0];

    private final SocketChannel channel;
    private final ByteBuffer batch;
    private final int batchSize;
    private ByteBuffer unsent;
    private byte[] piece = NOTHING;
    private long bodyLeft;

    /** How many answers came, how many are still to come, and when their requests were sent. */
    long answers;
    int awaited;
    long sentAt;

    ClientConnection(SocketChannel channel, ByteBuffer batch, int batchSize) {
        this.channel = channel;
        this.batch = batch;
        this.batchSize = batchSize;
    }

    /** Sends a batch of requests. */
    void send(SelectionKey key, long now) throws IOException {
        sentAt = now;
        awaited = batchSize;
        unsent = batch.duplicate();
        resume(key);
    }

    /** Sends what the socket did not take before; waits for it to be writable only when it must. */
    void resume(SelectionKey key) throws IOException {
        if (unsent == null) return;
        channel.write(unsent);
        boolean all = !unsent.hasRemaining();
        if (all) unsent = null;
        int wanted = all ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        if (key.interestOps() != wanted) key.interestOps(wanted);
    }

    /** Takes received bytes; true when the last answer of the batch is complete. */
    boolean receive(byte[] received, int count) throws IOException {
        byte[] bytes = received;
        int end = count;
        if (piece.length > 0) {
            end = piece.length + count;
            bytes = Arrays.copyOf(piece, end);
            System.arraycopy(received, 0, bytes, piece.length, count);
            piece = NOTHING;
        }
        for (int at = 0; at < end; ) {
            if (awaited == 0) throw new IOException("more came than was asked for");
            if (bodyLeft == 0) {
                int head = endOfHead(bytes, at, end);
                if (head < 0) {
                    piece = Arrays.copyOfRange(bytes, at, end);
                    return false;
                }
                // so that an answer without a body is complete at its head, too
                bodyLeft = 1 + bodyLength(bytes, at, head);
                at = head - 1;
            }
            long taken = Math.min(bodyLeft, end - at);
            at += (int) taken;
            bodyLeft -= taken;
            if (bodyLeft == 0) {
                answers++;
                awaited--;
            }
        }
        return awaited == 0;
    }

    /** The index after the empty line, or -1. */
    private static int endOfHead(byte[] bytes, int from, int to) {
        for (int i = from + 3; i < to; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') return i + 1;
        }
        return -1;
    }

    private static long bodyLength(byte[] bytes, int from, int to) throws IOException {
        if (bytes[from + 9] != '2') throw new IOException("answered: " + line(bytes, from));
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n' && isLength(bytes, i + 1, to)) {
                return Long.parseLong(line(bytes, i + 1 + LENGTH.length).strip());
            }
        }
        throw new IOException("answered without Content-Length");
    }

    private static boolean isLength(byte[] bytes, int from, int to) {
        int i = 0;
        while (i < LENGTH.length && from + i < to && (bytes[from + i] | 0x20) == (LENGTH[i] | 0x20)) i++;
        return i == LENGTH.length;
    }

    private static String line(byte[] bytes, int from) {
        int end = from;
        while (bytes[end] != '\r') end++;
        return new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
    }
}
