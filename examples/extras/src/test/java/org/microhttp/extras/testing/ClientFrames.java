package org.microhttp.extras.testing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The bytes of frames as a client of RFC 6455 sends them, right or wrong. */
public final class ClientFrames {

    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;
    public static final int FIN = 0x80;
    public static final int MASKED = 0x80;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Bytes as they are, in hexadecimal digits. */
    public ClientFrames hex(String digits) {
        bytes.writeBytes(HexFormat.of().parseHex(digits.replaceAll("\\s", "")));
        return this;
    }

    /**
     * A frame whose length is in its shortest form.
     *
     * @param first FIN, reserved bits and opcode
     */
    public ClientFrames frame(int first, byte[] payload, int key) {
        int form = payload.length < 126 ? 0 : payload.length < 1 << 16 ? 2 : 8;
        header(first, payload.length, form, MASKED);
        byte[] keys = ByteBuffer.allocate(4).putInt(key).array();
        bytes.writeBytes(keys);
        for (int i = 0; i < payload.length; i++) {
            bytes.write(payload[i] ^ keys[i % 4]);
        }
        return this;
    }

    /**
     * The bytes before the key: a length in 0, 2 or 8 bytes beside the second, which has a bit for masked.
     */
    public ClientFrames header(int first, long length, int form, int masked) {
        ByteBuffer header = ByteBuffer.allocate(10).put((byte) first);
        switch (form) {
            case 0 -> header.put((byte) (masked | length));
            case 2 -> header.put((byte) (masked | 126)).putShort((short) length);
            default -> header.put((byte) (masked | 127)).putLong(length);
        }
        bytes.write(header.array(), 0, header.position());
        return this;
    }

    public byte[] bytes() {
        return bytes.toByteArray();
    }

    /** {@return a frame as a word: its opcode and its payload in hexadecimal digits, as {@code 1:6162}} */
    public static String word(int opcode, ByteBuffer payload) {
        var content = new byte[payload.remaining()];
        payload.duplicate().get(content);
        return opcode + ":" + HexFormat.of().formatHex(content);
    }
}
