package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.*;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Options;
import org.microhttp.Response;
import org.microhttp.extras.testing.*;
import org.microhttp.extras.testing.TlsClient.End;
import org.microhttp.testing.*;

/** Between the front and the server behind it: the socket and its folder, and whose connection is whose. */
@Tier.Program
final class TlsInnerTest {

    private static Path socket(TlsSite site, int number) {
        return Path.of(site.log.await("listen", number).value("local_address"));
    }

    private static void remove(Path socket) throws IOException {
        Files.delete(socket);
        Files.delete(socket.getParent());
    }

    @Test
    void aFolderThatIsRemovedIsMadeAnew() throws Exception {
        var handler = new HoldingHandler();
        try (var site = new TlsSite(handler); var before = site.connect()) {
            before.get("/later");
            var callback = handler.pending.take();
            for (int i = 1; i <= 3; i++) {
                remove(socket(site, i));
                site.assertServes();
            }
            assertEquals(4, site.server.stats().accepted());
            callback.accept(Response.text(200, "kept"));
            before.readUntil("kept");
            assertEquals(0, site.server.stop(Duration.ofSeconds(30)));
            site.join();
            assertFalse(Files.exists(socket(site, 4).getParent()));
        }
        TlsSite.assertNoThreadIsLeft();
    }

    /** In the folder for temporary files any user can make one of the name of a folder that was removed. */
    @Test
    void strangerAtTheSocketsPathGetsNothing() throws Exception {
        try (var site = new TlsSite(TestServer::echoTarget)) {
            Path path = socket(site, 1);
            remove(path);
            Files.createDirectory(path.getParent());
            try (var stranger = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                stranger.bind(UnixDomainSocketAddress.of(path)).configureBlocking(false);
                site.assertServes();
                assertNull(stranger.accept());
            }
            remove(path);
        }
    }

    @Test
    void requestsToAllServersAreFinishedAtAStop() throws Exception {
        var handler = new HoldingHandler();
        var heard = new AtomicInteger();
        Options options = TestServer.options().withOnStopping(heard::incrementAndGet);
        try (var site = new TlsSite(options, UnaryOperator.identity(), handler);
                var one = site.connect().get("/later")) {
            var first = handler.pending.take();
            remove(socket(site, 1));
            try (var two = site.connect().get("/later")) {
                var second = handler.pending.take();
                var stopping = new PendingStop(() -> site.server.stop(Duration.ofSeconds(30)));
                site.log.await("leave", 2);
                first.accept(Response.text(200, "first"));
                one.readUntil("first");
                second.accept(Response.text(200, "second"));
                assertTrue(two.readToEnd().endsWith("second"));
                assertEquals(0, stopping.dropped());
                assertEquals(1, heard.get());
            }
        }
    }

    @Test
    void theFolderForTemporaryFilesMayHaveALongName(@TempDir Path folder) throws Exception {
        Path parent = Files.createDirectories(folder.resolve("a".repeat(100)));
        String before = System.setProperty("java.io.tmpdir", "" + parent);
        try (var site = new TlsSite(TestServer::echoTarget)) {
            site.assertServes();
            assertTrue(Files.list(parent).toList().isEmpty());
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    private static TlsClient connect(Socket socket, String address, int port) throws Exception {
        socket.connect(new InetSocketAddress(address, port));
        return new TlsClient(socket, TlsSite.FILES.client(), "TLSv1.3");
    }

    /** Then nobody knows of which of them a request is, so that it has no session. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSamePortOfAClientMayConnectToTwoAddresses(boolean oneEnds) throws Exception {
        var sessions = new LinkedBlockingQueue<Optional<SSLSession>>();
        Options options = TestServer.options().withHost("0.0.0.0");
        try (var site = new TlsSite(options, UnaryOperator.identity(), (request, callback) -> {
            sessions.add(Optional.ofNullable(request.attribute(SSLSession.class)));
            TestServer.echoTarget(request, callback);
        }); var here = new Socket(); var there = new Socket()) {
            for (Socket socket : List.of(here, there)) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress("127.0.0.1", socket == here ? 0 : here.getLocalPort()));
            }
            try (var one = connect(here, "127.0.0.1", site.port())) {
                one.get("/one").readUntil("/one");
                assertTrue(sessions.take().isPresent());
                try (var two = connect(there, "127.0.0.2", site.port())) {
                    two.get("/two").readUntil("/two");
                    assertTrue(sessions.take().isEmpty());
                    if (oneEnds) {
                        one.halfClose().readToEnd();
                        site.log.await("close");
                    }
                    two.get("/again").readUntil("/again");
                    assertTrue(sessions.take().isEmpty());
                    two.halfClose().readToEnd();
                    assertEquals(End.CUT, two.end());
                }
            }
        }
    }
}
