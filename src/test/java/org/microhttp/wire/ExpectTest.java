package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.*;
import org.microhttp.testing.*;

/** R16: a client that waits for a 100 before it sends its body is not kept waiting. */
class ExpectTest {

    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n";

    private final HoldingHandler handler = new HoldingHandler(TestServer::echoBody);
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        server = new TestServer(handler);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static void expectContinue(RawClient client) throws IOException {
        assertEquals(CONTINUE, client.response().head());
    }

    @Test
    void says100BeforeTheBodyComes() throws Exception {
        RawClient client = server.connect();
        for (int i = 0; i < 3; i++) {
            client.send(HEAD + "Content-Length: 5\r\n\r\n");
            expectContinue(client);
            client.send("hello").expectOk("hello");
        }
    }

    @Test
    void says100BeforeAChunkedBodyComes() throws Exception {
        RawClient client = server.connect().send(HEAD.replace("100-c", "100-C")
                + "Transfer-Encoding: chunked\r\n\r\n");
        expectContinue(client);
        client.send("5\r\nhello\r\n0\r\n\r\n").expectOk("hello");
    }

    @Test
    void says100OnceHoweverSlowTheBodyComes() throws Exception {
        RawClient client = server.connect().send(HEAD + "Content-Length: 5\r\n\r\n");
        expectContinue(client);
        for (int i = 1; i <= 4; i++) {
            client.send("a");
            server.awaitEvent("read_bytes", i + 1);
        }
        client.send("b").expectOk("aaaab");
    }

    @Test
    void saysNothingWhenTheBodyIsHere() throws Exception {
        RawClient client = server.connect();
        client.send(HEAD + "Content-Length: 5\r\n\r\nhello").expectOk("hello");
        client.send(HEAD + "Content-Length: 5\r\n\r\nh");
        server.awaitEvent("read_bytes", 2);
        client.send("ello").expectOk("hello");
        client.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n").expectOk("hello");
    }

    @Test
    void saysNothingWhenThereIsNoBody() throws Exception {
        RawClient client = server.connect();
        client.send(HEAD + "\r\n").expectOk("");
        client.send(HEAD + "Content-Length: 0\r\n\r\n").expectOk("");
    }

    @Test
    void saysNothingToVersion10() throws Exception {
        RawClient client = server.connect();
        client.send(HEAD.replace("1.1", "1.0") + "Connection: keep-alive\r\nContent-Length: 5\r\n\r\n");
        assertEquals("", client.readWithin(200));
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nhello";
        client.send("hello").expect(answer);
    }

    @Test
    void says100AfterEarlierAnswers() throws Exception {
        RawClient client = server.connect();
        client.send(RawClient.GET + "GET /later HTTP/1.1\r\nHost: x\r\n\r\n" + HEAD
                + "Content-Length: 5\r\n\r\n");
        client.expectOk("");
        assertEquals("", client.readWithin(200));
        handler.pending.take().accept(TestServer.ok("later"));
        client.expectOk("later");
        expectContinue(client);
        client.send("hello").expectOk("hello");
    }

    @Test
    void says413InsteadWhenTheBodyWouldBeTooLarge() throws Exception {
        RawClient client = server.connect().send(HEAD + "Content-Length: 2000000\r\n\r\n");
        client.expectRefusal(413, "request_too_large");
    }

    @Test
    void says417ToAnotherExpectation() throws Exception {
        RawClient client = server.connect().send(HEAD.replace("100", "101") + "Content-Length: 5\r\n\r\n");
        client.expectRefusal(417, "unknown_expectation");
    }
}
