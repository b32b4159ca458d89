package org.microhttp.streams;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The server-sent event that is sent again and again. */
final class Event {

    /** No other byte of a response is like it, so clients count events by it. */
    static final byte MARK = '#';

    private static final String TEXT = "data: " + "x".repeat(90) + (char) MARK + "\n\n";

    private Event() { }

    static ByteBuffer buffer() { return direct(TEXT); }

    /** As a chunk (RFC 9112 §7.1), which is what microhttp sends of it. */
    static ByteBuffer chunk() {
        return direct(Integer.toHexString(TEXT.length()) + "\r\n" + TEXT + "\r\n");
    }

    private static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
