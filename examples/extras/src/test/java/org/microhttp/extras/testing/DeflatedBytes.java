package org.microhttp.extras.testing;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.*;

/** The payload of a compressed message as RFC 7692 §7.2 has it, each for itself. */
public final class DeflatedBytes {

    /** RSV1, which the first frame of the message has. */
    public static final int BIT = 0x40;

    /** What an empty block ends with, which is not sent. */
    private static final byte[] TAIL = {0, 0, -1, -1};

    private DeflatedBytes() {
    }

    public static byte[] deflate(byte[] message) {
        return deflate(message, Deflater.DEFAULT_COMPRESSION);
    }

    /** @param level of {@link Deflater} */
    public static byte[] deflate(byte[] message, int level) {
        var deflater = new Deflater(level, true);
        deflater.setInput(message);
        var piece = new byte[message.length + 1000];
        int count = deflater.deflate(piece, 0, piece.length, Deflater.SYNC_FLUSH);
        deflater.end();
        return Arrays.copyOf(piece, count - TAIL.length);
    }

    /** Fails if something is wrong with it, even at its end. */
    public static byte[] inflate(byte[] payload) {
        var inflater = new Inflater(true);
        byte[] input = Arrays.copyOf(payload, payload.length + TAIL.length);
        System.arraycopy(TAIL, 0, input, payload.length, TAIL.length);
        inflater.setInput(input);
        var message = new ByteArrayOutputStream();
        var piece = new byte[1000];
        try {
            for (int count = inflater.inflate(piece); count > 0; count = inflater.inflate(piece)) {
                message.write(piece, 0, count);
            }
        } catch (DataFormatException e) {
            throw new IllegalArgumentException(e);
        }
        inflater.end();
        return message.toByteArray();
    }
}
