package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.testing.ProxyHeaders.*;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.Options;
import org.microhttp.testing.*;

/** R24: which proxies a server trusts that requires the PROXY protocol; wire.txt has what clients get. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProxyProtocolTest {

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

    /** A client that may be anybody learns nothing. The address logged is that of the proxy. */
    @Test
    void badHeaderGetsNoAnswer() throws Exception {
        assertEquals("", serve().send("PROXY TCP4 1.2.3.4\r\n").readUntilItFails());
        assertTrue(server.awaitEvent("accept").value("remote_address").startsWith("/127.0.0.1:"));
        assertTrue(server.awaitEvent("refuse").value("peer").startsWith("/127.0.0.1:"));
        server.awaitEvent("close");
        server.stop();
        assertEquals(0, server.log.count("write"));
        assertEquals(1, server.loop.stats().refusals().values().stream().mapToLong(n -> n).sum());
        assertEquals(0, server.loop.stats().responses().values().stream().mapToLong(n -> n).sum());
    }

    @Test
    void headerWithoutMemoryGetsNoAnswer() throws Exception {
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
    void untrustedProxyIsClosedBeforeAByteIsRead(ServerKind kind) throws Exception {
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
    void untrustedProxyTakesNoPlace() throws Exception {
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
    void thisMachineIsTrustedByDefaultInIpv6() throws Exception {
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
    void ipv4ClientIsTrustedAsSuchWhereIpv6IsServedToo() throws Exception {
        options = options.withHost(null).withTrustedProxies(List.of("127.0.0.1/32"));
        serve().send(LINE).get("/a").expectOk("/a");
    }

    @Test
    void anyClientIsTrustedWhereNoHeaderIsRequired() throws Exception {
        options = options.withProxyProtocol(false).withTrustedProxies(List.of());
        serve().get("/a").expectOk("/a");
        server.connect().send(LINE).expectRefusal(400, "bad_version");
        assertEquals(0, server.log.count("untrusted"));
    }
}
