package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.microhttp.testing.ProxyHeaders.bytes;
import static org.microhttp.testing.ProxyHeaders.join;

import java.util.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.microhttp.testing.Tier;
import org.microhttp.wire.conformance.ConformanceCase;
import org.microhttp.wire.model.*;

/**
 * Every vector, and every conformance case that is plain bytes, comes to the same whole, cut in two at every
 * position, byte by byte, in pieces of seven, and between two other requests.
 */
class RequestParserTest {

    private static final byte[] BEFORE = bytes("GET /before HTTP/1.1\r\nHost: before\r\n\r\n");
    private static final byte[] NEXT = bytes("GET /next HTTP/1.1\r\nHost: next\r\n\r\n");

    private static final int STRIDE = 97;

    /** What the quick tier tries at every cut. */
    private static final int SHORT = 1_000;

    /** Above this length not every cut is tried, but as many at most, and as many at the ends of lines. */
    private int everyCut = SHORT;
    private int most = 20;

    @TestFactory
    @Tier.Gate
    Stream<DynamicTest> bothComeToTheSameWhereverTheyAreCut() {
        everyCut = 4_000;
        most = 600;
        return Stream.concat(ParserVector.load().stream().map(this::test),
                conformanceCaseComesToTheSameHoweverItIsCut());
    }

    @TestFactory
    Stream<DynamicContainer> vectorComesToWhatItStates() {
        var sections = new LinkedHashMap<String, List<DynamicTest>>();
        for (ParserVector vector : ParserVector.load()) {
            sections.computeIfAbsent(vector.section(), s -> new ArrayList<>()).add(test(vector));
        }
        return sections.entrySet().stream()
                .map(s -> DynamicContainer.dynamicContainer(s.getKey(), s.getValue()));
    }

    @TestFactory
    Stream<DynamicTest> conformanceCaseComesToTheSameHoweverItIsCut() {
        RequestLimits limits = ParserVector.DEFAULT_LIMITS;
        return ConformanceCase.load().stream().filter(ConformanceCase::isPlainBytes)
                .map(c -> DynamicTest.dynamicTest(c.id(), () -> check(limits, c.plainBytes())));
    }

    private DynamicTest test(ParserVector vector) {
        return DynamicTest.dynamicTest(vector.name(), () -> {
            ParserOutcome outcome = ParserRun.whole(vector.limits(), vector.bytes());
            assertEquals(vector.expected(), outcome.asStatedBy(vector.expected()));
            check(vector.limits(), vector.bytes());
        });
    }

    private void check(RequestLimits limits, byte[] bytes) {
        boolean tried = everyCut > SHORT && bytes.length <= SHORT - BEFORE.length - NEXT.length;
        if (tried) return;
        ParserOutcome before = ParserRun.whole(limits, BEFORE);
        ParserOutcome outcome = ParserRun.whole(limits, bytes);
        checkEveryWay(limits, bytes, outcome);
        checkEveryWay(limits, join(BEFORE, bytes), outcome.precededBy(before));
        if (outcome.isComplete()) {
            ParserOutcome all = ParserRun.whole(limits, NEXT).precededBy(outcome).precededBy(before);
            checkEveryWay(limits, join(BEFORE, bytes, NEXT), all);
        }
    }

    private void checkEveryWay(RequestLimits limits, byte[] bytes, ParserOutcome expected) {
        assertEquals(expected, ParserRun.whole(limits, bytes), "whole");
        assertEquals(expected, ParserRun.inPieces(limits, bytes, 1), "byte by byte");
        assertEquals(expected, ParserRun.inPieces(limits, bytes, 7), "in pieces of 7");
        for (int cut : cuts(bytes)) {
            assertEquals(expected, ParserRun.inTwo(limits, bytes, cut), () -> "cut at " + cut);
        }
    }

    private List<Integer> cuts(byte[] bytes) {
        IntStream all = IntStream.range(1, bytes.length);
        if (bytes.length <= everyCut) return all.boxed().toList();
        int stride = Math.max(STRIDE, bytes.length / most);
        IntStream strides = all.filter(i -> i % stride == 0);
        IntStream lines = IntStream.range(2, bytes.length - 1).filter(i -> isNearLineEnd(bytes, i));
        return IntStream.concat(strides, lines.limit(most)).boxed().toList();
    }

    private static boolean isNearLineEnd(byte[] bytes, int cut) {
        return IntStream.range(cut - 2, cut + 2).anyMatch(i -> bytes[i] == '\r' || bytes[i] == '\n');
    }
}
