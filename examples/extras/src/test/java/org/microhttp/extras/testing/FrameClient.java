package org.microhttp.extras.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;

/** A client of RFC 6455 that sends what it is told, right or wrong, and reads frames in words. */
public final class FrameClient implements AutoCloseable {

    /** As in §1.2, without an Origin. */
    public static final String HANDSHAKE = "GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Version: 13\r\n";

    private static final int KEY = 0x1234abcd;

    public final RawClient raw;

    /** A connection whose handshake is done. */
    public FrameClient(int port) throws IOException {
        this(port, 0);
    }

    /** @param receiveBufferSize see {@link RawClient} */
    public FrameClient(int port, int receiveBufferSize) throws IOException {
        this(port, receiveBufferSize, "");
    }

    /** @param fields lines of the handshake, besides those that each one has */
    public FrameClient(int port, int receiveBufferSize, String fields) throws IOException {
        raw = new RawClient(port, receiveBufferSize);
        raw.send(HANDSHAKE + fields + "\r\n");
        RawResponse response = new RawResponse(raw.readUntil("\r\n\r\n"), new byte[0]);
        assertEquals(101, response.status());
    }

    public FrameClient send(int first, byte[] payload) throws IOException {
        return send(new ClientFrames().frame(first, payload, KEY).bytes());
    }

    public FrameClient send(byte[] bytes) throws IOException {
        raw.send(bytes);
        return this;
    }

    public FrameClient text(String text) throws IOException {
        return send(ClientFrames.FIN | ClientFrames.TEXT, text.getBytes(UTF_8));
    }

    /** @param code 0 for a Close frame without a payload */
    public FrameClient close(int code, String reason) throws IOException {
        ByteBuffer payload = ByteBuffer.allocate(2 + reason.length()).putShort((short) code)
                .put(reason.getBytes(UTF_8));
        return send(ClientFrames.FIN | ClientFrames.CLOSE, code == 0 ? new byte[0] : payload.array());
    }

    /**
     * Reads one frame, as the words of {@link ClientFrames#word}; texts, and reasons, as {@code 1 abc}, and
     * before them {@code deflated} if they are (RFC 7692 §6).
     */
    public String frame() throws IOException {
        int first = raw.take(1)[0] & 0xFF;
        int form = raw.take(1)[0] & 0xFF;
        // FIN without reserved bits but one; a form of 128 or more has a mask (§5.1)
        assertEquals(0x80, first & 0xB0);
        String deflated = (first & DeflatedBytes.BIT) == 0 ? "" : "deflated ";
        int length = form == 126 ? ByteBuffer.wrap(raw.take(2)).getShort() & 0xFFFF
                : form == 127 ? (int) ByteBuffer.wrap(raw.take(8)).getLong() : form;
        int opcode = first & 0x0F;
        byte[] content = raw.take(length);
        ByteBuffer payload = ByteBuffer.wrap(deflated.isEmpty() ? content : DeflatedBytes.inflate(content));
        if (opcode == ClientFrames.TEXT) {
            return deflated + "text " + UTF_8.decode(payload);
        }
        return deflated + (opcode == ClientFrames.CLOSE && length > 1
                ? "close " + payload.getShort() + " " + UTF_8.decode(payload)
                : ClientFrames.word(opcode, payload));
    }

    /** Reads the next frame that is no ping, and answers those before it. */
    public String message() throws IOException {
        String frame = frame();
        while (frame.equals("9:")) {
            send(ClientFrames.FIN | ClientFrames.PONG, new byte[0]);
            frame = frame();
        }
        return frame;
    }

    public FrameClient expect(String... frames) throws IOException {
        for (String frame : frames) {
            assertEquals(frame, frame());
        }
        return this;
    }

    public void expectEnd() throws IOException {
        raw.expectEnd();
    }

    @Override
    public void close() throws IOException {
        raw.close();
    }
}
