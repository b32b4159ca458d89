package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.microhttp.extras.testing.ClientFrames;

/**
 * What the reader makes of bytes: a {@linkplain ClientFrames#word word} for each frame, and at the end {@code
 * !1002} if it fails so.
 */
public final class ReadFrames {

    private final FrameReader reader;
    private final List<String> words = new ArrayList<>();
    private boolean failed;

    private ReadFrames(int limit) {
        reader = new FrameReader(limit);
    }

    /** @param cuts where the bytes are cut, in ascending order */
    public static List<String> of(byte[] bytes, int limit, int... cuts) {
        var frames = new ReadFrames(limit);
        int from = 0;
        for (int cut : cuts) {
            frames.read(Arrays.copyOfRange(bytes, from, cut));
            from = cut;
        }
        frames.read(Arrays.copyOfRange(bytes, from, bytes.length));
        return frames.words;
    }

    private void read(byte[] bytes) {
        ByteBuffer input = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
        while (!failed) {
            try {
                Frame frame = reader.next(input);
                if (frame == null) {
                    return;
                }
                words.add(ClientFrames.word(frame.opcode(), frame.payload()));
            } catch (ConnectionFailure e) {
                words.add("!" + e.code());
                failed = true;
            }
        }
    }
}
