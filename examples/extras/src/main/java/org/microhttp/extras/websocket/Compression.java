package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.Deflater;

/**
 * The agreement of a client and the server about permessage-deflate (RFC 7692 §7.1). Each message is
 * compressed separately, in both directions (no context takeover). So an idle connection needs no memory of
 * zlib, and a message is compressed once for all clients. The JDK fixes zlib's window at 15 bits. If a client
 * allows fewer, only messages that fit into its window are sent compressed. Safe for all threads.
 *
 * @param windowBits the client's limit, 8 to 15; 0 for none
 * @param minSize    the smallest message that is compressed, in bytes
 */
record Compression(int windowBits, int minSize) {

    private static final String NAME = "permessage-deflate";
    private static final int MOST_BITS = 15;

    /** Decimal, without leading zeros (§7.1.2). */
    private static final Pattern WINDOW_BITS = Pattern.compile("[89]|1[0-5]");

    /** Bytes of the empty block at the end of a compressed message, which are not sent (§7.2.1). */
    private static final int TAIL = 4;

    /**
     * Reads one element of Sec-WebSocket-Extensions, whose grammar is already checked.
     *
     * @return null to decline another extension, and an unknown, repeated or invalid parameter (§7.1)
     */
    static Compression of(String offer, int minSize) {
        String[] parts = offer.split(";");
        if (!parts[0].strip().equals(NAME)) {
            return null;
        }
        Set<String> names = new HashSet<>();
        int windowBits = 0;
        for (int i = 1; i < parts.length; i++) {
            String[] parameter = parts[i].split("=", 2);
            String name = parameter[0].strip();
            // quotes, and backslashes before characters, are no part of the value
            String value = parameter.length == 1 ? null : parameter[1].strip().replaceAll("[\"\\\\]", "");
            if (!names.add(name) || !isValid(name, value)) {
                return null;
            }
            windowBits = name.equals("server_max_window_bits") ? Integer.parseInt(value) : windowBits;
        }
        return new Compression(windowBits, minSize);
    }

    private static boolean isValid(String name, String value) {
        boolean bits = value != null && WINDOW_BITS.matcher(value).matches();
        return switch (name) {
            case "server_no_context_takeover", "client_no_context_takeover" -> value == null;
            case "server_max_window_bits" -> bits;
            // we can read any window, so we do not limit the client's
            case "client_max_window_bits" -> value == null || bits;
            default -> false;
        };
    }

    /** {@return the element of the response (§7.1)} */
    String response() {
        String all = NAME + "; server_no_context_takeover; client_no_context_takeover";
        return windowBits == 0 ? all : all + "; server_max_window_bits=" + windowBits;
    }

    /** Whether a message of this size may be compressed, and is worth it. */
    boolean isFor(int size) {
        boolean fits = windowBits == 0 || windowBits == MOST_BITS || size <= 1 << windowBits;
        return fits && size >= minSize;
    }

    /**
     * Compresses a message (§7.2.1). For large messages the fastest level takes a third of the time of zlib's
     * default, which matters on a loop, and a third more bytes. Meanwhile zlib uses some 270 KiB of native
     * memory, and the target is as large as the message.
     *
     * @return null if the message does not become smaller
     */
    static ByteBuffer compress(ByteBuffer message) {
        int size = message.remaining();
        var target = new byte[size + TAIL];
        var deflater = new Deflater(Deflater.BEST_SPEED, true);
        try {
            deflater.setInput(message.duplicate());
            int count = deflater.deflate(target, 0, target.length, Deflater.SYNC_FLUSH);
            // if the target is full, the end may be missing
            return count < target.length ? ByteBuffer.wrap(target, 0, count - TAIL) : null;
        } finally {
            deflater.end();
        }
    }
}
