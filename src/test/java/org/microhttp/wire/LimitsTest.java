package org.microhttp.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** What is more than an option allows, exactly at its edge and beyond; and R21, what is allowed. */
class LimitsTest {

    private static String get(int length) {
        String head = "GET / HTTP/1.1\r\nHost: x\r\nA: ";
        return head + "a".repeat(length - head.length() - 4) + "\r\n\r\n";
    }

    private static String post(int length) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void pausesAcceptingAtMaxConnectionsAndResumesWhenOneCloses() throws Exception {
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
    void refusesNobodyHoweverManyWait() throws Exception {
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
    void says503WhenTooManyBytesWaitAndServesOthers(ServerKind kind) throws Exception {
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
    void keepsAnswersWholeWhenUnsentOnesPassTheBudget() throws Exception {
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

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64, 65_536})
    void allowsAHeadOfExactlyMaxHeaderSizeWhateverTheReadBuffer(int readBuffer) throws Exception {
        var options = TestServer.options().withReadBufferSize(readBuffer).withMaxHeaderSize(128);
        for (int size : new int[] {63, 64, 65, 127, 128}) {
            try (var server = new TestServer(options, TestServer::echoTarget)) {
                RawClient client = server.connect().send(get(size) + get(size));
                client.expectOk("/").expectOk("/").send(get(size)).expectOk("/");
            }
        }
        try (var server = new TestServer(options, TestServer::echoTarget)) {
            server.connect().send(get(128) + get(129)).expectOk("/").expectRefusal(431, "header_too_large");
            server.connect().get("/" + "a".repeat(128)).expectRefusal(414, "request_line_too_long");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64, 65_536})
    void allowsABodyOfExactlyMaxRequestSizeWhateverTheReadBuffer(int readBuffer) throws Exception {
        String head = post(900);
        int size = head.length() + 900;
        var options = TestServer.options().withReadBufferSize(readBuffer).withMaxRequestSize(size);
        String body = "b".repeat(900);
        try (var server = new TestServer(options, TestServer::echoBody)) {
            server.connect().send(head + body + head + body).expectOk(body).expectOk(body);
            server.connect().send(post(901)).expectRefusal(413, "request_too_large");
            assertEquals("413", server.awaitEvent("exceed_request_max_close").value("status"));
        }
    }

    @Test
    void allowsMaxHeadersAndNoMore() throws Exception {
        try (var server = new TestServer(TestServer.options().withMaxHeaders(5), TestServer::echoTarget)) {
            String head = "GET / HTTP/1.1\r\nHost: x\r\n";
            server.connect().send(head + "A: b\r\n".repeat(4) + "\r\n").expectOk("/");
            server.connect().send(head + "A: b\r\n".repeat(5) + "\r\n").expectRefusal(431, "too_many_fields");
        }
    }

    @Test
    void handsALargeBodyOverWhenItIsAllowed() throws Exception {
        int size = 20 << 20;
        var options = TestServer.options().withMaxRequestSize(size + 1000).withMaxBufferedBytes(4L * size);
        try (var server = new TestServer(options, (request, callback) ->
                callback.accept(TestServer.ok("" + request.body().length)))) {
            server.connect().send(post(size)).send(new byte[size]).expectOk("" + size);
        }
    }

    @Test
    void handsEveryVisibleCharacterOfATargetOver() throws Exception {
        var target = new StringBuilder("/");
        for (char c = '!'; c <= '~'; c++) {
            target.append(c);
        }
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect();
            for (String text : List.of(target.toString(), "/a[0]=|", "/%zz?%", "//", "http://x:80/a?b#c")) {
                client.get(text).expectOk(text);
            }
            client.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").expectOk("*");
        }
    }

    @Test
    void refusesEveryOtherByteInATarget() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            for (int octet : new int[] {0, 1, '\t', '\n', '\r', 0x1F, 0x7F, 0x80, 0xA0, 0xFF}) {
                byte[] bytes = "GET /?x HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(ISO_8859_1);
                bytes[5] = (byte) octet;
                assertEquals(400, server.connect().send(bytes).response().status(), "" + octet);
            }
            assertEquals(0, server.log.count("read_request"));
        }
    }

    @Test
    void boundsWhatIsReadAtOnceByTheReadBuffer() throws IOException {
        try (var server = new TestServer(TestServer.options().withReadBufferSize(10),
                TestServer::echoTarget)) {
            server.connect().get("/" + "a".repeat(1000)).expectOk("/" + "a".repeat(1000));
            assertTrue(server.log.count("read_bytes") >= 100);
        }
    }
}
