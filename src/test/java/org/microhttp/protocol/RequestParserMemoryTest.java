package org.microhttp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.Inside;
import org.microhttp.Request;
import org.microhttp.testing.ProxyHeaders;

/** What a parser keeps of a request is counted, and a request that is allowed fits into what is allowed. */
class RequestParserMemoryTest {

    private static final int MOST = 100_000;
    private static final int HEADER = 40_000;
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: x\r\n";

    private final Budget budget = new Budget(MOST);
    private final RequestParser parser =
            new RequestParser(new RequestParser.Limits(MOST, HEADER, 1_000, false, budget), null);

    private Request feed(String text) throws RefusalException {
        byte[] bytes = text.getBytes(ISO_8859_1);
        var scratch = new byte[bytes.length];
        parser.receive(ByteBuffer.wrap(bytes), scratch);
        Request request = ParserRun.next(parser);
        parser.keep(scratch);
        return request;
    }

    /** Requests of almost as many bytes as one may have, in each form that takes up room in its own way. */
    static Stream<String> requests() {
        return Stream.of(sized(90_000, 9_000), sized(1, MOST - 100), sized(39_000, 60_000),
                chunked(30_000, 1, 10_000, 0), chunked(10, 100, 900, 0), chunked(10, 60_000, 1, 0),
                chunked(30_000, 30_000, 1, 35_000), chunked(10, 7, 4_500, 35_000), chunked(10, 3_000, 32, 0),
                "\r\n" + chunked(10, 49_000, 2, 0), chunked(39_000, 10_000, 6, 0));
    }

    private static String sized(int head, int body) {
        String field = "X: " + "x".repeat(Math.min(head, 39_000)) + "\r\n";
        return HEAD + field + "Content-Length: " + body + "\r\n\r\n" + "b".repeat(body);
    }

    private static String chunked(int head, int chunk, int count, int trailer) {
        String field = "X: " + "x".repeat(head) + "\r\nTransfer-Encoding: chunked\r\n\r\n";
        String chunks = (Integer.toHexString(chunk) + "\r\n" + "b".repeat(chunk) + "\r\n").repeat(count);
        String trailers = trailer == 0 ? "" : "T: " + "t".repeat(trailer) + "\r\n";
        return HEAD + field + chunks + "0\r\n" + trailers + "\r\n";
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aRequestThatIsAllowedFitsHoweverItIsCut(String text) throws Exception {
        assertTrue(text.length() <= MOST, text.length() + " bytes");
        for (int size : new int[] {1, 100, 1_023, 1_460, 4_096, 16_384, 65_536}) {
            Request request = null;
            for (int from = 0; from < text.length(); from += size) {
                request = feed(text.substring(from, Math.min(from + size, text.length())));
                assertTrue(Inside.used(budget) <= MOST);
            }
            assertEquals("POST", request.method(), "in pieces of " + size);
            assertEquals(0, Inside.used(budget), "in pieces of " + size);
        }
    }

    @Test
    void countsBytesUntilTheHandlerGetsTheRequest() throws Exception {
        String target = "/" + "t".repeat(9_999);
        feed("POST " + target + " HTTP/1.1\r\nHost: x\r\n");
        assertTrue(Inside.used(budget) >= 10_000, Inside.used(budget) + " of the target");
        String field = "X: " + "x".repeat(20_000) + "\r\n";
        feed(field + "Content-Length: 3\r\n\r\n");
        assertTrue(Inside.used(budget) >= 30_000, Inside.used(budget) + " of target and fields");
        feed("ab");
        assertTrue(Inside.used(budget) >= 30_002, Inside.used(budget) + " with the body");
        assertEquals(target, feed("c").target());
        assertEquals(0, Inside.used(budget));
    }

    @Test
    void countsAMethodToo() throws Exception {
        feed("M".repeat(10_000) + " / HTTP/1.1\r\nHost: x\r\n");
        assertTrue(Inside.used(budget) >= 10_000, Inside.used(budget) + " of the method");
        parser.drop();
        assertEquals(0, Inside.used(budget));
        parser.drop();
        assertEquals(0, Inside.used(budget));
    }

    @Test
    void refusedRequestsAreChargedNothingMore() throws Exception {
        budget.tryTake(MOST - 1_000);
        feed("POST /" + "t".repeat(900));
        var thrown = assertThrows(RefusalException.class, () -> feed("t".repeat(200)));
        assertEquals(503, thrown.refusal.status);
        assertEquals("out_of_buffers", thrown.refusal.code);
        parser.drop();
        assertEquals(MOST - 1_000, Inside.used(budget));
    }

    @Test
    void costsNothingWhenARequestIsHereAtOnce() throws Exception {
        budget.tryTake(MOST);
        assertEquals("/a", feed("GET /a HTTP/1.1\r\nHost: x\r\n\r\n").target());
        assertEquals(5, feed(HEAD + "Content-Length: 5\r\n\r\nhello").body().length);
    }

    /** In pieces of any size it costs no more than it has, twice over, and nothing when it was taken. */
    @Test
    void countsAProxyHeaderUntilItIsTaken() {
        byte[] header = ProxyHeaders.binary(ProxyHeaders.value(4, new byte[60_000]));
        for (int size : new int[] {1, 100, 1_023, 16_384}) {
            var ample = new Budget(1 << 20);
            RequestParser proxied = proxied(ample);
            for (int from = 0; from < header.length; from += size) {
                int length = Math.min(size, header.length - from);
                var scratch = new byte[length];
                proxied.receive(ByteBuffer.wrap(header, from, length), scratch);
                ParserRun.next(proxied);
                proxied.keep(scratch);
                int held = from + length;
                long used = Inside.used(ample);
                boolean counted = held == header.length ? used == 0
                        : used >= held && used <= 2L * held + 1_024;
                assertTrue(counted, used + " of " + held);
            }
            assertFalse(proxied.awaitsProxyHeader());
        }
    }

    private static RequestParser proxied(Budget bytes) {
        return new RequestParser(new RequestParser.Limits(1 << 20, HEADER, 1_000, true, bytes), null);
    }

    /** It is refused like an incomplete request, but not answered. */
    @Test
    void refusesAProxyHeaderThatDoesNotFit() {
        budget.tryTake(MOST - 1_000);
        RequestParser proxied = proxied(budget);
        byte[] header = ProxyHeaders.binary(ProxyHeaders.value(4, new byte[5_000]));
        var scratch = new byte[3_000];
        proxied.receive(ByteBuffer.wrap(header, 0, 3_000), scratch);
        var thrown = assertThrows(RefusalException.class, () -> {
            ParserRun.next(proxied);
            proxied.keep(scratch);
        });
        assertEquals("out_of_buffers", thrown.refusal.code);
        assertTrue(proxied.awaitsProxyHeader());
        proxied.drop();
        assertEquals(MOST - 1_000, Inside.used(budget));
    }

    @Test
    void hasRoomForTheLargestRequestAndNoMore() {
        assertEquals(MOST, parser.room(Integer.MAX_VALUE));
        assertEquals(10, parser.room(10));
        parser.receive(ByteBuffer.allocate(MOST - 1), new byte[MOST]);
        assertEquals(0, parser.room(10));
        assertEquals(1, parser.room(Integer.MAX_VALUE));
        parser.receive(ByteBuffer.allocate(1), new byte[MOST]);
        assertEquals(0, parser.room(Integer.MAX_VALUE));
        parser.receive(ByteBuffer.allocate(1), new byte[MOST]);
        assertEquals(0, parser.room(Integer.MAX_VALUE));
    }
}
