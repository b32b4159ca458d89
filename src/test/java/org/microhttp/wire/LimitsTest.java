package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.testing.*;

/** Limits that several clients share, or that none can state in wire.txt. */
class LimitsTest {

    private static String post(int length) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void acceptingPausesAtMaxConnectionsUntilOneCloses() throws Exception {
        try (var server = new TestServer(TestServer.options().withMaxConnections(2),
                TestServer::echoTarget)) {
            RawClient first = server.connect().get("/1").expectOk("/1");
            RawClient second = server.connect().get("/2").expectOk("/2");
            server.awaitEvent("accept_pause");
            RawClient third = server.connect().get("/3");
            assertEquals("", third.readWithin(200));
            second.get("/2").expectOk("/2");
            first.close();
            server.awaitEvent("accept_resume");
            third.expectOk("/3");
            second.get("/2").expectOk("/2");
            assertEquals(3, server.log.count("accept"));
        }
    }

    @Test
    void nobodyIsRefusedHoweverManyWait() throws Exception {
        try (var server = new TestServer(TestServer.options().withMaxConnections(3),
                TestServer::echoTarget)) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < 50; i++) {
                clients.add(server.connect().get("/" + i));
            }
            for (int i = 0; i < 50; i++) {
                clients.get(i).expectOk("/" + i).close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void tooManyBufferedBytesGet503AndOthersAreServed(ServerKind kind) throws Exception {
        var options = TestServer.options().withMaxRequestSize(100_000).withMaxBufferedBytes(150_000)
                .withReadBufferSize(4096);
        try (var server = new TestServer(kind, options, TestServer::nameThread, 2)) {
            String first = server.threadNames().first();
            String last = server.threadNames().last();
            for (int round = 0; round < 5; round++) {
                RawClient one = server.connectTo(first);
                String id = "" + (server.itself.stats().accepted() - 1);
                one.send(post(99_000)).send(new byte[60_000]);
                awaitRead(server, id, 60_000);
                RawClient two = server.connectTo(last).send(post(99_000)).send(new byte[98_999]);
                two.expectRefusal(503, "out_of_buffers");
                two.close();
                server.assertServes();
                one.send(new byte[39_000]).expectOk(first).close();
                server.awaitEvent("close", 3 * round + 3);
            }
            assertEquals("503", server.awaitEvent("refuse").value("status"));
        }
    }

    /** Waits until so many bytes of that connection have been read. */
    private static void awaitRead(TestServer server, String id, int bytes) {
        long sum = 0;
        for (int number = 1; sum < bytes; number++) {
            var event = server.awaitEvent("read_bytes", number);
            sum += event.value("id").equals(id) ? Long.parseLong(event.value("num_bytes")) : 0;
        }
    }

    @Test
    void answersStayWholeWhenUnsentOnesPassTheBudget() throws Exception {
        var options = TestServer.options().withMaxRequestSize(1024).withMaxHeaderSize(1024)
                .withMaxBufferedBytes(1024).withSendBufferSize(4096);
        String filler = "x".repeat(5000);
        try (var server = new TestServer(options, (request, callback) ->
                callback.accept(TestServer.ok(request.target() + filler)))) {
            RawClient client = server.connect(2048);
            var sent = new StringBuilder();
            var expected = new StringBuilder();
            for (int i = 1000; i < 1060; i++) {
                sent.append("GET /").append(i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
                expected.append("HTTP/1.1 200 OK\r\nContent-Length: 5005\r\n\r\n/").append(i).append(filler);
            }
            client.send(sent.toString());
            server.awaitEvent("write");
            String received = RawResponse.undated(client.readUntilItFails());
            int common = 0;
            while (common < received.length() && received.charAt(common) == expected.charAt(common)) {
                common++;
            }
            // the connection may end anywhere, but what came before is what was answered
            assertEquals("", received.substring(common).replaceFirst("(?s)^(HTTP/1.1 503|D(ate?)?:? ?).*",
                    ""));
        }
    }

    /** A request that the handler does not see counts too. */
    @Test
    void requestBeyondMaxPendingRequestsCountsForItsConnection() throws Exception {
        var handler = new HoldingHandler();
        var options = TestServer.options().withMaxPendingRequests(1).withMaxRequestsPerConnection(2);
        try (var server = new TestServer(options, handler)) {
            RawClient pending = server.connect().get("/later");
            var held = handler.pending.take();
            RawClient client = server.connect();
            for (int i = 1; i <= 2; i++) {
                RawResponse refused = client.get("/").response();
                assertEquals(503, refused.status());
                assertEquals(i == 2 ? "close" : null, refused.header("Connection"));
            }
            client.expectEnd();
            held.accept(TestServer.ok("late"));
            pending.expectOk("late");
        }
    }

    @Test
    void requestsBeyondTheLastAreNotDroppedAtAStop() throws Exception {
        var handler = new HoldingHandler();
        var options = TestServer.options().withMaxRequestsPerConnection(1);
        try (var server = new TestServer(options, handler)) {
            server.connect().get("/later").get("/later").get("/later");
            handler.pending.take();
            assertEquals(1, server.loop.stop(Duration.ofMillis(100)));
        }
    }

    @Test
    void refusedClientMaySendAtLeast64Mebibytes() throws Exception {
        byte[] mebibyte = new byte[1 << 20];
        try (var server = new TestServer(TestServer::echoBody)) {
            RawClient client = server.connect().send("wrong\r\n");
            int sent = 0;
            try {
                for (; sent < 200; sent++) {
                    client.send(mebibyte);
                }
            } catch (IOException e) {
                assertTrue(sent >= 64, "ended after " + sent + " MiB");
            }
            assertTrue(sent < 200, "still open after " + sent + " MiB");
            server.awaitEvent("close");
        }
    }
}
