package org.microhttp.extras.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.*;
import java.nio.charset.CharsetDecoder;
import java.util.ArrayList;
import java.util.List;

/**
 * What has to come of bytes of a client by RFC 6455, in the words of {@link ClientFrames#word}: read as a
 * whole, frame by frame, as the RFC describes them, and with Java's own decoder.
 */
public final class ReferenceFrames {

    private final ByteBuffer input;
    private final int limit;
    private final List<String> words = new ArrayList<>();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();

    /** Of the message that has begun; 0 for none. */
    private int kind;

    private static final class Failure extends RuntimeException {

        private static final long serialVersionUID = 1;
        private final int code;

        private Failure(int code) {
            this.code = code;
        }
    }

    private ReferenceFrames(byte[] bytes, int limit) {
        input = ByteBuffer.wrap(bytes);
        this.limit = limit;
    }

    public static List<String> of(byte[] bytes, int limit) {
        var frames = new ReferenceFrames(bytes, limit);
        try {
            while (true) {
                frames.readFrame();
            }
        } catch (BufferUnderflowException e) {
            // all has been read
        } catch (Failure e) {
            frames.words.add("!" + e.code);
        }
        return frames.words;
    }

    private static void require(boolean kept, int code) {
        if (!kept) {
            throw new Failure(code);
        }
    }

    private void readFrame() {
        int first = input.get();
        boolean last = first < 0;
        int opcode = first & 0x0F;
        require((first & 0x70) == 0, 1002);
        require(List.of(0, 1, 2, 8, 9, 10).contains(opcode), 1002);
        require(opcode < 8 || last, 1002);
        require(opcode >= 8 || (opcode == 0) == (kind != 0), 1002);
        int second = input.get();
        require(second < 0, 1002);
        int form = second & 0x7F;
        require(opcode < 8 || form < 126, 1002);
        long length = length(form);
        require(opcode >= 8 || message.size() + length <= limit, 1009);
        var key = new byte[4];
        input.get(key);
        if (opcode == 1 || opcode == 2) {
            kind = opcode;
        }
        byte[] payload = payload((int) Math.min(length, input.remaining()), key);
        boolean whole = payload.length == length;
        if (opcode >= 8) {
            endControl(opcode, payload, whole);
        } else {
            message.writeBytes(payload);
            endFragment(last && whole);
        }
        if (!whole) {
            throw new BufferUnderflowException();
        }
    }

    private long length(int form) {
        if (form < 126) {
            return form;
        }
        if (form == 126) {
            int length = input.getShort() & 0xFFFF;
            require(length > 125, 1002);
            return length;
        }
        long length = input.getLong();
        require(length > 65_535, 1002);
        return length;
    }

    private byte[] payload(int size, byte[] key) {
        var payload = new byte[size];
        for (int i = 0; i < size; i++) {
            payload[i] = (byte) (input.get() ^ key[i % 4]);
        }
        return payload;
    }

    private void endControl(int opcode, byte[] payload, boolean whole) {
        if (!whole) {
            return;
        }
        if (opcode == 8 && payload.length > 0) {
            require(payload.length > 1, 1002);
            int code = ByteBuffer.wrap(payload).getShort() & 0xFFFF;
            require(code >= 1000 && code < 1015 && !List.of(1004, 1005, 1006).contains(code)
                    || code >= 3000 && code < 5000, 1002);
            require(isText(ByteBuffer.wrap(payload, 2, payload.length - 2), true), 1007);
        }
        words.add(ClientFrames.word(opcode, ByteBuffer.wrap(payload)));
    }

    private void endFragment(boolean complete) {
        ByteBuffer content = ByteBuffer.wrap(message.toByteArray());
        require(kind != 1 || isText(content.duplicate(), complete), 1007);
        if (complete) {
            words.add(ClientFrames.word(kind, content));
            message.reset();
            kind = 0;
        }
    }

    private static boolean isText(ByteBuffer part, boolean complete) {
        CharsetDecoder decoder = UTF_8.newDecoder();
        CharBuffer characters = CharBuffer.allocate(part.remaining() + 1);
        return !decoder.decode(part, characters, complete).isError();
    }
}
