package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.*;
import org.microhttp.testing.*;

/** A server at a Unix domain socket as its clients see it: as one at a port, but for its addresses. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnixSocketTest {

    @TempDir
    private Path folder;
    private UnixDomainSocketAddress address;
    private Options options;
    private TestServer server;

    /** Who the client of each request was. */
    private final BlockingQueue<Object> clients = new LinkedBlockingQueue<>();

    @BeforeEach
    void choose() {
        address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        options = TestServer.options().withUnixSocket(address.getPath());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private RawClient serve(Handler handler) throws IOException {
        server = new TestServer(options, (request, callback) -> {
            clients.add(request.remoteAddress());
            handler.handle(request, callback);
        });
        return server.connect();
    }

    @Test
    void sendsFiles() throws Exception {
        byte[] content = new byte[8 << 20];
        new SplittableRandom(8).nextBytes(content);
        try (var file = FileChannel.open(Files.write(folder.resolve("file"), content))) {
            var response = new Response(200, "OK", List.of(), Body.of(file, 0, content.length));
            RawClient client = serve((request, callback) -> callback.accept(response));
            for (int i = 0; i < 3; i++) {
                assertArrayEquals(content, client.send(RawClient.GET).response().body());
            }
        }
    }

    /** What is asked for an address has one, of its own kind. */
    @Test
    void saysWhereItListensAndThatItsClientHasNoName() throws Exception {
        serve(TestServer::echoTarget).get("/a").expectOk("/a");
        assertEquals(-1, server.port());
        assertEquals(address, server.loop.getAddress());
        assertEquals(UnixDomainSocketAddress.of(""), clients.take());
        assertEquals(address.toString(), server.awaitEvent("listen").value("local_address"));
        assertEquals("", server.awaitEvent("accept").value("remote_address"));
        assertEquals("", server.awaitEvent("exchange").value("peer"));
        server.stop();
        assertEquals(address, server.loop.getAddress());
    }

    /** It can choose any name, a line of a log included, and whatever happens to it nobody sees that name. */
    @Test
    void nameChosenByAClientIsHidden() throws Exception {
        options = options.withHandlerTimeout(Duration.ofMillis(100)).withMaxPendingRequests(1);
        server = new TestServer(options, (request, callback) -> {
            clients.add(request.remoteAddress());
            switch (request.target()) {
                case "/throw" -> throw new IllegalStateException("wanted");
                case "/late" -> { }
                default -> callback.accept(TestServer.ok(request.remoteAddress().toString()));
            }
        });
        String name = "forged\n\r\t \"'\u0001\u001b[31m\u007f event=accept";
        var own = UnixDomainSocketAddress.of(folder.resolve(name));
        for (String request : List.of("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /throw HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /late HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/9.1\r\n\r\n", "GET /")) {
            try (var client = new RawClient(own, address)) {
                client.send(request).halfClose().readToEnd();
            }
            Files.delete(own.getPath());
        }
        server.awaitEvent("close", 5);
        server.stop();
        var unnamed = UnixDomainSocketAddress.of("");
        assertEquals(List.of(unnamed, unnamed, unnamed), List.copyOf(clients));
        for (var event : server.log.events()) {
            assertFalse(event.toString().contains("forged"), event::toString);
            for (String key : List.of("peer", "remote_address")) {
                assertEquals("", event.values().getOrDefault(key, ""));
            }
        }
    }

    /** One loop accepts, and hands over. */
    @Test
    void isServedByAllLoopsOfAGroup() throws Exception {
        server = new TestServer(ServerKind.GROUP, options, TestServer::nameThread);
        assertEquals(-1, server.port());
        assertEquals(address, server.group.getAddress());
        var sent = new ArrayList<RawClient>();
        for (int i = 0; i < 9; i++) {
            sent.add(server.connect().get("/"));
        }
        var counts = TestServer.count(sent);
        assertEquals(server.threadNames(), counts.keySet());
        assertEquals(Set.of(3), Set.copyOf(counts.values()));
        assertEquals(1, server.log.count("listen"));
        assertEquals(0, server.log.count("option_skipped"), "nobody has set one");
    }

    /** Those who wait in the queue when the server begins to leave. */
    @Test
    void servesAllInTheQueueWhenItLeaves() throws Exception {
        var handler = new HoldingHandler();
        RawClient first = serve(handler).get("/block");
        TestServer.await(handler.blocks);
        var waiting = new ArrayList<RawClient>();
        for (int i = 0; i < 100; i++) {
            waiting.add(server.connect().get("/" + i));
        }
        var stopping = server.stopGracefully(Duration.ofSeconds(40)).awaitWaiting();
        handler.released.countDown();
        assertEquals("/block", first.response().text());
        first.close();
        for (int i = 0; i < 100; i++) {
            assertEquals("/" + i, waiting.get(i).response().text());
        }
        assertEquals(0, stopping.dropped());
    }

    /** The mode of the file is the trust; the header says who the client is. */
    @Test
    void everyUnixSocketClientMaySendAProxyHeader() throws Exception {
        options = options.withProxyProtocol(true).withTrustedProxies(List.of());
        serve(TestServer::echoTarget).send(ProxyHeaders.LINE).get("/a").expectOk("/a");
        assertEquals(ProxyHeaders.CLIENT, clients.take());
        server.connect().send(ProxyHeaders.binary(ProxyHeaders.LOCAL, 0)).get("/b").expectOk("/b");
        assertEquals(UnixDomainSocketAddress.of(""), clients.take());
        try (var named = new RawClient(UnixDomainSocketAddress.of(folder.resolve("own")), address)) {
            named.send(ProxyHeaders.LINE).get("/c").expectOk("/c");
            assertEquals(ProxyHeaders.CLIENT, clients.take());
        }
        assertEquals(0, server.log.count("untrusted"));
    }
}
