package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.microhttp.faults.tools.HostilePrefixes;
import org.microhttp.wire.model.RequestLimits;

/** Twice the input, however it is cut, costs at most 2.2 times the work: bytes looked at and bytes copied. */
class RequestParserWorkTest {

    private static final RequestLimits LIMITS = new RequestLimits(1 << 28, 1 << 27, 1 << 20);
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n";
    private static final String SIZED = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ";
    private static final String CHUNKED = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final int UNITS = 3_000;

    /** A piece, as large as the loop's read buffer. */
    private static final int BUFFER = 64 * 1024;

    /** Inputs of so many units. */
    private static final Map<String, IntFunction<String>> SHAPES = Map.of(
            "one long line", n -> GET + "X: " + "y".repeat(10 * n) + "\r\n\r\n",
            "a long target", n -> "GET /" + "a".repeat(10 * n) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            "many fields", n -> GET + "Name: value\r\n".repeat(n) + "\r\n",
            "a long body", n -> SIZED + 10 * n + "\r\n\r\n" + "b".repeat(10 * n),
            "many chunks", n -> CHUNKED + "3\r\nabc\r\n".repeat(n) + "0\r\n\r\n",
            "a long chunk", n -> CHUNKED + Integer.toHexString(10 * n) + "\r\n" + "b".repeat(10 * n)
                    + "\r\n0\r\n\r\n",
            "many extensions", n -> CHUNKED + "1;a=\"b c\"\r\na\r\n".repeat(n) + "0\r\n\r\n",
            "many trailers", n -> CHUNKED + "0\r\n" + "Name: value\r\n".repeat(n) + "\r\n",
            "many requests", n -> (GET + "\r\n").repeat(n),
            "an endless name", n -> GET + "N".repeat(10 * n));

    /** Fields with lists of so many units in one or in many, and what comes of them. */
    private static final Map<String, IntFunction<String>> LISTS = Map.of(
            "options", n -> GET + "Connection: " + "a,".repeat(5 * n) + "\r\n\r\n",
            "empty options", n -> GET + "Connection: " + ",".repeat(10 * n) + "\r\n\r\n",
            "an option among white space", n -> GET + "Connection: a" + " ".repeat(10 * n) + ",b\r\n\r\n",
            "fields of options", n -> GET + "Connection: a,b\r\n".repeat(n) + "\r\n",
            "expectations", n -> GET + "Expect: " + "100-continue,".repeat(n) + "\r\n\r\n",
            "codings", n -> GET + "Transfer-Encoding: " + "a,".repeat(5 * n) + "chunked\r\n\r\n",
            "fields of codings", n -> GET + "Transfer-Encoding: a\r\n".repeat(n) + "\r\n",
            "parameters", n -> GET + "Transfer-Encoding: a" + ";b=c".repeat(2 * n) + ",chunked\r\n\r\n",
            "a quoted string", n -> GET + "Transfer-Encoding: a;b=\"" + "\\\\,".repeat(3 * n) + "\"\r\n\r\n");

    @TestFactory
    Stream<DynamicTest> workIsLinear() {
        return SHAPES.keySet().stream().sorted().flatMap(shape -> IntStream.of(1, 3, 1_000, Integer.MAX_VALUE)
                .mapToObj(size -> DynamicTest.dynamicTest(shape + ", " + sizeName(size),
                        () -> checkLinear(SHAPES.get(shape), size))));
    }

    @TestFactory
    Stream<DynamicTest> workIsLinearInListsAndRefusals() {
        return LISTS.keySet().stream().sorted().flatMap(list -> IntStream.of(1, 1_000, Integer.MAX_VALUE)
                .mapToObj(size -> DynamicTest.dynamicTest(list + ", " + sizeName(size),
                        () -> checkDoubled(LISTS.get(list), size))));
    }

    /** For each octet of what hostile clients send, at most four times the work of a plain field's. */
    @TestFactory
    Stream<DynamicTest> workForEachByteIsBounded() {
        double plain = workForEachByte(GET + "X: " + "y".repeat(30_000));
        return HostilePrefixes.all().stream().map(prefix -> DynamicTest.dynamicTest(prefix.name(), () -> {
            double hostile = workForEachByte(String.join("", prefix.pieces()));
            assertTrue(hostile <= 4 * plain, () -> hostile + " for each byte, plain " + plain);
        }));
    }

    /** Early bytes, of which a late answer takes a request at a time, while one more comes with each. */
    @Test
    void workIsBoundedWhileRequestsGoAndBytesCome() throws RefusalException {
        String get = "GET / HTTP/1.1\r\nHost:x\r\n\r\n";
        var queue = new ByteQueue();
        var parser = new RequestParser(queue, ParserRun.limits(LIMITS), new Budget(1 << 30), null);
        byte[] early = get.repeat(BUFFER / get.length()).getBytes(StandardCharsets.US_ASCII);
        parser.receive(ByteBuffer.wrap(early), new byte[BUFFER]);
        parser.keep();
        int received = early.length;
        for (int i = 0; parser.next() != null; i++) {
            parser.keep();
            parser.receive(ByteBuffer.wrap(early, i, 1), new byte[BUFFER]);
            parser.keep();
            received++;
        }
        assertTrue(queue.work() <= 16L * received, queue.work() + " for " + received + " bytes");
    }

    private static double workForEachByte(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        var limits = new RequestLimits(1 << 20, 1 << 15, 100);
        long work = ParserRun.work(limits, bytes, Math.min(BUFFER, bytes.length));
        return (double) work / bytes.length;
    }

    private static void checkDoubled(IntFunction<String> shape, int size) {
        byte[] once = shape.apply(UNITS).getBytes(StandardCharsets.US_ASCII);
        byte[] twice = shape.apply(2 * UNITS).getBytes(StandardCharsets.US_ASCII);
        long work = ParserRun.work(LIMITS, once, Math.min(size, once.length));
        long more = ParserRun.work(LIMITS, twice, Math.min(size, twice.length));
        assertTrue(work >= 2L * once.length, () -> "only " + work + " counted for " + once.length + " bytes");
        assertTrue(more <= 2.2 * work, () -> more + " is over 2.2 times " + work);
    }

    private static String sizeName(int size) {
        return size == Integer.MAX_VALUE ? "whole" : "in pieces of " + size;
    }

    private static void checkLinear(IntFunction<String> shape, int size) {
        byte[] once = shape.apply(UNITS).getBytes(StandardCharsets.US_ASCII);
        checkDoubled(shape, size);
        String end = ParserRun.inPieces(LIMITS, once, Math.min(size, once.length)).end();
        assertEquals(once[once.length - 1] == 'N' ? "more" : "", end);
    }
}
