package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.testing.ProxyHeaders.bytes;
import static org.microhttp.testing.ProxyHeaders.join;

import java.net.SocketAddress;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.RawClient;
import org.microhttp.wire.model.ProxyHeaderModel;
import org.microhttp.wire.model.RandomCases;

/** R24: damaged PROXY headers are judged as by {@link ProxyHeaderModel}, however they are cut. */
class ProxyHeaderRandomTest {

    private static final List<byte[]> HEADERS = ProxyHeaderTest.headers().toList();

    /** What is put into a line, beside any octet. */
    private static final String[] WORDS = {"PROXY", "TCP4", "TCP6", "UNKNOWN", " ", "  ", "::", ":", ".",
            "0", "00",
        "255", "256", "65535", "65536", "1.2.3.4", "::1", "ffff", "1:2:3:4:5:6:7", "::ffff:1.2.3.4",
        "\r\n", "%1"};

    @Test
    void judgesDamagedHeadersAsTheReferenceDoes() throws Exception {
        RandomCases.forEach(20_000, ProxyHeaderRandomTest::check);
    }

    private static void check(SplittableRandom random) {
        byte[] header = HEADERS.get(random.nextInt(HEADERS.size()));
        for (int i = random.nextInt(4); i > 0; i--) {
            header = mutate(random, header);
        }
        byte[] input = join(header, bytes(RawClient.GET));
        var verdict = ProxyHeaderModel.read(input);
        if (verdict == ProxyHeaderModel.MORE) {
            // as long as the longest, so that it is not more that is needed
            input = join(input, new byte[70_000]);
            verdict = ProxyHeaderModel.read(input);
        }
        String shown = RandomCases.escape(new String(header, java.nio.charset.StandardCharsets.ISO_8859_1));
        assertAgrees(verdict, ProxyHeaderRun.of(input, input.length), shown);
        int least = input.length > 60_000 ? 1_000 : 1;
        assertAgrees(verdict, ProxyHeaderRun.of(input, least + random.nextInt(least + 20)), shown);
        if (verdict.isTaken()) assertTakesNoMore(verdict, input, shown);
    }

    private static byte[] mutate(SplittableRandom random, byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        int end = Math.min(bytes.length, at + random.nextInt(4));
        byte[] before = Arrays.copyOf(bytes, at);
        byte[] after = Arrays.copyOfRange(bytes, end, bytes.length);
        byte[] other = new byte[random.nextInt(3)];
        for (int i = 0; i < other.length; i++) {
            other[i] = (byte) random.nextInt(random.nextBoolean() ? 256 : 4);
        }
        return switch (random.nextInt(4)) {
            case 0 -> join(before, other, after);
            case 1 -> join(before, bytes(WORDS[random.nextInt(WORDS.length)]), after);
            case 2 -> join(before, bytes(WORDS[random.nextInt(WORDS.length)]), Arrays.copyOfRange(bytes, at,
                    bytes.length));
            default -> flipped(random, bytes);
        };
    }

    private static byte[] flipped(SplittableRandom random, byte[] bytes) {
        byte[] other = bytes.clone();
        // most are in what is there of every header
        int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(bytes.length, 40));
        other[at] ^= (byte) (1 << random.nextInt(8));
        return other;
    }

    private static void assertAgrees(ProxyHeaderModel.Verdict verdict, ProxyHeaderRun run, String header) {
        assertEquals(verdict.isTaken(), run.isTaken(), header);
        if (verdict.isTaken()) {
            SocketAddress expected = verdict.client() == null ? ProxyHeaderRun.PROXY : verdict.client();
            assertEquals(expected, run.client(), header);
        } else {
            assertTrue(run.refusal != null && run.refusal.startsWith("400 "), header);
            assertEquals(List.of(), run.requests);
        }
    }

    /** The request begins just behind it. */
    private static void assertTakesNoMore(ProxyHeaderModel.Verdict verdict, byte[] input, String header) {
        byte[] alone = Arrays.copyOf(input, verdict.length());
        ProxyHeaderRun run = ProxyHeaderRun.of(join(alone, bytes(RawClient.GET)), input.length);
        assertNull(run.refusal, header);
        assertEquals(1, run.requests.size(), header);
    }
}
