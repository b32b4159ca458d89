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

    /** Above this length not every cut is tried, but so many at most, and so many at the ends of lines. */
    private int everyCut = SHORT;
    private int strides = 20;
    private int lineEnds = 20;

    @TestFactory
    @Tier.Gate
    Stream<DynamicTest> bothComeToTheSameWhereverTheyAreCut() {
        everyCut = 4_000;
        strides = 60;
        lineEnds = 600;
        return Stream.concat(
                ParserVector.load().stream().filter(v -> v.bytes().length > SHORT).map(this::test),
                cases().filter(c -> c.plainBytes().length > SHORT).map(this::test));
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
        return cases().map(this::test);
    }

    private static Stream<ConformanceCase> cases() {
        return ConformanceCase.load().stream().filter(ConformanceCase::isPlainBytes);
    }

    private DynamicTest test(ConformanceCase one) {
        return DynamicTest.dynamicTest(one.id(), () -> check(ParserVector.DEFAULT_LIMITS, one.plainBytes()));
    }

    private DynamicTest test(ParserVector vector) {
        return DynamicTest.dynamicTest(vector.name(), () -> {
            ParserOutcome outcome = ParserRun.whole(vector.limits(), vector.bytes());
            assertEquals(vector.expected(), outcome.asStatedBy(vector.expected()));
            check(vector.limits(), vector.bytes());
        });
    }

    private void check(RequestLimits limits, byte[] bytes) {
        ParserOutcome before = ParserRun.whole(limits, BEFORE);
        ParserOutcome outcome = ParserRun.whole(limits, bytes);
        checkEveryWay(limits, bytes, 0, bytes.length, outcome);
        byte[] behind = join(BEFORE, bytes);
        ParserOutcome both = outcome.precededBy(before);
        if (outcome.isComplete()) {
            ParserOutcome all = ParserRun.whole(limits, NEXT).precededBy(both);
            checkEveryWay(limits, join(behind, NEXT), BEFORE.length, behind.length, all);
        } else {
            checkEveryWay(limits, behind, BEFORE.length, behind.length, both);
        }
    }

    /** Cuts from one position to another; the others are the same for every vector. */
    private void checkEveryWay(RequestLimits limits, byte[] bytes, int from, int to, ParserOutcome expected) {
        assertEquals(expected, ParserRun.whole(limits, bytes), "whole");
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
