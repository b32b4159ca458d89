package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.*;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.protocol.Syntax;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.TestServer;

/**
 * What may become a response, and what of it is a body to send; how status line and fields are rendered, and
 * what they say about the connection.
 */
class ResponseTest {

    private static final byte[] BODY = {'a', 'b', 'c'};
    private static final String TEXT = "{\"n\": \"gr\u00fc\u00df\"}";

    private static Response response(int status, String... namesAndValues) {
        var headers = new ArrayList<Header>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
        }
        return new Response(status, "R", headers, BODY);
    }

    private static String head(Response response) {
        return new String(response.head, ISO_8859_1);
    }

    private static void refuses(String given, org.junit.jupiter.api.function.Executable construction) {
        var thrown = assertThrows(IllegalArgumentException.class, construction);
        assertTrue(thrown.getMessage().contains("allowed"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(Syntax.escaped(given)), thrown.getMessage());
    }

    @Test
    void responseKeepsItsParts() {
        var headers = new ArrayList<>(List.of(new Header("A", "b")));
        var response = new Response(200, "OK", headers, BODY);
        headers.clear();
        assertEquals(200, response.status());
        assertEquals("OK", response.reason());
        assertEquals(List.of(new Header("A", "b")), response.headers());
        assertSame(BODY, response.body().bytes());
        assertTrue(response.hasHeader("a"));
        assertFalse(response.hasHeader("b"));
        assertTrue(response.hasHeader("a", "B"));
        assertFalse(response.hasHeader("a", "c"));
        assertEquals("200 OK", response.toString());
        assertThrows(UnsupportedOperationException.class, () -> response.headers().clear());
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 99, 100, 101, 199, 600, 999, 1200, Integer.MAX_VALUE})
    void refusesAStatusOutside200To599(int status) {
        refuses("" + status, () -> response(status));
    }

    @Test
    void takesEveryStatusFrom200To599() {
        for (int status = 200; status <= 599; status++) {
            assertTrue(head(response(status)).startsWith("HTTP/1.1 " + status + " R\r\n"));
        }
    }

    @Test
    void refusesCharactersThatAreNotTextInReasonsAndValues() {
        for (int c = 0; c <= 0x300; c++) {
            String text = "a" + (char) c + "b";
            boolean allowed = c == '\t' || c >= ' ' && c <= 0x7E || c >= 0x80 && c <= 0xFF;
            if (allowed) {
                assertTrue(head(response(200, "N", text)).contains("\r\nN: " + text + "\r\n"));
                assertTrue(head(new Response(200, text, List.of(), BODY))
                        .startsWith("HTTP/1.1 200 " + text + "\r\n"));
            } else {
                refuses(text, () -> response(200, "N", text));
                refuses(text, () -> new Response(200, text, List.of(), BODY));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u010d\u010aSet-Cookie: a=b", "a\u560d\u560ab", "\ud83d\ude00", "\u2028",
            "a\r\nB: c", "\r",
        "a\n", "\0", " a", "a ", "\ta", "a\t", " "})
    void refusesLineBreaksAndOuterSpaceInValues(String text) {
        refuses("N", () -> response(200, "N", text));
        refuses("reason", () -> new Response(200, text, List.of(), BODY));
    }

    @Test
    void refusesNamesThatAreNotTokens() {
        for (int c = 0; c <= 0x300; c++) {
            String name = "a" + (char) c;
            boolean token = c < 0x7F && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
            if (token) {
                assertTrue(head(response(200, name, "v")).contains("\r\n" + name + ": v\r\n"));
            } else {
                refuses("header name", () -> response(200, name, "v"));
            }
        }
        refuses("header name", () -> response(200, "", "v"));
    }

    @Test
    void refusesAFieldThatIsNull() {
        List<Header> headers = Collections.singletonList(null);
        assertThrows(NullPointerException.class, () -> new Response(200, "OK", headers, BODY));
    }

    @Test
    void takesAnEmptyReasonAndEmptyValues() {
        var response = new Response(200, "", List.of(new Header("A", "")), BODY);
        assertEquals("HTTP/1.1 200 \r\nA: \r\nContent-Length: 3\r\n", head(response));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "1,1", "1 1", "0x1", "1234567890123456789", "a", "\u00b2"})
    void refusesAContentLengthThatIsNot1To18Digits(String length) {
        refuses("Content-Length", () -> response(200, "Content-Length", length));
    }

    @Test
    void hasNoBodyToSendWhereTheStatusHasNone() {
        for (int status = 200; status <= 599; status++) {
            boolean none = status == 204 || status == 205 || status == 304;
            assertEquals(none ? 0 : BODY.length, response(status).bodyLength());
            assertSame(BODY, response(status).body().bytes());
        }
    }

    @ParameterizedTest
    @CsvSource({"200, OK", "226, IM Used", "404, Not Found", "413, Content Too Large",
        "503, Service Unavailable", "299, ''", "418, ''", "599, ''"})
    void hasTheReasonOfTheRegistryUnlessOneIsGiven(int status, String reason) {
        assertEquals(reason, new Response(status, List.of(), BODY).reason());
        assertEquals(reason, new Response(status, List.of(), Body.of(ByteBuffer.wrap(BODY))).reason());
        assertEquals("R", response(status).reason());
    }

    @Test
    void findsTheFirstFieldOfANameInAnyCase() {
        Response some = response(200, "A", "1", "a", "2", "Content-Length", "7");
        assertEquals("1", some.header("a"));
        assertEquals("7", some.header("content-length"));
        assertNull(some.header("b"));
    }

    private static Response connection(String value) {
        return response(200, "Connection", value);
    }

    private static String headForHead(Response response) {
        return new String(response.headForHead, ISO_8859_1);
    }

    @Test
    void rendersFieldsInTheirOrderAsTheirBytes() {
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
        assertTrue(response(200, "Connection", "foo, CLOSE").closing);
        assertTrue(response(200, "Connection", "keep-alive", "Connection", "close").closing);
        assertFalse(response(200, "Connection", "keep-alive").closing);
        assertFalse(response(200, "Connection", "closed").closing);
        assertFalse(response(200).closing);
    }

    @Test
    void letsTheDateOfTheHandlerStand() {
        assertTrue(response(200, "date", "yesterday").dated);
        assertTrue(head(response(200, "date", "yesterday")).contains("\r\ndate: yesterday\r\n"));
        assertFalse(response(200).dated);
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
            assertTrue(connection(list).closing);
            best = Math.min(best, System.nanoTime() - began);
        }
        assertTrue(best < 20_000_000, best + " ns");
    }

    @ParameterizedTest
    @ValueSource(strings = {"close;q", "close close", "\"close\"", "a b", "a,b;c", "\u00e4", "a:b", "(a)"})
    void refusesConnectionOptionsThatAreNoTokens(String value) {
        var thrown = assertThrows(IllegalArgumentException.class, () -> connection(value));
        String element = Syntax.escaped(value.substring(value.indexOf(',') + 1));
        assertEquals("Connection is \"" + element + "\"; allowed: a list of tokens", thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "CLOSE", ",close,", "te , close", ",\t, close ,te"})
    void findsCloseAmongConnectionOptions(String value) {
        assertTrue(connection(value).closing);
    }

    private static void assertIs(Response response, int status, String header, String text) {
        assertEquals(status, response.status());
        assertEquals(header == null ? List.of() : List.of(header),
                response.headers().stream().map(Header::toString).toList());
        assertEquals(text, new String(response.body().bytes(), UTF_8));
        assertTrue(head(response).startsWith("HTTP/1.1 " + status + " "));
    }

    @Test
    void hasTheTypeAndTheBodyThatAreGiven() {
        byte[] bytes = TEXT.getBytes(UTF_8);
        assertIs(Response.of(404), 404, null, "");
        assertIs(Response.of(201, "a/b", TEXT), 201, "Content-Type: a/b", TEXT);
        assertIs(Response.of(200, "a/b", Body.of(ByteBuffer.wrap(bytes))), 200, "Content-Type: a/b", TEXT);
        assertEquals("HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\n"
                + "Content-Length: 10\r\n", head(Response.text(404, "gr\u00fc\u00df \u20ac")));
        assertIs(Response.text(200, TEXT), 200, "Content-Type: text/plain; charset=utf-8", TEXT);
        assertIs(Response.json(422, TEXT), 422, "Content-Type: application/json", TEXT);
        assertSame(bytes, Response.of(200, "a/b", bytes).body().bytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void sendsTheClientElsewhere(int status) {
        assertIs(Response.redirect(status, "/a?b=c"), status, "Location: /a?b=c", "");
    }

    @Test
    void isTheWholeFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), TEXT);
        Handler handler = Handler.blocking(request -> Response.of(200, "a/b", Body.of(file)));
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect();
            assertEquals(TEXT, new String(client.get("/").response().body(), UTF_8));
            assertEquals(TEXT, new String(client.get("/").response().body(), UTF_8));
        }
        Response response = Response.of(200, "a/b", Body.of(file));
        assertTrue(response.body().read(0, ByteBuffer.allocate(1)) > 0);
        response.release();
        assertThrows(ClosedChannelException.class, () -> response.body().read(0, ByteBuffer.allocate(1)));
        assertThrows(NoSuchFileException.class, () -> Body.of(folder.resolve("missing")));
        assertThrows(FileSystemException.class, () -> Body.of(folder));
    }

    @Test
    void refusesImpossibleStatusesFieldsAndNulls() {
        for (int status : new int[] {0, 101, 199, 200, 300, 304, 305, 306, 400}) {
            assertThrows(IllegalArgumentException.class, () -> Response.redirect(status, "/"));
        }
        assertThrows(IllegalArgumentException.class, () -> Response.redirect(302, "/\r\nSet-Cookie: a=b"));
        assertThrows(IllegalArgumentException.class, () -> Response.of(100));
        assertThrows(IllegalArgumentException.class, () -> Response.of(200, "a/b\n", TEXT));
        refuses("99", () -> Response.text(99, ""));
        assertThrows(NullPointerException.class, () -> Response.text(200, null));
        assertThrows(NullPointerException.class, () -> Response.redirect(302, null));
        assertThrows(NullPointerException.class, () -> Response.of(200, null, TEXT));
        assertThrows(NullPointerException.class, () -> Response.json(200, null));
    }
}
