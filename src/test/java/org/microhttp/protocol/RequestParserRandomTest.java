package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.*;

/**
 * The parser against random requests: legal ones must come out as they were meant, damaged ones must be
 * judged as by {@link ReferenceParser}; both alike however the input is cut.
 */
class RequestParserRandomTest {

    private static final RequestLimits WIDE = new RequestLimits(1 << 20, 1 << 15, 100);

    @Test
    void parsesEveryLegalSpellingOfARequestToWhatItMeans() throws Exception {
        RandomCases.forEach(3_000, RequestParserRandomTest::checkLegal);
    }

    private static void checkLegal(SplittableRandom random) {
        List<RequestModel> models = RequestModel.pipeline(random);
        String text = RequestRenderer.render(random, models);
        var expected = new ParserOutcome(models.stream().map(RequestModel::parsed).toList(), "");
        long continues = models.stream().filter(RequestModel::awaitsContinue).count();
        explained(text, WIDE, () -> {
            assertEquals(expected, parseAlike(random, text, WIDE));
            assertEquals(continues, ParserRun.continues(WIDE, RandomCases.bytes(text)), "interim answers");
        });
    }

    @Test
    void judgesDamagedRequestsAsTheReferenceDoesHoweverTheyAreCut() throws Exception {
        RandomCases.forEach(10_000, RequestParserRandomTest::checkDamaged);
    }

    @Test
    @Tier.Full
    void doesBothInManyMoreCases() throws Exception {
        RandomCases.forEach(10_000, RequestParserRandomTest::checkLegal);
        RandomCases.forEach(40_000, RequestParserRandomTest::checkDamaged);
    }

    private static void checkDamaged(SplittableRandom random) {
        String legal = RequestRenderer.render(random, RequestModel.pipeline(random));
        String text = RandomText.chance(random, 90) ? RequestMutator.mutate(random, legal) : legal;
        RequestLimits limits = RandomText.chance(random, 70) ? WIDE : limitsNear(random, text);
        explained(text, limits, () -> {
            ParserOutcome outcome = parseAlike(random, text, limits);
            assertAgrees(ReferenceParser.parse(text, limits), outcome);
        });
    }

    /** Limits that the input just keeps, or just does not. */
    private static RequestLimits limitsNear(SplittableRandom random, String text) {
        int head = text.indexOf("\r\n\r\n") + 4;
        int requestSize = switch (random.nextInt(5)) {
            case 0 -> WIDE.requestSize();
            case 1 -> Integer.MAX_VALUE;
            case 2, 3 -> head + random.nextInt(21) - 10;
            default -> text.length() + random.nextInt(21) - 10;
        };
        int headerSize = random.nextBoolean() ? WIDE.headerSize() : head + random.nextInt(7) - 3;
        int fields = random.nextBoolean() ? WIDE.fields() : random.nextInt(8);
        return new RequestLimits(Math.max(1, requestSize), Math.max(1, headerSize), Math.max(1, fields));
    }

    private static ParserOutcome parseAlike(SplittableRandom random, String text, RequestLimits limits) {
        byte[] bytes = RandomCases.bytes(text);
        ParserOutcome outcome = ParserRun.whole(limits, bytes);
        assertEquals(outcome, ParserRun.inPieces(limits, bytes, 1), "byte by byte");
        assertEquals(outcome, ParserRun.inPieces(limits, bytes, random), "in pieces");
        return outcome;
    }

    private static void assertAgrees(ReferenceParser.Verdict verdict, ParserOutcome outcome) {
        assertEquals(verdict.requests(), outcome.requests());
        boolean sameEnd = !outcome.isRefused()
                && verdict.end().equals(outcome.isComplete() ? "outside" : "inside");
        assertTrue(sameEnd || outcome.isRefused() && verdict.statuses().contains(outcome.status()),
                () -> "expected " + verdict.end() + " " + verdict.statuses() + " but was " + outcome.end());
    }

    private static void explained(String text, RequestLimits limits, Runnable check) {
        try {
            check.run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(e + "\n" + limits + "\n" + RandomCases.escape(text), e);
        }
    }
}
