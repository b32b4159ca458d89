package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How status line and fields are rendered, and what they say about the connection. */
class ResponseHeadTest {

    private static final byte[] BODY = {'a', 'b', 'c'};

    private static Response response(int status, String... namesAndValues) {
        var headers = new ArrayList<Header>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
        }
        return new Response(status, "R", headers, BODY);
    }

    private static Response connection(String value) {
        return response(200, "Connection", value);
    }

    private static String head(Response response) {
        return new String(response.head.bytes, ISO_8859_1);
    }

    private static String headForHead(Response response) {
        return new String(response.head.bytesForHead, ISO_8859_1);
    }

    @Test
    void rendersFieldsInTheirOrderAsTheirOctets() {
        String head = head(response(404, "B", "1", "A", "2", "b", "\u00e9"));
        assertEquals("HTTP/1.1 404 R\r\nB: 1\r\nA: 2\r\nb: \u00e9\r\nContent-Length: 3\r\n", head);
    }

    @Test
    void replacesContentLengthExceptWhereNoBodyIsSent() {
        for (int status : new int[] {200, 201, 206, 400, 500, 599}) {
            Response response = response(status, "content-LENGTH", "77");
            assertEquals("HTTP/1.1 " + status + " R\r\nContent-Length: 3\r\n", head(response));
            assertEquals("HTTP/1.1 " + status + " R\r\nContent-Length: 77\r\n", headForHead(response));
            assertEquals(head(response(status)), headForHead(response(status)));
        }
    }

    @Test
    void knowsTheStatusesWithoutALength() {
        for (String[] length : new String[][] {{}, {"Content-Length", "77"}}) {
            assertEquals("HTTP/1.1 204 R\r\n", head(response(204, length)));
            assertEquals("HTTP/1.1 204 R\r\n", headForHead(response(204, length)));
            assertEquals("HTTP/1.1 205 R\r\nContent-Length: 0\r\n", head(response(205, length)));
            assertEquals("HTTP/1.1 205 R\r\nContent-Length: 0\r\n", headForHead(response(205, length)));
            String own = length.length > 0 ? "Content-Length: 77\r\n" : "";
            assertEquals("HTTP/1.1 304 R\r\n" + own, head(response(304, length)));
            assertEquals("HTTP/1.1 304 R\r\n" + own, headForHead(response(304, length)));
        }
    }

    @Test
    void dropsTransferEncoding() {
        String head = head(response(200, "Transfer-Encoding", "chunked", "transfer-encoding", "gzip"));
        assertEquals("HTTP/1.1 200 R\r\nContent-Length: 3\r\n", head);
    }

    @Test
    void takesCloseAndKeepAliveOutOfConnectionAndKeepsTheRest() {
        assertEquals("HTTP/1.1 200 R\r\nConnection: foo, Bar\r\nContent-Length: 3\r\n",
                head(response(200, "Connection", "foo, close", "connection", "Keep-Alive,, Bar")));
        assertEquals("HTTP/1.1 200 R\r\nContent-Length: 3\r\n",
                head(response(200, "Connection", "keep-alive")));
        assertTrue(response(200, "Connection", "foo, CLOSE").head.closing);
        assertTrue(response(200, "Connection", "keep-alive", "Connection", "close").head.closing);
        assertFalse(response(200, "Connection", "keep-alive").head.closing);
        assertFalse(response(200, "Connection", "closed").head.closing);
        assertFalse(response(200).head.closing);
    }

    @Test
    void letsTheDateOfTheHandlerStand() {
        assertTrue(response(200, "date", "yesterday").head.dated);
        assertTrue(head(response(200, "date", "yesterday")).contains("\r\ndate: yesterday\r\n"));
        assertFalse(response(200).head.dated);
    }

    /** One that a handler copies from a request had blocked the loop for 0.8 s. */
    @Test
    void readsItsConnectionOptionsInTimeWhateverIsBetweenThem() {
        String spaces = "a" + " ".repeat(32_000) + "b";
        String list = "a" + " ".repeat(32_000) + ",close";
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long began = System.nanoTime();
            assertThrows(IllegalArgumentException.class, () -> connection(spaces));
            assertTrue(connection(list).head.closing);
            best = Math.min(best, System.nanoTime() - began);
        }
        assertTrue(best < 20_000_000, best + " ns");
    }

    @ParameterizedTest
    @ValueSource(strings = {"close;q", "close close", "\"close\"", "a b", "a,b;c", "\u00e4", "a:b", "(a)"})
    void refusesConnectionOptionsThatAreNoTokens(String value) {
        var thrown = assertThrows(IllegalArgumentException.class, () -> connection(value));
        String element = value.substring(value.indexOf(',') + 1);
        assertEquals("Connection is \"" + element + "\"; allowed: a list of tokens", thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "CLOSE", ",close,", "te , close", ",\t, close ,te"})
    void findsCloseAmongConnectionOptions(String value) {
        assertTrue(connection(value).head.closing);
    }
}
