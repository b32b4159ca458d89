package org.microhttp.extras.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.extras.testing.ClientFrames.*;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.extras.testing.*;
import org.microhttp.wire.model.RandomCases;

/**
 * What {@code FrameReader} makes of compressed messages: by vectors, each with its section of RFC 7692, and
 * of messages that are drawn, cut and changed.
 */
final class WebSocketInflateTest {

    private static final int CASES = 1_500;
    private static final int LIMIT = 1 << 20;
    private static final int COMPRESSED = FIN | DeflatedBytes.BIT;

    /** A key of zeros leaves a payload as it is. */
    private static final int NO_KEY = 0;

    private static int[] everywhere(byte[] bytes) {
        return IntStream.range(1, Math.max(1, bytes.length)).toArray();
    }

    /** Whole, cut at every byte, and cut in two at each place. */
    private static void assertReads(String expected, byte[] bytes) {
        List<String> words = expected == null ? List.of() : List.of(expected.split(" "));
        assertEquals(words, ReadFrames.inflated(bytes, LIMIT));
        assertEquals(words, ReadFrames.inflated(bytes, LIMIT, everywhere(bytes)));
        for (int cut = 0; cut <= bytes.length; cut++) {
            assertEquals(words, ReadFrames.inflated(bytes, LIMIT, cut), "cut at " + cut);
        }
    }

    /** Of the RFC's examples the key is zero, and masked is set. "Hello" is 48656c6c6f. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "7.2.3.1 one block                      | c1 87 00000000 f248cdc9c90700             | 1:48656c6c6f",
        "7.2.3.1 in two fragments      | 41 83 00000000 f248cd 80 84 00000000 c9c90700      | 1:48656c6c6f",
        "5.4  a ping in between | 41 83 00000000 f248cd 89 80 00000000 80 84 00000000 c9c90700 | 9: "
                + "1:48656c6c6f",
        "6.1  the first fragment is empty     | 41 80 00000000 80 87 00000000 f248cdc9c90700 | 1:48656c6c6f",
        "6.1  the last fragment is empty      | 41 87 00000000 f248cdc9c90700 80 80 00000000 | 1:48656c6c6f",
        "6.1  not every message                 | c2 81 00000000 00 82 81 00000000 61        | 2: 2:61",
        "7.2.3.3 a block without compression    | c1 8b 00000000 000500faff48656c6c6f00      | 1:48656c6c6f",
        "7.2.3.4 a final block, then an empty one | c1 88 00000000 f348cdc9c9070000          | 1:48656c6c6f",
        "7.2.3.5 two blocks           | c1 8d 00000000 f248050000 00ffffcac9c90700           | 1:48656c6c6f",
        "7.2.3.6 an empty message               | c1 81 00000000 00                          | 1:",
        "7.2.3.6 an empty message, otherwise    | c1 82 00000000 0200                        | 1:",
        "7.2.1 an empty final block             | c2 81 00000000 01                          | 2:",
        "7.2.2 not whole                        | c1 86 00000000 f248cdc9c907                | !1002",
        "7.2.2 not whole, not at a byte         | c1 83 00000000 f248cd                      | !1002",
        "7.2.2 a block without compression is cut | c2 86 00000000 000a00f5ff61             | !1002",
        "7.2.1 no empty block after a final one | c1 87 00000000 f348cdc9c90700              | !1002",
        "7.2.1 nothing                          | c1 80 00000000                             | !1002",
        "7.2.1 a block of the third kind        | c2 81 00000000 07                          | !1002",
        "7.2.1 the window of another message    | c1 87 00000000 f248cdc9c90700 "
                + "c1 85 00000000 f200110000                                        | 1:48656c6c6f !1002",
        "6.1  a continuation is compressed | 41 83 00000000 f248cd c0 84 00000000 c9c90700   | !1002",
        "6.1  a continuation of another is | 01 81 00000000 61 c0 81 00000000 00             | !1002",
        "6.1  a ping is compressed              | c9 80 00000000                             | !1002",
        "6.1  a Close frame is compressed       | c8 80 00000000                             | !1002",
        "5.2  bit 2 is reserved                 | e1 80 00000000                             | !1002",
        "8.1  an inflated text is not UTF-8     | c1 87 00000000 000100feff8000              | !1007",
        "8.1  nor if its end is missing         | c1 87 00000000 000100feffc300              | !1007",
    })
    void readsTheVectors(String rule, String hex, String expected) {
        assertReads(expected, new ClientFrames().hex(hex).bytes());
    }

    /** §6: without an agreement the bit is reserved. */
    @Test
    void unagreedCompressionFails() {
        byte[] bytes = new ClientFrames().hex("c1 87 00000000 f248cdc9c90700").bytes();
        assertEquals(List.of("!1002"), ReadFrames.of(bytes, LIMIT));
    }

