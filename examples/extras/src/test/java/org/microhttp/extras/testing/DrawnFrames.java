package org.microhttp.extras.testing;

import static org.microhttp.extras.testing.ClientFrames.*;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Frames of one client, drawn: messages in fragments, control frames between them, and at most one fault. */
public final class DrawnFrames {

    /** The limit for messages that these are drawn for. */
    public static final int LIMIT = 300;

    private static final int[] CODES = {1000, 1001, 1002, 1003, 1007, 1010, 1014, 3000, 4999};
    private static final int[] WRONG_CODES = {0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535};
    private static final String[] BAD_TEXTS = {"80", "c080", "c3", "c328", "e08080", "eda080", "efbf",
        "f08080", "f0808080", "f4908080", "f5808080", "ff", "61e2", "e28228"};

    private final SplittableRandom random;
    private final ClientFrames frames = new ClientFrames();

    private DrawnFrames(SplittableRandom random) {
        this.random = random;
    }

    public static byte[] draw(SplittableRandom random) {
        var drawn = new DrawnFrames(random);
        drawn.addMessages();
        if (random.nextInt(4) > 0) {
            drawn.addFault();
            drawn.addMessages();
        }
        return drawn.frames.bytes();
    }

    /** The same with a few bytes changed, added, or left out: with any number of faults. */
    public static byte[] mutate(byte[] bytes, SplittableRandom random) {
        byte[] mutated = bytes.clone();
        for (int i = random.nextInt(3); i > 0 && mutated.length > 0; i--) {
            int place = random.nextInt(mutated.length);
            int least = random.nextInt(3) - 1;
            var next = new byte[mutated.length + least];
            System.arraycopy(mutated, 0, next, 0, place);
            int rest = mutated.length - place - 1;
            System.arraycopy(mutated, place + 1, next, next.length - rest, rest);
            if (next.length - rest > place) {
                next[place] = (byte) random.nextInt();
            }
            mutated = next;
        }
        return mutated;
    }

    private void addMessages() {
        for (int i = random.nextInt(4); i > 0; i--) {
            addControls(LIMIT);
            addMessage();
        }
    }

    private void add(int first, byte[] payload) {
        frames.frame(first, payload, random.nextInt());
    }

    /** @param room Python's websockets takes control frames for a part of the message that they are within */
    private void addControls(int room) {
        while (random.nextInt(3) == 0) {
            int most = Math.min(room, random.nextInt(8) == 0 ? 125 : 5);
            add(FIN | (random.nextBoolean() ? PING : PONG), randomBytes(random.nextInt(most + 1)));
        }
    }

    private void addMessage() {
        boolean text = random.nextBoolean();
        byte[] payload = text ? text() : randomBytes(size());
        int from = 0;
        int opcode = text ? TEXT : BINARY;
        while (random.nextInt(3) == 0) {
            int to = from + random.nextInt(payload.length - from + 1);
            add(opcode, part(payload, from, to));
            addControls(LIMIT - to);
            opcode = CONTINUATION;
            from = to;
        }
        add(FIN | opcode, part(payload, from, payload.length));
    }

    private static byte[] part(byte[] payload, int from, int to) {
        return Arrays.copyOfRange(payload, from, to);
    }

    private int size() {
        return switch (random.nextInt(8)) {
            case 0 -> 124 + random.nextInt(4);
            case 1 -> LIMIT - random.nextInt(2);
            default -> random.nextInt(12);
        };
    }

    private byte[] randomBytes(int size) {
        var content = new byte[size];
        random.nextBytes(content);
        return content;
    }

    private byte[] text() {
        var text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            int c = random.nextInt(new int[] {0x80, 0x800, 0xD800, 0x110000}[random.nextInt(4)]);
            text.appendCodePoint(c >= 0xD800 && c < 0xE000 ? 'x' : c);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void addFault() {
        byte[] payload = randomBytes(random.nextInt(6));
        int masked = random.nextInt();
        switch (random.nextInt(12)) {
            case 0 -> add(FIN | 0x10 << random.nextInt(3) | BINARY, payload);
            case 1 -> add(FIN | new int[] {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}[random.nextInt(10)], payload);
            case 2 -> frames.header(FIN | BINARY, 2, 0, 0).hex("6162");
            case 3 -> add(CLOSE + random.nextInt(3), new byte[0]);
            case 4 -> frames.frame(FIN | PING, new byte[126 + random.nextInt(100)], masked);
            case 5 -> add(random.nextInt(2) * FIN | CONTINUATION, payload);
            case 6 -> {
                add(BINARY, payload);
                add(random.nextInt(2) * FIN | BINARY, payload);
            }
            case 7 -> add(FIN | TEXT, HexFormat.of().parseHex(BAD_TEXTS[random.nextInt(BAD_TEXTS.length)]));
            case 8 -> {
                add(BINARY, randomBytes(LIMIT / 2));
                add(FIN | CONTINUATION, randomBytes(LIMIT / 2 + 1 + random.nextInt(3)));
            }
            case 9 -> add(FIN | CLOSE, close(CODES));
            case 10 -> add(FIN | CLOSE, random.nextInt(8) == 0 ? new byte[1] : close(WRONG_CODES));
            default -> add(FIN | CLOSE, new byte[] {3, (byte) 0xE8, (byte) random.nextInt(256)});
        }
    }

    private byte[] close(int[] codes) {
        byte[] reason = random.nextBoolean() ? "bye".getBytes(StandardCharsets.UTF_8) : new byte[0];
        int code = codes[random.nextInt(codes.length)];
        return ByteBuffer.allocate(2 + reason.length).putShort((short) code).put(reason).array();
    }
}
