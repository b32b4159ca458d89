package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.testing.ProxyHeaders.*;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Options;
import org.microhttp.testing.*;

/** R24: a server that expects the PROXY protocol: whom it lets in, whom it answers, and who they are. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProxyProtocolTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private Options options = TestServer.options().withProxyProtocol(true);
    private final BlockingQueue<Object> clients = new LinkedBlockingQueue<>();
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private RawClient serve() throws IOException {
        return serve(ServerKind.LOOP);
    }

    private RawClient serve(ServerKind kind) throws IOException {
        server = new TestServer(kind, options, (request, callback) -> {
            clients.add(request.remoteAddress());
            TestServer.echoTarget(request, callback);
        });
        return server.connect();
    }

    private void assertClosedWithoutAnAnswer() {
        server.awaitEvent("close");
        assertEquals(0, server.log.count("write"));
    }

    /** The proxy is on this machine, which is trusted by default. */
    @Test
    void saysWhoTheClientIsForEachRequestOfTheConnection() throws Exception {
        RawClient client = serve().send(LINE).get("/a").expectOk("/a");
        client.get("/b").get("/c").expectOk("/b").expectOk("/c");
        for (int i = 0; i < 3; i++) {
            assertEquals(CLIENT, clients.take());
        }
        client.send("wrong\r\n").expectRefusal(400, "bad_request_line");
        server.stop();
        // of the connection itself it is the proxy
        assertTrue(server.log.await("accept").value("remote_address").startsWith("/127.0.0.1:"));
        for (int i = 1; i <= 4; i++) {
            assertEquals("/192.0.2.1:40001", server.log.await("exchange", i).value("peer"));
        }
        assertEquals("/192.0.2.1:40001", server.log.await("refuse").value("peer"));
    }

    @Test
    void saysWhoTheProxyIsWhereThatTellsOfNoClient() throws Exception {
        serve();
        byte[] line = bytes("PROXY UNKNOWN\r\n");
        for (byte[] header : List.of(line, binary(LOCAL, 0))) {
            server.connect().send(header).get("/a").expectOk("/a");
            assertEquals(InetAddress.getByName("127.0.0.1"),
                    ((InetSocketAddress) clients.take()).getAddress());
        }
    }

    @Test
    void isPersistentBehindTheLongestHeader() throws Exception {
        byte[] header = binary(value(4, new byte[65_535 - 15]));
        serve().send(header).get("/a").expectOk("/a").get("/b").expectOk("/b");
        assertEquals(CLIENT, clients.take());
    }

    /** Nothing is said to who may be anybody. */
    @ParameterizedTest
    @ValueSource(strings = {RawClient.GET, "PROXY TCP4 1.2.3.4\r\n", "\r\n\r\n\0\r\nQUIT\n\1\0\0\0", "\n",
        "\0", "\u0016\u0003\u0001\2\0\r\n", "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"})
    void closesWithoutAnAnswerWhereTheHeaderIsMissingOrBad(String bytes) throws Exception {
        RawClient client = serve();
        assertEquals("", client.send(bytes).readUntilItFails());
        var refused = server.awaitEvent("refuse");
        assertEquals("400", refused.value("status"));
        assertTrue(refused.value("peer").startsWith("/127.0.0.1:"), "the proxy's");
        assertClosedWithoutAnAnswer();
        server.stop();
        assertEquals(1, server.loop.stats().refusals().values().stream().mapToLong(n -> n).sum());
        assertEquals(0, server.loop.stats().responses().values().stream().mapToLong(n -> n).sum());
    }

    @Test
    void closesWithoutAnAnswerWhereTheHeaderIsCut() throws Exception {
        serve().halfClose().expectEnd();
        for (String part : List.of("P", LINE.substring(0, 20), "\r\n\r\n\0\r\nQUIT\n")) {
            server.connect().send(part).halfClose().expectEnd();
        }
        server.connect().send(LINE).halfClose().expectEnd();
        server.stop();
        assertEquals(0, server.log.count("write"));
        assertEquals(3, server.log.count("refuse"), "whose header had begun");
    }

    @Test
    void cutsOffAHeaderThatTricklesInWithoutAnAnswer() throws Exception {
        options = options.withSocketTimeout(LONG).withRequestTimeout(Duration.ofMillis(200));
        long began = System.nanoTime();
        try (var trickle = new Trickle(serve().send("PROXY UNKNOWN "))) {
            assertEquals("", trickle.client.readUntilItFails());
        }
        assertTrue(System.nanoTime() - began >= 200_000_000L, "too early");
        server.awaitEvent("request_timeout");
        assertClosedWithoutAnAnswer();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "P", "\r\n\r\n\0\r\nQUIT\n"})
    void cutsOffWhoIsSilentWithoutAnAnswer(String part) throws Exception {
        options = options.withSocketTimeout(Duration.ofMillis(150)).withRequestTimeout(LONG);
        serve().send(part).expectEnd();
        server.awaitEvent("socket_timeout");
        assertClosedWithoutAnAnswer();
    }

    /** A request that has begun behind its header is answered like any other. */
    @Test
    void answersARequestThatIsTooLateBehindItsHeader() throws Exception {
        options = options.withSocketTimeout(Duration.ofMillis(150));
        serve().send(LINE + "GET /").expectRefusal(408, "socket_timeout");
        assertEquals("/192.0.2.1:40001", server.awaitEvent("socket_timeout").value("peer"));
    }

    @Test
    void closesWithoutAnAnswerWhereThereIsNoMemoryForTheHeader() throws Exception {
        options = options.withMaxRequestSize(20_000).withMaxBufferedBytes(20_000).withReadBufferSize(1_000);
        RawClient first = serve().send(LINE + "POST / HTTP/1.1\r\nHost: x\r\n"
                + "Content-Length: 15000\r\n\r\n" + "b".repeat(14_999));
        while (server.loop.stats().bytesIn() < 15_000) {
            Thread.onSpinWait();
        }
        byte[] header = binary(value(4, new byte[12_000]));
        var second = server.connect().send(Arrays.copyOf(header, 11_000));
        assertEquals("", second.readUntilItFails());
        assertEquals("out_of_buffers", server.awaitEvent("refuse").value("code"));
        first.send("b").expectOk("/");
    }

    /** Before a byte is read, and counted as none of the server's. */
    @ParameterizedTest
    @EnumSource
    void closesWhoIsNotTrustedBeforeItReads(ServerKind kind) throws Exception {
        options = options.withTrustedProxies(List.of("10.0.0.0/8", "127.0.0.2/32", "::/0"));
        RawClient client = serve(kind);
        for (int i = 1; i <= 9; i++) {
            assertEquals("", client.readUntilItFails());
            String address = server.awaitEvent("untrusted", i).value("remote_address");
            assertTrue(address.matches("/127\\.0\\.0\\.1:[0-9]+"), address);
            client = server.connect();
        }
        server.stop();
        var stats = server.itself.stats();
        assertEquals(0, stats.accepted() + stats.closed() + stats.connections() + stats.bytesIn());
        assertEquals(0,
                server.log.count("accept") + server.log.count("close") + server.log.count("read_bytes"));
    }

    /** A place is free again, so one who is trusted comes in behind any number who are not. */
    @Test
    void keepsNoPlaceForWhoIsNotTrusted() throws Exception {
        options = options.withTrustedProxies(List.of("127.0.0.2/32")).withMaxConnections(2);
        assertEquals("", serve().readUntilItFails());
        for (int i = 0; i < 20; i++) {
            assertEquals("", server.connect().readUntilItFails());
        }
        try (var trusted = RawClient.from("127.0.0.2", server.port())) {
            trusted.send(LINE + RawClient.GET).expectOk("/");
        }
    }

    @Test
    void trustsThisMachineByDefaultInVersion6() throws Exception {
        options = options.withHost("::1");
        try {
            serve().send(LINE).get("/a").expectOk("/a");
        } catch (IOException e) {
            assumeTrue(server != null, "no IPv6 here");
            throw e;
        }
        assertEquals(CLIENT, clients.take());
    }

    /** Who listens at both versions sees clients of version 4 as such. */
    @Test
    void trustsByVersion4WhereItListensAtBoth() throws Exception {
        options = options.withHost(null).withTrustedProxies(List.of("127.0.0.1/32"));
        serve().send(LINE).get("/a").expectOk("/a");
    }

    @Test
    void trustsAnybodyWhereNoHeaderIsExpected() throws Exception {
        options = options.withProxyProtocol(false).withTrustedProxies(List.of());
        serve().get("/a").expectOk("/a");
        server.connect().send(LINE).expectRefusal(400, "bad_version");
        assertEquals(0, server.log.count("untrusted"));
    }
}
