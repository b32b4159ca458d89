package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.testing.*;
import org.microhttp.extras.testing.TlsClient.End;
import org.microhttp.testing.*;

/**
 * What the server cuts the front of {@code shared/tls} cuts, too: without close_notify, so that a client
 * knows (RFC 9112 §9.8). What is complete ends with it. From a client an end without it ends no request.
 */
@Tier.Program
final class TlsEndsTest {

    private static final String LAST = "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    private static final int LARGE = 20_000_000;

    private static TlsSite site(Options options, Handler handler) throws Exception {
        return new TlsSite(options, UnaryOperator.identity(), handler);
    }

    /** A body that fails after some bytes, in chunks or of a known length. */
    private static Response failing(boolean counted) {
        Flow.Publisher<ByteBuffer> publisher = subscriber -> subscriber.onSubscribe(new Flow.Subscription() {

            private final AtomicInteger given = new AtomicInteger();

            @Override
            public void request(long n) {
                if (given.getAndIncrement() == 0) {
                    subscriber.onNext(ByteBuffer.wrap("begun".getBytes()));
                    subscriber.onError(new IllegalStateException("wanted"));
                }
            }

            @Override
            public void cancel() {
                // it has failed
            }
        });
        return new Response(200, List.of(), counted ? Body.of(publisher, 10) : Body.of(publisher));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBodyThatFailsIsCut(boolean counted) throws Exception {
        try (var site = new TlsSite((request, callback) -> callback.accept(failing(counted)));
                var client = site.connect()) {
            assertTrue(client.get("/").readToEnd().contains("begun"));
            assertEquals(End.CUT, client.end());
            site.log.await("tls_cut");
        }
    }

    private static void handle(Request request, Consumer<Response> callback) {
        callback.accept(request.target().equals("/fails") ? failing(true)
                : Response.text(200, request.remoteAddress() + ""));
    }

    /** The server behind the front has a Unix-domain socket, or a port of its own. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBodyThatFailsAfterACompleteAnswerIsCut(boolean loopback) throws Exception {
        UnaryOperator<TlsSettings> settings = loopback ? TlsSettings::withLoopback : UnaryOperator.identity();
        try (var site = new TlsSite(TestServer.options(), settings, TlsEndsTest::handle)) {
            String address = site.log.await("listen").value("local_address");
            assertEquals(loopback, address.startsWith("/127.0.0.1:"));
            try (var client = site.connect()) {
                assertTrue(client.send(LAST).readToEnd().endsWith(client.address()));
                assertEquals(End.CLOSE_NOTIFY, client.end());
            }
            try (var client = site.connect()) {
                client.get("/").get("/fails").readUntil("/127.0.0.1");
                client.readToEnd();
                assertEquals(End.CUT, client.end());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void anIdleConnectionEndsWithCloseNotify(String version) throws Exception {
        var options = TestServer.options().withSocketTimeout(Duration.ofMillis(200));
        try (var site = site(options, TestServer::echoTarget); var client = site.connect(version);
                var silent = site.connect(version)) {
            client.get("/").readToEnd();
            assertEquals(End.CLOSE_NOTIFY, client.end());
            silent.readToEnd();
            assertEquals(End.CLOSE_NOTIFY, silent.end());
        }
    }

    @Test
    void aRefusalEndsWithCloseNotify() throws Exception {
        try (var site = new TlsSite(TestServer::echoTarget); var client = site.connect()) {
            assertTrue(client.send("GET /\r\n\r\n").readToEnd().startsWith("HTTP/1.1 400 "));
            assertEquals(End.CLOSE_NOTIFY, client.end());
        }
    }

    @Test
    void aRefusalReachesAClientThatGoesOnSending() throws Exception {
        try (var site = new TlsSite(TestServer::echoTarget); var client = site.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + LARGE + "\r\n\r\n");
            for (int i = 0; i < LARGE / 100_000; i++) {
                client.send(new byte[100_000]);
            }
            assertTrue(client.readToEnd().startsWith("HTTP/1.1 413 "));
            assertEquals(End.CLOSE_NOTIFY, client.end());
        }
    }

    @Test
    void unansweredRequestIsCutAtAStop() throws Exception {
        var handler = new HoldingHandler();
        try (var site = new TlsSite(handler); var client = site.connect()) {
            client.get("/").readUntil("\r\n\r\n/");
            client.get("/later");
            handler.pending.take();
            site.server.stop(Duration.ZERO);
            assertEquals("", client.readToEnd());
            assertEquals(End.CUT, client.end());
        }
    }

    @Test
    void anAnswerThatTheClientDoesNotReadIsCut() throws Exception {
        var time = Duration.ofMillis(300);
        var options = TestServer.options().withSocketTimeout(time).withSendBufferSize(8_000);
        try (var site = site(options, (request, callback) ->
                callback.accept(new Response(200, List.of(), new byte[LARGE])));
                var client = new TlsClient(site.port(), TlsSite.FILES.client(), "TLSv1.3", 8_000)) {
            client.get("/");
            site.log.await("close");
            assertEquals("incomplete", site.log.await("exchange").value("code"));
            int length = client.readToEnd().length();
            assertTrue(length < LARGE, "" + length);
            assertNotEquals(End.CLOSE_NOTIFY, client.end());
        }
    }

    @Test
    void aClientOfTls13ThatEndsItsSideIsAnswered() throws Exception {
        var handler = new HoldingHandler();
        try (var site = new TlsSite(handler); var client = site.connect()) {
            client.get("/later").halfClose();
            site.log.await("read_close");
            handler.pending.take().accept(Response.text(200, "late"));
            assertTrue(client.readToEnd().endsWith("late"));
            assertEquals(End.CLOSE_NOTIFY, client.end());
        }
    }

    /** RFC 5246 §7.2.1 has it so. */
    @Test
    void aClientOfTls12ThatEndsItsSideEndsBoth() throws Exception {
        var handler = new HoldingHandler();
        try (var site = new TlsSite(handler); var client = site.connect("TLSv1.2")) {
            client.get("/later");
            handler.pending.take();
            client.halfClose();
            assertEquals("", client.readToEnd());
            assertEquals(End.CLOSE_NOTIFY, client.end());
            site.log.await("read_close");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aRequestWithoutItsEndIsNoRequest(String version) throws Exception {
        var handler = new HoldingHandler();
        try (var site = new TlsSite(handler)) {
            try (var client = site.connect(version)) {
                client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhell");
                client.socket.shutdownOutput();
                assertEquals("", client.readToEnd());
                assertNotEquals(End.CLOSE_NOTIFY, client.end());
            }
            String cause = site.log.await("tls_error").cause().getMessage();
            assertTrue(cause.contains("without close_notify"), cause);
            site.log.await("close");
            assertEquals(0, handler.requests.size());
        }
    }

    @Test
    void aResetOfTheClientEndsTheConnectionOfTheServer() throws Exception {
        var handler = new HoldingHandler();
        try (var site = new TlsSite(handler)) {
            TlsClient client = site.connect().get("/later");
            handler.pending.take();
            client.socket.setSoLinger(true, 0);
            client.close();
            site.log.await("read_close");
            site.log.await("tls_error");
        }
    }

    @Test
    void anAnswerOfAnyLengthIsComplete() throws Exception {
        Handler handler = (request, callback) -> {
            int length = Integer.parseInt(request.target().substring(1));
            callback.accept(new Response(200, List.of(), new byte[length]));
        };
        try (var site = new TlsSite(handler)) {
            for (int length : new int[] {0, 1, 16_000, 16_384, 16_385, 32_768, 65_536, 300_000, 3_000_000}) {
                for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                    try (var client = site.connect(version)) {
                        String answer = client.send(LAST.replace("last", "" + length)).readToEnd();
                        assertEquals(length, answer.length() - answer.indexOf("\r\n\r\n") - 4);
                        assertEquals(End.CLOSE_NOTIFY, client.end());
                    }
                }
            }
            assertEquals(0, site.log.count("tls_cut"));
        }
    }
}
