package org.microhttp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
    private static final RequestLimits PROXIED = new RequestLimits(1 << 20, 1 << 15, 100, true);

    private static final String[] PROXY_WORDS = {"PROXY", "TCP4", "TCP6", "UNKNOWN", " ", "  ", "::", ":",
        ".", "0", "00", "255", "256", "65535", "65536", "1.2.3.4", "::1", "ffff", "1:2:3:4:5:6:7",
        "::ffff:1.2.3.4", "\r\n", "%1", "\0", "\3", ""};

    @Test
    void parsesEverySpellingOfARequestAlike() throws Exception {
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

    @Test
    void judgesDamagedProxyHeadersAsTheReferenceDoes() throws Exception {
        List<byte[]> headers = ParserVector.load().stream().filter(vector -> vector.limits().proxied())
                .filter(vector -> vector.bytes().length < 400).map(ParserVector::bytes).toList();
        RandomCases.forEach(15_000, random -> checkProxyHeader(random, headers));
    }

    private static void checkProxyHeader(SplittableRandom random, List<byte[]> headers) {
        String text = new String(headers.get(random.nextInt(headers.size())), ISO_8859_1);
        for (int i = random.nextInt(3); i > 0; i--) {
            text = damaged(random, text, PROXY_WORDS[random.nextInt(PROXY_WORDS.length)]);
        }
        byte[] bytes = RandomCases.bytes(text);
        String client = ReferenceProxyHeader.client(bytes);
        explained(text, PROXIED, () -> {
            ParserOutcome outcome = ParserRun.whole(PROXIED, bytes);
            assertEquals(outcome, ParserRun.inPieces(PROXIED, bytes, random), "in pieces");
            assertEquals(client, outcome.requests().isEmpty() ? null : outcome.requests().get(0).target());
        });
    }

    /** Changes one byte, most often in the first 40, or puts a word for a few. */
    private static String damaged(SplittableRandom random, String text, String word) {
        int at = random.nextInt(Math.min(text.length(), RandomText.chance(random, 80) ? 40 : 400));
        if (random.nextBoolean()) {
            int end = Math.min(text.length(), at + random.nextInt(4));
            return text.substring(0, at) + word + text.substring(end);
        }
        char changed = (char) (text.charAt(at) ^ 1 << random.nextInt(8));
        return text.substring(0, at) + changed + text.substring(at + 1);
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
