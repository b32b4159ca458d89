package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/**
 * How many requests one connection may send: the answer to the last says close, and what is behind it is
 * none.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestLimitTest {

    private static final String LATER = "GET /later HTTP/1.1\r\nHost: x\r\n\r\n";

    private final HoldingHandler handler = new HoldingHandler();
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private RawClient serve(long limit) throws IOException {
        return serve(TestServer.options(), limit);
    }

    private RawClient serve(Options options, long limit) throws IOException {
        server = new TestServer(options.withMaxRequestsPerConnection(limit), handler);
        return server.connect();
    }

    /** An answer that says close, or says nothing. */
    private static void expect(RawClient client, boolean last, boolean toHead) throws IOException {
        RawResponse response = client.response(toHead);
        assertEquals(200, response.status());
        assertEquals(last ? "close" : null, response.header("Connection"));
    }

    private static void expectAll(RawClient client, int limit) throws IOException {
        for (int i = 1; i <= limit; i++) {
            expect(client, i == limit, false);
        }
        client.expectEnd();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    void closesBehindTheLast(int limit) throws Exception {
        RawClient client = serve(limit);
        for (int i = 1; i <= limit; i++) {
            expect(client.get("/"), i == limit, false);
        }
        client.expectEnd();
        server.assertServes();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    void dropsWhatIsPipelinedBehindTheLast(int limit) throws Exception {
        expectAll(serve(limit).send(RawClient.GET.repeat(limit + 5)), limit);
        server.stop();
        assertEquals(limit, server.loop.stats().requests());
        assertEquals(limit, server.log.count("exchange"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void countsWhatIsAnsweredLate(int limit) throws Exception {
        RawClient client = serve(limit).send(LATER.repeat(limit + 5));
        for (int i = 1; i <= limit; i++) {
            handler.pending.take().accept(TestServer.ok("late"));
        }
        expectAll(client, limit);
        server.stop();
        assertEquals(0, handler.pending.size());
        assertEquals(limit, server.loop.stats().requests());
    }

    @Test
    void countsEachConnectionByItself() throws Exception {
        RawClient first = serve(2).get("/");
        expect(first, false, false);
        RawClient second = server.connect().get("/");
        expect(second, false, false);
        expect(first.get("/"), true, false);
        first.expectEnd();
        expect(second.get("/"), true, false);
        second.expectEnd();
    }

    @Test
    void countsHead() throws Exception {
        RawClient client = serve(2);
        expect(client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"), false, true);
        expect(client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"), true, true);
        client.expectEnd();
    }

    /** Which is told of keeping alive, until it is not. */
    @Test
    void countsHttp10() throws Exception {
        RawClient client = serve(2);
        String request = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
        assertEquals("keep-alive", client.send(request).response().header("Connection"));
        assertEquals("close", client.send(request).response().header("Connection"));
        client.expectEnd();
    }

    @Test
    void isNoMatterForWhoClosesBefore() throws Exception {
        expect(serve(5).send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), true, false);
        server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
    }

    @Test
    void saysCloseOnceThoughTheHandlerDoes() throws Exception {
        var response = new Response(200, "OK", List.of(new Header("Connection", "close")), new byte[0]);
        var options = TestServer.options().withMaxRequestsPerConnection(1);
        server = new TestServer(options, (request, callback) -> callback.accept(response));
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        server.connect().get("/").expect(head).expectEnd();
    }

    /** A request that the handler does not see is one all the same. */
    @Test
    void countsWhatIsTooMuch() throws Exception {
        RawClient pending = serve(TestServer.options().withMaxPendingRequests(1), 2).get("/later");
        var held = handler.pending.take();
        RawClient client = server.connect();
        for (int i = 1; i <= 2; i++) {
            RawResponse refused = client.get("/").response();
            assertEquals(503, refused.status());
            assertEquals(i == 2 ? "close" : null, refused.header("Connection"));
        }
        client.expectEnd();
        held.accept(TestServer.ok("late"));
        expect(pending, false, false);
    }

    @Test
    void countsAnEmptyLineAndAnInterimAnswerForNothing() throws Exception {
        RawClient client = serve(2).send("\r\n" + RawClient.GET);
        expect(client, false, false);
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n");
        assertEquals(100, client.response().status());
        expect(client.send("b"), true, false);
        client.expectEnd();
    }

    /** As behind a request that asks for the close. */
    @Test
    void countsNothingBehindTheLastAsDropped() throws Exception {
        serve(1).send(LATER.repeat(3));
        handler.pending.take();
        assertEquals(1, server.loop.stop(Duration.ofMillis(100)));
    }

    @Test
    void isNoLimitByDefault() throws Exception {
        server = new TestServer(handler);
        RawClient client = server.connect().send(RawClient.GET.repeat(3_000));
        for (int i = 0; i < 3_000; i++) {
            expect(client, false, false);
        }
        assertNull(client.get("/").response().header("Connection"));
    }
}
