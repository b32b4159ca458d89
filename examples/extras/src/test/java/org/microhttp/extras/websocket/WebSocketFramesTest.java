package org.microhttp.extras.websocket;

import static org.junit.jupiter.api.Assertions.*;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.extras.testing.*;
import org.microhttp.wire.model.RandomCases;

/**
 * What {@code FrameReader} makes of the bytes of a client: by vectors, each with its section of RFC 6455, and
 * of frames that are drawn, beside a second reader that is as simple as the RFC.
 */
final class WebSocketFramesTest {

    private static final int CASES = 10_000;
    private static final int LIMIT = 1 << 20;

    private static List<String> read(byte[] bytes, int... cuts) {
        return ReadFrames.of(bytes, LIMIT, cuts);
    }

    private static int[] everywhere(byte[] bytes) {
        return IntStream.range(1, Math.max(1, bytes.length)).toArray();
    }

    /** Whole, cut at every byte, and cut in two at each place. */
    private static void assertReads(String expected, byte[] bytes) {
        assertEquals(expected, String.join(" ", read(bytes)));
        assertEquals(expected, String.join(" ", read(bytes, everywhere(bytes))));
        for (int cut = 0; cut <= bytes.length; cut++) {
            assertEquals(expected, String.join(" ", read(bytes, cut)), "cut at " + cut);
        }
    }

    /** A key of zeros leaves a payload as it is, so that it can be read here. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "5.7   a masked text, as in the examples         | 81 85 37fa213d 7f9f4d5158        | 1:48656c6c6f",
        "5.2   an empty text                             | 81 80 00000000                   | 1:",
        "5.2   an empty binary message                   | 82 80 00000000                   | 2:",
        "5.2   a length of 126 in two bytes, cut short   | 82 fe 007e 00000000 61           | -",
        "5.2   bit 1 is reserved                         | c1 80 00000000                   | !1002",
        "5.2   bit 2 is reserved                         | a1 80 00000000                   | !1002",
        "5.2   bit 3 is reserved                         | 91 80 00000000                   | !1002",
        "5.2   opcode 3 is reserved                      | 83                               | !1002",
        "5.2   opcode 7 is reserved                      | 87                               | !1002",
        "5.2   opcode 11 is reserved                     | 8b                               | !1002",
        "5.2   opcode 15 is reserved                     | 8f                               | !1002",
        "5.2   125 in two bytes is not the shortest form | 82 fe 007d                       | !1002",
        "5.2   65535 in eight bytes is not either        | 82 ff 000000000000ffff           | !1002",
        "5.2   the first bit of eight bytes is 0         | 82 ff 8000000000000001           | !1002",
        "5.1   a text that is not masked                 | 81 05 48656c6c6f                 | !1002",
        "5.1   a ping that is not masked                 | 89 00                            | !1002",
        "5.4   a text in two fragments                   | 01 81 00000000 61 80 81 00000000 62 | 1:6162",
        "5.4   a ping between fragments                  | 01 81 00000000 61 89 81 00000000 78"
                + " 80 81 00000000 62 | 9:78 1:6162",
        "5.4   fragments that are empty                  | 02 80 00000000 00 80 00000000 80 80 00000000 | 2:",
        "5.4   a continuation of nothing                 | 80                               | !1002",
        "5.4   a continuation after the last fragment    | 81 80 00000000 80                | 1: !1002",
        "5.4   a text within a message                   | 02 81 00000000 61 81             | !1002",
        "5.5   a ping in fragments                       | 09                               | !1002",
        "5.5   a close in fragments                      | 08                               | !1002",
        "5.5   a ping of 126 bytes                       | 89 fe                            | !1002",
        "5.5   a pong with a length in eight bytes       | 8a ff                            | !1002",
        "5.5.1 a close without a code                    | 88 80 00000000                   | 8:",
        "5.5.1 a close with a code and a reason          | 88 85 00000000 03e8 627965       | 8:03e8627965",
        "5.5.1 half a code                               | 88 81 00000000 03                | !1002",
        "5.5.1 a reason that is no UTF-8                 | 88 83 00000000 03e8 ff           | !1007",
        "5.5.1 a reason that ends within a character     | 88 83 00000000 03e8 c3           | !1007",
        "5.5.2 a ping with a payload                     | 89 82 01020304 6063              | 9:6161",
        "5.5.3 a pong that nobody asked for              | 8a 80 00000000                   | 10:",
        "5.6   a binary message is not looked at         | 82 82 00000000 ff00              | 2:ff00",
        "8.1   a byte that no text has                   | 81 81 00000000 ff                | !1007",
        "8.1   a character in its longer form            | 81 82 00000000 c080              | !1007",
        "8.1   half of a surrogate pair                  | 81 83 00000000 eda080            | !1007",
        "8.1   beyond U+10FFFF                           | 81 84 00000000 f4908080          | !1007",
        "8.1   a text that ends within a character       | 81 82 00000000 e282              | !1007",
        "8.1   a character cut by a fragment             | 01 82 00000000 e282 80 81 00000000 ac | 1:e282ac",
        "8.1   a wrong one cut by a fragment             | 01 82 00000000 e282 80 81 00000000 41 | !1007"})
    void readsAsTheSectionSays(String rule, String hex, String expected) {
        assertReads(expected == null ? "" : expected, new ClientFrames().hex(hex).bytes());
    }

    /** §7.4: those that may be sent, and those that never are. */
    @Test
    void takesTheCloseCodesThatMayBeSent() {
        for (int code = 0; code < 65_536; code++) {
            boolean sent = code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006
                    || code >= 3000 && code <= 4999;
            byte[] payload = {(byte) (code >> 8), (byte) code};
            byte[] frame = new ClientFrames().frame(0x88, payload, 7).bytes();
            String word = sent ? "8:" + HexFormat.of().formatHex(payload) : "!1002";
            assertEquals(List.of(word), read(frame));
        }
    }

