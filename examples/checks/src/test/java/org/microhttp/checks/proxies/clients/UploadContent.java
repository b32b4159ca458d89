package org.microhttp.checks.proxies.clients;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/** What a client sends: blocks of random bytes, so that none can be lost, doubled or moved unnoticed. */
record UploadContent(long length) {

    private static final int BLOCK = 1 << 16;

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

    private static byte[] block(long at, long most) {
        var block = new byte[(int) Math.min(BLOCK, most - at)];
        new SplittableRandom(at).nextBytes(block);
        return block;
    }

    /** {@return the hash of all, as the server has to give it} */
    String hash() {
        var hash = new Hash();
        for (long at = 0; at < length; at += BLOCK) {
            hash.add(ByteBuffer.wrap(block(at, length)));
        }
        return hash.toString();
    }

    /** Writes the first bytes, and closes nothing. */
    void writeTo(OutputStream out, long most) throws IOException {
        for (long at = 0; at < most; at += BLOCK) {
            out.write(block(at, most));
        }
        out.flush();
    }
}