    private static byte[] frame(byte[] message) {
        return new ClientFrames().frame(COMPRESSED | BINARY, DeflatedBytes.deflate(message), 7).bytes();
    }

    @Test
    void limitCountsInflatedBytes() {
        assertEquals(List.of("2:" + "00".repeat(LIMIT)), ReadFrames.inflated(frame(new byte[LIMIT]), LIMIT));
        assertEquals(List.of("!1009"), ReadFrames.inflated(frame(new byte[LIMIT + 1]), LIMIT));
        // random bytes become more
        var random = new byte[100_000];
        new SplittableRandom(1).nextBytes(random);
        String word = "2:" + HexFormat.of().formatHex(random);
        assertEquals(List.of(word), ReadFrames.inflated(frame(random), random.length));
    }

    /** What a small message would be inflated to takes no memory: it is refused before. */
    @Test
    void aBombTakesNoMoreThanTheLimit() {
        byte[] bomb = frame(new byte[64 << 20]);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertEquals(List.of("!1009"), ReadFrames.inflated(bomb, LIMIT));
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 4 * LIMIT, allocated + " bytes");
    }

    private static FrameReader reader(int limit) {
        return new FrameReader(limit, new Share(new SharedMemory(Long.MAX_VALUE), why -> { }),
                new Decompression());
    }

    /** A turn ends within a message, and after many small ones. */
    @ParameterizedTest
    @CsvSource({"1000000, 1, 5", "0, 10000, 30"})
    void aTurnInflatesLittle(int size, int messages, int leastTurns) throws Exception {
        var all = new ClientFrames();
        for (int i = 0; i < messages; i++) {
            all.frame(COMPRESSED | BINARY, DeflatedBytes.deflate(new byte[size]), i);
        }
        ByteBuffer input = ByteBuffer.wrap(all.bytes());
        FrameReader reader = reader(LIMIT);
        int read = 0;
        int turns = 1;
        while (read < messages) {
            Frame frame = reader.next(input);
            assertEquals(frame == null, reader.isExhausted() && read < messages);
            if (frame == null) {
                turns++;
                reader.beginTurn();
            } else {
                assertEquals(size, frame.payload().remaining());
                read++;
            }
        }
        assertTrue(turns >= leastTurns, turns + " turns");
        assertTrue(reader.decompression.isIdle());
    }

    /** What has to be held for an unfinished message is counted, and nothing once it is whole. */
    @Test
    void anUnfinishedMessageIsCounted() throws Exception {
        var share = new Share(new SharedMemory(Long.MAX_VALUE), why -> { });
        var reader = new FrameReader(LIMIT, share, new Decompression());
        byte[] frame = frame(new byte[100_000]);
        assertNull(reader.next(ByteBuffer.wrap(frame, 0, frame.length - 1)));
        assertTrue(share.held >= 48 * 1024 + 90_000, share.held + " bytes");
        assertFalse(reader.decompression.isIdle());
        assertNotNull(reader.next(ByteBuffer.wrap(frame, frame.length - 1, 1)));
        assertEquals(0, share.held);
        assertTrue(reader.decompression.isIdle());
    }

    /** The connection may be given up by another thread at any time. */
    @Test
    void aClosedReaderFails() throws Exception {
        byte[] frame = frame("a text".getBytes(UTF_8));
        for (int cut = 0; cut < frame.length; cut++) {
            FrameReader reader = reader(LIMIT);
            assertNull(reader.next(ByteBuffer.wrap(frame, 0, cut)));
            reader.close();
            ByteBuffer rest = ByteBuffer.wrap(frame, cut, frame.length - cut);
            var failure = assertThrows(ConnectionFailure.class, () -> reader.next(rest));
            assertEquals(1013, failure.code());
            assertTrue(reader.decompression.isIdle());
        }
    }

    /** Messages that are compressed or not, in fragments, with pings between them. */
    private static byte[] draw(SplittableRandom random, List<String> words) {
        var frames = new ClientFrames();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            byte[] message = message(random);
            boolean compressed = random.nextInt(4) > 0;
            byte[] payload = compressed ? DeflatedBytes.deflate(message, random.nextInt(10)) : message;
            int first = BINARY | (compressed ? DeflatedBytes.BIT : 0);
            int from = 0;
            while (random.nextInt(3) == 0) {
                int to = from + random.nextInt(payload.length - from + 1);
                frames.frame(first, Arrays.copyOfRange(payload, from, to), random.nextInt());
                frames.frame(FIN | PING, new byte[0], NO_KEY);
                words.add("9:");
                first = CONTINUATION;
                from = to;
            }
            frames.frame(FIN | first, Arrays.copyOfRange(payload, from, payload.length), random.nextInt());
            words.add(word(BINARY, ByteBuffer.wrap(message)));
        }
        return frames.bytes();
    }

    private static byte[] message(SplittableRandom random) {
        var message = new byte[random.nextInt(random.nextInt(10) == 0 ? 20_000 : 200)];
        int kinds = 1 + random.nextInt(256);
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) random.nextInt(kinds);
        }
        return message;
    }

    @Test
    void readsDrawnMessagesHoweverTheyAreCut() throws Exception {
        RandomCases.forEach(CASES, random -> {
            List<String> expected = new ArrayList<>();
            byte[] bytes = draw(random, expected);
            int[] cuts = random.ints(random.nextInt(4), 0, bytes.length + 1).sorted().toArray();
            assertEquals(expected, ReadFrames.inflated(bytes, LIMIT, cuts));
            assertEquals(expected, ReadFrames.inflated(bytes, LIMIT, everywhere(bytes)));
        });
    }

    /** Of a message that is too large and wrong either is seen first: zlib reads ahead. */
    private static List<String> anyFailure(List<String> words) {
        return words.stream().map(word -> word.matches("!(1002|1009)") ? "!" : word).toList();
    }

    /** Nothing but a failure of the connection comes of it, the same however it is cut; all is released. */
    @Test
    void changedMessagesAreReadOrFail() throws Exception {
        RandomCases.forEach(CASES, random -> {
            byte[] bytes = DrawnFrames.mutate(draw(random, new ArrayList<>()), random);
            int limit = 1 + random.nextInt(30_000);
            List<String> expected = anyFailure(ReadFrames.inflated(bytes, limit));
            int[] cuts = random.ints(random.nextInt(4), 0, bytes.length + 1).sorted().toArray();
            assertEquals(expected, anyFailure(ReadFrames.inflated(bytes, limit, cuts)));
            assertEquals(expected, anyFailure(ReadFrames.inflated(bytes, limit, everywhere(bytes))));
        });
    }

    /** Random bytes instead of compressed ones. */
    @Test
    void anyBytesAreReadOrFail() throws Exception {
        RandomCases.forEach(CASES, random -> {
            var payload = new byte[random.nextInt(300)];
            random.nextBytes(payload);
            byte[] bytes = new ClientFrames().frame(COMPRESSED | BINARY, payload, 7).bytes();
            List<String> expected = ReadFrames.inflated(bytes, LIMIT);
            assertEquals(1, expected.size());
            assertEquals(expected, ReadFrames.inflated(bytes, LIMIT, everywhere(bytes)));
        });
    }

    /** §7.2.1: for one that is not longer than the window, if it becomes smaller; made once for all. */
    @Test
    void compressesMessagesThatBecomeSmaller() {
        String words = "compress me, compress me, compress me";
        var text = WebSocketMessage.text(words);
        var all = new Compression(0, 10);
        WaitingFrame plain = text.frame(null);
        WaitingFrame compressed = text.frame(all);
        assertNotSame(plain, compressed);
        assertSame(compressed, text.frame(new Compression(15, 37)));
        assertSame(plain, text.frame(new Compression(0, 38)));
        assertEquals(0xC1, compressed.bytes.get(0) & 0xFF);
        ByteBuffer payload = compressed.bytes.slice(2, compressed.bytes.remaining() - 2);
        var content = new byte[payload.remaining()];
        payload.get(content);
        assertEquals(payload.capacity(), compressed.bytes.get(1));
        assertEquals(words, new String(DeflatedBytes.inflate(content), UTF_8));
        var random = new byte[1000];
        new SplittableRandom(1).nextBytes(random);
        var binary = WebSocketMessage.binary(ByteBuffer.wrap(random));
        assertSame(binary.frame(null), binary.frame(all));
        var empty = WebSocketMessage.text("");
        assertSame(empty.frame(null), empty.frame(new Compression(0, 0)));
    }

    /** §7.1.2.1: zlib's window is not made smaller, so what could need more of it is not compressed. */
    @Test
    void keepsToTheWindowOfTheClient() {
        for (int bits = 8; bits <= 14; bits++) {
            var agreed = new Compression(bits, 0);
            assertTrue(agreed.isFor(1 << bits));
            assertFalse(agreed.isFor((1 << bits) + 1));
        }
        assertTrue(new Compression(15, 0).isFor(1 << 20));
    }

    /** What is sent is what a client of any size of pieces reads. */
    @Test
    void compressedMessagesInflateToTheOriginal() throws Exception {
        RandomCases.forEach(1000, random -> {
            byte[] message = message(random);
            ByteBuffer compressed = Compression.compress(ByteBuffer.wrap(message));
            if (compressed != null) {
                var payload = new byte[compressed.remaining()];
                compressed.get(payload);
                assertTrue(payload.length < message.length);
                assertArrayEquals(message, DeflatedBytes.inflate(payload));
            } else {
                int length = DeflatedBytes.deflate(message, Deflater.BEST_SPEED).length;
                assertTrue(length >= message.length, length + " of " + message.length);
            }
        });
    }
}