    /** §5.2: the lengths at which the form changes. */
    @Test
    void takesEachFormOfALength() {
        for (int length : new int[] {0, 1, 125, 126, 127, 65_535, 65_536, 65_537, LIMIT}) {
            var payload = new byte[length];
            new SplittableRandom(length).nextBytes(payload);
            byte[] frame = new ClientFrames().frame(0x82, payload, 0x89abcdef).bytes();
            List<String> expected = List.of("2:" + HexFormat.of().formatHex(payload));
            assertEquals(expected, read(frame), "length " + length);
            // from the middle on, which has all positions of the key
            int middle = frame.length / 2;
            int[] cuts = IntStream.range(middle, middle + Math.min(length / 2, 9)).toArray();
            assertEquals(expected, read(frame, cuts), "length " + length);
        }
    }

    /**
     * §8.1, and §5.6: a text is refused at the first byte that cannot be, before its fragment is complete.
     */
    @Test
    void refusesATextAtOnce() {
        byte[] cut = new ClientFrames().header(1, 100, 0, ClientFrames.MASKED).hex("00000000 61 ff").bytes();
        assertReads("!1007", cut);
    }

    /** §7.4.1: when the length is known, before the key and the payload. */
    @Test
    void tooLargeMessageIsRefusedAtItsLength() {
        byte[] large = new ClientFrames().header(0x82, LIMIT + 1, 8, ClientFrames.MASKED).bytes();
        assertReads("!1009", large);
        byte[] huge = new ClientFrames().header(0x82, Long.MAX_VALUE, 8, ClientFrames.MASKED).bytes();
        assertReads("!1009", huge);
        byte[] second = new ClientFrames().frame(2, new byte[LIMIT], 7)
                .header(0x80, 1, 0, ClientFrames.MASKED).bytes();
        assertEquals(List.of("!1009"), read(second));
    }

    /** §5.5: control frames do not count for the size of a message that they are between. */
    @Test
    void takesAPingWithinAMessageThatIsFull() {
        byte[] bytes = new ClientFrames().frame(2, new byte[300], 7).frame(0x89, new byte[125], 8)
                .frame(0x80, new byte[0], 9).bytes();
        List<String> words = ReadFrames.of(bytes, 300, everywhere(bytes));
        assertEquals(List.of("9:" + "00".repeat(125), "2:" + "00".repeat(300)), words);
    }

    /**
     * Many small fragments take as much memory as a large one; copied each time they would take gigabytes.
     */
    @Test
    void joinsManySmallFragments() throws Exception {
        var frames = new ClientFrames().frame(2, new byte[0], 1);
        for (int i = 0; i < LIMIT / 8; i++) {
            frames.frame(0, new byte[8], i);
        }
        ByteBuffer bytes = ByteBuffer.wrap(frames.frame(0x80, new byte[0], 1).bytes());
        var reader = new FrameReader(LIMIT);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertEquals(LIMIT, reader.next(bytes).payload().remaining());
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 4 * LIMIT, allocated + " bytes");
    }

    /** What is announced takes no memory: a reader for each of many clients that announce the most. */
    @Test
    void anAnnouncedLengthTakesNoMemory() throws Exception {
        int most = 1 << 30;
        byte[] begun = new ClientFrames().header(2, most, 8, ClientFrames.MASKED).hex("00000000 61").bytes();
        var readers = new FrameReader[1000];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = new FrameReader(most);
            assertNull(readers[i].next(ByteBuffer.wrap(begun)));
        }
        // all of them are still there
        assertNotNull(readers[readers.length - 1]);
    }

    /** §5.1, §5.2: without a mask, and in the shortest form. */
    @ParameterizedTest
    @CsvSource({"0, 8100", "1, 8101", "125, 817d", "126, 817e007e", "65535, 817effff",
        "65536, 817f0000000000010000"})
    void writesTheShortestForm(int length, String header) {
        ByteBuffer frame = new Frame(ClientFrames.TEXT, ByteBuffer.allocate(length)).encode();
        assertEquals(header.length() / 2 + length, frame.remaining());
        var begin = new byte[header.length() / 2];
        frame.get(begin);
        assertEquals(header, HexFormat.of().formatHex(begin));
    }

    @Test
    void readsDrawnFramesAsTheReferenceDoes() throws Exception {
        RandomCases.forEach(CASES, random -> {
            byte[] drawn = DrawnFrames.draw(random);
            byte[] bytes = random.nextBoolean() ? drawn : DrawnFrames.mutate(drawn, random);
            List<String> expected = ReferenceFrames.of(bytes, DrawnFrames.LIMIT);
            int[] cuts = random.ints(random.nextInt(4), 0, bytes.length + 1).sorted().toArray();
            assertEquals(expected, ReadFrames.of(bytes, DrawnFrames.LIMIT, cuts));
            assertEquals(expected, ReadFrames.of(bytes, DrawnFrames.LIMIT, everywhere(bytes)));
        });
    }
}
