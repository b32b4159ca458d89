package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Twice the input, however it is cut, costs at most 2.2 times the work: bytes looked at and bytes copied. */
class ParserWorkTest {

    private static final Limits LIMITS = new Limits(1 << 28, 1 << 27, 1 << 20);
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n";
    private static final String SIZED = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ";
    private static final String CHUNKED = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final int UNITS = 3_000;

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

    @TestFactory
    Stream<DynamicTest> workIsLinear() {
        return SHAPES.keySet().stream().sorted().flatMap(shape -> IntStream.of(1, 3, 1_000, Integer.MAX_VALUE)
                .mapToObj(size -> DynamicTest.dynamicTest(shape + ", " + sizeName(size),
                        () -> checkLinear(SHAPES.get(shape), size))));
    }

    private static String sizeName(int size) {
        return size == Integer.MAX_VALUE ? "whole" : "in pieces of " + size;
    }

    private static void checkLinear(IntFunction<String> shape, int size) {
        byte[] once = shape.apply(UNITS).getBytes(StandardCharsets.US_ASCII);
        byte[] twice = shape.apply(2 * UNITS).getBytes(StandardCharsets.US_ASCII);
        long work = VectorRun.work(LIMITS, once, Math.min(size, once.length));
        long more = VectorRun.work(LIMITS, twice, Math.min(size, twice.length));
        assertTrue(work >= once.length, () -> "only " + work + " counted for " + once.length + " bytes");
        assertTrue(more <= 2.2 * work, () -> more + " is over 2.2 times " + work);
        String end = VectorRun.inPieces(LIMITS, once, Math.min(size, once.length)).end();
        assertEquals(once[once.length - 1] == 'N' ? "more" : "", end);
    }
}
