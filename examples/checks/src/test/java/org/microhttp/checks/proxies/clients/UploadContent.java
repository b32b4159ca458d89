package org.microhttp.checks.proxies.clients;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * What a client sends: blocks of 64 KiB, each of which begins with random bytes of its own, so that none can
 * be lost, doubled or moved unnoticed.
 *
 * @param length of all
 * @param random how many bytes of a block are random; zeros follow, which take no place in a file
 */
record UploadContent(long length, int random) {

    private static final int BLOCK = 1 << 16;

    /** For programs, which read it from a pipe. */
    static UploadContent dense(long length) {
        return new UploadContent(length, BLOCK);
    }

    /** For a browser, which reads a file. */
    static UploadContent sparse(long length) {
        return new UploadContent(length, 1 << 12);
    }

    /** What comes, as it comes. */
    static final class Hash {

        private final MessageDigest digest;
        private long length;

        Hash() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }

        void add(ByteBuffer buffer) {
            length += buffer.remaining();
            digest.update(buffer);
        }

        long length() {
            return length;
        }

        /** To be called once. */
        @Override
        public String toString() {
            return HexFormat.of().formatHex(digest.digest()) + " " + length;
        }
    }

    private interface Sink {

        void take(ByteBuffer random, ByteBuffer zeros) throws IOException;
    }

    private void pass(long most, Sink sink) throws IOException {
        var block = new byte[BLOCK];
        var start = new byte[random];
        for (long at = 0; at < most; at += BLOCK) {
            new SplittableRandom(at).nextBytes(start);
            System.arraycopy(start, 0, block, 0, random);
            int size = (int) Math.min(BLOCK, most - at);
            int split = Math.min(size, random);
            sink.take(ByteBuffer.wrap(block, 0, split), ByteBuffer.wrap(block, split, size - split));
        }
    }

    /** {@return the hash of all, as the server has to give it} */
    String hash() throws IOException {
        var hash = new Hash();
        pass(length, (random, zeros) -> {
            hash.add(random);
            hash.add(zeros);
        });
        return hash.toString();
    }

    /** Writes the first bytes, and closes nothing. */
    void writeTo(OutputStream out, long most) throws IOException {
        pass(most, (random, zeros) -> {
            out.write(random.array(), 0, random.remaining() + zeros.remaining());
        });
        out.flush();
    }

    /** Makes a file with holes for the zeros. */
    void writeTo(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            pass(length, (random, zeros) -> {
                channel.write(random);
                channel.position(channel.position() + zeros.remaining());
            });
        }
        writeHole(file, length);
    }

    /** Makes a file as long as that, of zeros where there is nothing. */
    static void writeHole(Path file, long length) throws IOException {
        try (var all = new RandomAccessFile(file.toFile(), "rw")) {
            all.setLength(length);
        }
    }
}
