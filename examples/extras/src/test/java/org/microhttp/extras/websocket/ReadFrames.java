package org.microhttp.extras.websocket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.*;
import org.microhttp.extras.testing.ClientFrames;

/**
 * What the reader makes of bytes: a {@linkplain ClientFrames#word word} for each frame, and at the end {@code
 * !1002} if it fails so.
 */
public final class ReadFrames {

    private final FrameReader reader;
    private final List<String> words = new ArrayList<>();
    private boolean failed;

    private ReadFrames(FrameReader reader) {
        this.reader = reader;
    }

    /** @param cuts where the bytes are cut, in ascending order */
    public static List<String> of(byte[] bytes, int limit, int... cuts) {
        return new ReadFrames(new FrameReader(limit)).all(bytes, cuts);
    }

    /** The same if messages may be compressed; between messages, and at the end, nothing is held for them. */
    static List<String> inflated(byte[] bytes, int limit, int... cuts) {
        var decompression = new Decompression();
        var share = new Share(new SharedMemory(Long.MAX_VALUE), why -> { });
        var frames = new ReadFrames(new FrameReader(limit, share, decompression));
        List<String> words = frames.all(bytes, cuts);
        // the server closes it after a failure, and when the connection ends
        frames.reader.close();
        assertTrue(decompression.isIdle());
        return words;
    }

    private List<String> all(byte[] bytes, int... cuts) {
        int from = 0;
        for (int cut : cuts) {
            read(Arrays.copyOfRange(bytes, from, cut));
            from = cut;
        }
        read(Arrays.copyOfRange(bytes, from, bytes.length));
        return words;
    }

    private void read(byte[] bytes) {
        ByteBuffer input = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
        while (!failed) {
            try {
                Frame frame = reader.next(input);
                if (frame == null && !reader.isExhausted()) {
                    return;
                }
                reader.beginTurn();
                if (frame == null) {
                    continue;
                }
                words.add(ClientFrames.word(frame.opcode(), frame.payload()));
            } catch (ConnectionFailure e) {
                words.add("!" + e.code());
                failed = true;
            }
        }
    }
}
