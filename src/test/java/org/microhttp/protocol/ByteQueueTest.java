package org.microhttp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes come out as they went in and cost memory for what has come; their work is in {@link WorkBounds}. */
class ByteQueueTest {

    private static final int MOST = Integer.MAX_VALUE;

    private final ByteQueue queue = new ByteQueue();
    private final byte[] scratch = new byte[1 << 16];

    private void add(String text) throws RefusalException {
        queue.add(ByteBuffer.wrap(text.getBytes(ISO_8859_1)), scratch, MOST);
    }

    /** Takes the next line, or returns null. */
    private String line(int max) throws RefusalException {
        int end = queue.findLineEnd(max);
        if (end < 0) {
            return null;
        }
        String line = new String(queue.bytes, queue.position, end - queue.position, ISO_8859_1);
        queue.position = end + 2;
        return line;
    }

    @Test
    void givesLinesInTheirOrder() throws Exception {
        add("one\r\ntwo\r\n\r\nthr");
        assertEquals("one", line(100));
        assertEquals("two", line(100));
        assertEquals("", line(100));
        assertEquals(null, line(100));
        queue.discard();
        queue.keep(scratch);
        add("ee\r");
        assertEquals(null, line(100));
        add("\n");
        assertEquals("three", line(100));
        assertEquals(0, queue.available());
    }

    @Test
    void ownsNoBufferWhenEverythingIsConsumed() throws Exception {
        add("one\r\n");
        line(100);
        assertEquals(5, queue.consumed());
        assertEquals(5, queue.discard());
        queue.keep(scratch);
        assertEquals(0, queue.bytes.length);
    }

    @Test
    void ownsTheRemainingBytesAndReleasesThem() throws Exception {
        add("one\r\nrest");
        line(100);
        queue.discard();
        queue.keep(scratch);
        assertEquals(4, queue.bytes.length);
        add("x");
        assertTrue(queue.bytes.length <= 10, "at most twice what is here: " + queue.bytes.length);
        queue.release();
        assertEquals(0, queue.bytes.length);
        assertEquals(0, queue.available());
    }

    @Test
    void growsToTheLimitAndNoFurther() {
        queue.add(ByteBuffer.allocate(600), scratch, 1_000);
        queue.keep(scratch);
        assertEquals(600, queue.bytes.length);
        queue.add(ByteBuffer.allocate(1), scratch, 1_000);
        assertEquals(1_000, queue.bytes.length);
        queue.add(ByteBuffer.allocate(399), scratch, 1_000);
        assertEquals(1_000, queue.bytes.length);
        // more came than was thought: it is here, and needs room
        queue.add(ByteBuffer.allocate(5), scratch, 1_000);
        assertEquals(1_005, queue.bytes.length);
    }

    @Test
    void ownsAtMostTwiceTheRemainingBytes() throws Exception {
        add("x".repeat(10_000));
        queue.keep(scratch);
        add("\r\nrest");
        line(20_000);
        queue.discard();
        queue.keep(scratch);
        assertTrue(queue.bytes.length <= 8, "owns " + queue.bytes.length);
        assertEquals(-1, queue.findLineEnd(100));
        add("\r\n");
        assertEquals("rest", line(100));
    }

    @ParameterizedTest
    @CsvSource({"'a\nb',bare_lf", "'a\rb',bare_cr", "'a\0b',control_character",
            "'a\u007fb',control_character",
        "'\u001b',control_character", "'\n',bare_lf"})
    void refusesBytesThatNoLineMayContain(String text, String code) throws Exception {
        add(text);
        var thrown = assertThrows(RefusalException.class, () -> queue.findLineEnd(100));
        assertEquals(code, thrown.refusal.code);
        assertEquals(400, thrown.refusal.status);
    }

    @Test
    void findsALineOnlyWithinTheMost() throws Exception {
        add("12345678\r\n");
        assertEquals(-1, queue.findLineEnd(8));
        assertEquals(-1, queue.findLineEnd(9));
        assertEquals(8, queue.findLineEnd(10) - queue.position);
    }

    @Test
    void copiesKeptBytes() throws Exception {
        add("GET /\r\nHost: x\r\n\r\nbody");
        assertEquals("GET /", line(100));
        queue.discard();
        assertEquals("Host: x", line(100));
        int end = queue.findLineEnd(100);
        assertEquals("Host: x\r\n", new String(queue.copy(end), ISO_8859_1));
        queue.keep(scratch);
        add("!");
        assertEquals("Host: x\r\n", new String(queue.copy(queue.findLineEnd(100)), ISO_8859_1));
    }

    @Test
    void movesBlocksToAnotherQueueAndHandsThemOver() throws Exception {
        var body = new ByteQueue();
        var expected = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            add("block" + i);
            expected.append("block").append(i);
            body.moveFrom(queue, 3, MOST, false);
            body.moveFrom(queue, queue.available(), MOST, false);
            queue.discard();
            queue.keep(scratch);
        }
        assertEquals(expected.length(), body.available());
        assertEquals(expected.toString(), new String(body.toArray(), ISO_8859_1));
        assertEquals(0, queue.bytes.length);
    }

    @ParameterizedTest
    @CsvSource({"100, true, 400, 400", "100, true, 404, 100", "100, false, 400, 100", "100, true, 100, 100"})
    void allocatesForAllOnceAQuarterHasArrived(int length, boolean whole, int most, int room) {
        var body = new ByteQueue();
        String text = IntStream.range(0, 400).mapToObj(Integer::toString).collect(Collectors.joining());
        add(text);
        body.moveFrom(queue, length, most, whole);
        assertEquals(room, body.bytes.length);
        // what the room has meanwhile is overwritten
        queue.position += 100;
        body.moveFrom(queue, 50, most, whole);
        String expected = text.substring(0, length) + text.substring(length + 100, length + 150);
        assertEquals(expected, new String(body.take().array(), ISO_8859_1));
    }

    @Test
    void returnsTheSameBytesHoweverTheyAreCut() throws Exception {
        var random = new SplittableRandom(3);
        var expected = new StringBuilder();
        var actual = new StringBuilder();
        for (int step = 0; step < 20_000; step++) {
            String text = text(random);
            expected.append(text);
            add(text);
            for (String line = line(1 << 20); line != null && random.nextInt(5) > 0; line = line(1 << 20)) {
                actual.append(line).append("\r\n");
                queue.discard();
            }
            if (queue.consumed() > 0) {
                actual.append(new String(queue.copy(queue.position), ISO_8859_1));
                queue.discard();
            }
            if (random.nextInt(3) == 0) {
                queue.keep(scratch);
            }
        }
        actual.append(new String(queue.bytes, queue.position, queue.available(), ISO_8859_1));
        assertEquals(expected.toString(), actual.toString());
    }

    private static String text(SplittableRandom random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(40); i > 0; i--) {
            text.append(random.nextInt(12) == 0 ? "\r\n" : "" + (char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }
}
