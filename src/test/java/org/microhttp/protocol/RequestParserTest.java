package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.microhttp.testing.ProxyHeaders.bytes;
import static org.microhttp.testing.ProxyHeaders.join;

import java.util.*;
import java.util.function.Consumer;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.*;

/**
 * Every vector comes to what it states: whole, cut in two at every position, byte by byte, in pieces of
 * seven, and between two other requests.
 */
class RequestParserTest {

    private static final byte[] BEFORE = bytes("GET /before HTTP/1.1\r\nHost: before\r\n\r\n");
    private static final byte[] NEXT = bytes("GET /next HTTP/1.1\r\nHost: next\r\n\r\n");

    private static final int STRIDE = 97;

    /** What the quick tier tries at every cut. */
    private static final int SHORT = 1_000;

    /** Above this length not every cut is tried, but so many at most, and so many at the ends of lines. */
    private int everyCut = SHORT;
    private int strides = 20;
    private int lineEnds = 20;

    @TestFactory
    Stream<DynamicContainer> vectorHasItsStatedOutcome() {
        return tests(1, vector -> {
            ParserOutcome outcome = ParserRun.whole(vector.limits(), vector.bytes());
            String place = "vectors.txt line " + vector.line() + ", " + vector.name();
            assertEquals(vector.expected(), outcome.asStatedBy(vector.expected()), place);
            assertEquals(outcome, ParserRun.inPieces(vector.limits(), vector.bytes(), 1),
                    () -> place + ", byte by byte");
        });
    }

    @TestFactory
    Stream<DynamicContainer> vectorComesToTheSameHoweverItIsCut() {
        return tests(16, vector -> check(vector.limits(), vector.bytes()));
    }

    @Test
    @Tier.Gate
    void longVectorComesToTheSameWhereverItIsCut() {
        everyCut = 4_000;
        strides = 60;
        lineEnds = 600;
        ParserVector.load().stream().filter(vector -> vector.bytes().length > SHORT)
                .forEach(vector -> check(vector.limits(), vector.bytes()));
    }

    /** Of vectors that differ in a byte or a word alone, one in so many. */
    private static Stream<DynamicContainer> tests(int each, Consumer<ParserVector> check) {
        var sections = new LinkedHashMap<String, List<DynamicTest>>();
        var counts = new HashMap<Integer, Integer>();
        for (ParserVector vector : ParserVector.load()) {
            if (counts.merge(vector.line(), 1, Integer::sum) % each == 1 % each) {
                sections.computeIfAbsent(vector.section(), s -> new ArrayList<>())
                        .add(DynamicTest.dynamicTest(vector.name(), () -> check.accept(vector)));
            }
        }
        return sections.entrySet().stream()
                .map(s -> DynamicContainer.dynamicContainer(s.getKey(), s.getValue()));
    }

    /** Between two other requests, of which nothing changes; a PROXY header has none before it. */
    private void check(RequestLimits limits, byte[] bytes) {
        byte[] start = limits.proxied() ? new byte[0] : BEFORE;
        byte[] behind = join(start, bytes);
        ParserOutcome alone = ParserRun.whole(limits, bytes);
        ParserOutcome expected = alone.precededBy(ParserRun.whole(limits, start));
        if (alone.isComplete() && !limits.proxied()) {
            expected = ParserRun.whole(limits, NEXT).precededBy(expected);
            checkEveryWay(limits, join(behind, NEXT), start.length, behind.length, expected);
        } else {
            checkEveryWay(limits, behind, start.length, behind.length, expected);
        }
    }

    /** Cuts from one position to another; the others are the same for every vector. */
    private void checkEveryWay(RequestLimits limits, byte[] bytes, int from, int to, ParserOutcome expected) {
        assertEquals(expected, ParserRun.inPieces(limits, bytes, 1), "byte by byte");
        assertEquals(expected, ParserRun.inPieces(limits, bytes, 7), "in pieces of 7");
        cuts(bytes).filter(cut -> from <= cut && cut <= to).forEach(cut ->
                assertEquals(expected, ParserRun.inTwo(limits, bytes, cut), () -> "cut at " + cut));
    }

    private IntStream cuts(byte[] bytes) {
        IntStream all = IntStream.range(1, bytes.length);
        if (bytes.length <= everyCut) return all;
        int stride = Math.max(STRIDE, bytes.length / strides);
        IntStream lines = IntStream.range(2, bytes.length - 1).filter(i -> isNearLineEnd(bytes, i));
        return IntStream.concat(all.filter(i -> i % stride == 0), lines.limit(lineEnds));
    }

    private static boolean isNearLineEnd(byte[] bytes, int cut) {
        for (int i = cut - 2; i < cut + 2; i++) {
            if (bytes[i] == '\r' || bytes[i] == '\n') return true;
        }
        return false;
    }
}
