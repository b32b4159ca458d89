package org.microhttp.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.*;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** R12, R13: what is sent, where it ends, and whether the connection lives on, for every combination. */
class PersistenceTest {

    private static final Map<Integer, String> REASONS = Map.of(200, "OK", 204, "No Content", 205,
            "Reset Content",
            304, "Not Modified", 404, "Not Found", 500, "Failed");
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH",
            "OPTIONS",
            "TRACE", "BREW");
    private static final List<String> CONNECTIONS = List.of("", "close", "Close", "keep-alive", "Keep-Alive",
            "keep-alive, close", "foo", "foo, CLOSE", "foo,keep-alive", ",, close ,", "'close'", "closed");

    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(PersistenceTest::handle);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    /** {@code /404} gets that status, {@code ?close} the close, {@code ?length=7} that length, and a body. */
    private static void handle(Request request, Consumer<Response> callback) {
        int status = Integer.parseInt(request.target().substring(1, 4));
        var headers = new ArrayList<Header>();
        if (request.target().contains("close")) {
            headers.add(new Header("Connection", "close"));
        }
        if (request.target().contains("length")) {
            headers.add(new Header("Content-Length", request.target()
                    .substring(request.target().indexOf('=') + 1)));
        }
        callback.accept(new Response(status, REASONS.get(status), headers, "hello".getBytes(ISO_8859_1)));
    }

    private static boolean isBodiless(int status) {
        return status == 204 || status == 205 || status == 304;
    }

    /** The whole answer but its date. */
    private static String answer(String method, int status, String length, String connection) {
        String own = status == 204 || status == 304 && length.isEmpty() ? ""
                : "Content-Length: " + (status == 205 ? "0" : length.isEmpty() ? "5" : length) + "\r\n";
        return "HTTP/1.1 " + status + " " + REASONS.get(status) + "\r\n" + own
                + (connection.isEmpty() ? "" : "Connection: " + connection + "\r\n") + "\r\n"
                + (method.equals("HEAD") || isBodiless(status) ? "" : "hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0", "HTTP/1.1", "HTTP/1.2"})
    void persistsAsVersionConnectionAndHandlerSay(String version) throws Exception {
        for (String connection : CONNECTIONS) {
            for (String method : List.of("GET", "HEAD", "POST")) {
                for (int status : List.of(200, 204, 304, 404, 500)) {
                    assertPersistence(version, connection, method, status, false);
                    assertPersistence(version, connection, method, status, true);
                }
            }
        }
    }

    private void assertPersistence(String version, String connection, String method, int status,
            boolean handler)
            throws Exception {
        List<String> tokens = List.of(connection.toLowerCase(Locale.ROOT).split("[ ,]+"));
        boolean old = version.equals("HTTP/1.0");
        boolean persists = !handler && !tokens.contains("close") && (!old || tokens.contains("keep-alive"));
        String request = method + " /" + status + (handler ? "?close " : " ") + version + "\r\nHost: x\r\n"
                + (connection.isEmpty() ? "" : "Connection: " + connection + "\r\n") + "\r\n";
        try (var client = new RawClient(server.port())) {
            var response = client.send(request).response(method.equals("HEAD"));
            String expected = answer(method, status, "", !persists ? "close" : old ? "keep-alive" : "");
            assertEquals(expected, response.undated(), request);
            if (persists) {
                client.get("/200").expect(answer("GET", 200, "", ""));
            } else {
                client.expectEnd();
            }
        }
    }

    @Test
    void endsEveryAnswerWhereItShouldEvenIfABodyIsSupplied() throws Exception {
        for (String method : METHODS) {
            var requests = new StringBuilder();
            var expected = new StringBuilder();
            for (int status : List.of(200, 204, 205, 304, 404, 500)) {
                for (String length : List.of("", "1234")) {
                    requests.append(method).append(" /").append(status)
                            .append(length.isEmpty() ? "" : "?length=" + length)
                                    .append(" HTTP/1.1\r\nHost: x\r\n\r\n");
                    boolean stands = status == 304 || method.equals("HEAD");
                    expected.append(answer(method, status, stands ? length : "", ""));
                }
            }
            RawClient client = server.connect().send(requests.toString()).halfClose();
            assertEquals(expected.toString(), RawResponse.undated(client.readToEnd()), method);
        }
    }

    @Test
    void keepsABodyOutOfTheAnswerToHeadOnly() throws Exception {
        RawClient client = server.connect();
        for (int i = 0; i < 3; i++) {
            client.send("HEAD /200 HTTP/1.1\r\nHost: x\r\n\r\n");
            RawResponse head = client.response(true);
            RawResponse get = client.get("/200").response();
            assertEquals(get.undated(), head.undated() + "hello");
        }
    }

    @Test
    void announcesAndKeepsTheDateOfTheHandler() throws Exception {
        var own = new Response(200, "OK", List.of(new Header("Date", "Mon, 01 Jan 2001 00:00:00 GMT")),
                new byte[0]);
        try (var dated = new TestServer((request, callback) -> callback.accept(own))) {
            String head = dated.connect().send(RawClient.GET).response().head();
            assertEquals("HTTP/1.1 200 OK\r\nDate: Mon, 01 Jan 2001 00:00:00 GMT\r\n"
                    + "Content-Length: 0\r\n\r\n", head);
        }
    }

    @Test
    void serves10000RequestsOnOneOldConnectionThatAskedForIt() throws Exception {
        String request = "GET /200 HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n";
        RawClient client = server.connect();
        for (int i = 0; i < 10_000; i++) {
            client.send(request);
            assertEquals("keep-alive", client.response().header("Connection"));
        }
    }

    @Test
    void readsNoRequestBehindOneThatAskedForTheClose() throws Exception {
        RawClient client = server.connect();
        client.send("GET /200 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                + "GET /404 HTTP/1.1\r\nHost: x\r\n\r\n");
        client.expect(answer("GET", 200, "", "close")).expectEnd();
        assertEquals(1, server.log.count("read_request"));
        server.awaitEvent("linger");
    }

    @Test
    void closesAtOnceWhenTheClientAskedForItAndLeftNothingUnread() throws Exception {
        server.connect().send("GET /200 HTTP/1.0\r\n\r\n").expect(answer("GET", 200, "", "close"))
                .expectEnd();
        server.awaitEvent("close");
        List<String> story = server.log.story(0);
        assertEquals(List.of("accept", "read_request", "response_ready", "write_response", "exchange",
                "close_after_response", "close"), story);
        assertTrue(server.log.count("linger") == 0);
    }
}
