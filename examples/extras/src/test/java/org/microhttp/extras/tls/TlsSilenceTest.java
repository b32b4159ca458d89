package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.extras.testing.*;
import org.microhttp.extras.testing.SilentClients.Step;
import org.microhttp.testing.*;

/** Many clients that take places, work or memory and ask for nothing: the front bounds what they get. */
@Tier.Program
final class TlsSilenceTest {

    private static SilentClients clients(TlsSite site) throws Exception {
        return new SilentClients(site.port(), TlsSite.FILES.client());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REQUEST")
    void aPlaceIsForNewClientsIfTheOldOnesAreSilent(Step step) throws Exception {
        var options = TestServer.options().withMaxConnections(100);
        try (var site = new TlsSite(options, UnaryOperator.identity(), TestServer::echoTarget);
                var silent = clients(site); var busy = site.connect()) {
            busy.get("/").readUntil("\r\n\r\n/");
            silent.come(300, step);
            silent.assertDelayNobody();
            site.log.await("tls_error", 200);
            busy.get("/busy").readUntil("/busy");
        }
    }

    @Test
    void thousandSilentClientsDelayNobody() throws Exception {
        try (var site = new TlsSite(TestServer::echoTarget); var silent = clients(site)) {
            // the last of these take the places of the first
            silent.come(1_100, Step.CONNECTED);
            silent.assertDelayNobody();
            site.log.await("tls_error", 100);
        }
    }

    @Test
    void noWorkIsDoneForClientsThatLeft() throws Exception {
        var context = TlsSite.FILES.client(TlsSite.FILES);
        var made = new AtomicInteger();
        var released = new CountDownLatch(1);
        var settings = TlsSettings.ofEngines(client -> {
            made.incrementAndGet();
            await(released);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            return engine;
        });
        try (var site = new TlsSite(TestServer.options(), settings, TestServer::echoTarget)) {
            byte[] hello = SilentClients.clientHello(TlsSite.FILES.client());
            try (var stays = clients(site)) {
                stays.send(hello);
                try (var left = clients(site)) {
                    for (int i = 0; i < 200; i++) {
                        left.send(hello);
                    }
                }
                site.log.await("tls_error", 200);
                released.countDown();
                site.assertServes();
            }
            // the last to leave may be closed a moment after it is logged
            assertTrue(made.get() <= 3, "" + made);
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, names = {"HELLO", "HANDSHAKE"})
    void bufferedBytesOfAllConnectionsAreBounded(Step step) throws Exception {
        // whatever the kind of record, of which 16 KB come and 384 bytes do not
        byte[] part = Arrays.copyOf(new byte[] {23, 3, 3, 0x40, 0}, 16_000);
        Options options = TestServer.options().withMaxBufferedBytes(2_000_000);
        try (var site = new TlsSite(options, UnaryOperator.identity(), TestServer::echoTarget)) {
            try (var silent = clients(site)) {
                for (int i = 0; i < 200; i++) {
                    if (step == Step.HANDSHAKE) {
                        TlsClient client = site.connect();
                        silent.add(client);
                        client.socket.getOutputStream().write(part);
                    } else {
                        part[0] = 22;
                        silent.send(part);
                    }
                }
                site.log.await("tls_error", 70);
            }
            site.assertServes();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CONNECTED", "HALF_A_HELLO", "HELLO"})
    void silentClientsDoNotHoldUpAStop(Step step) throws Exception {
        var publisher = new SubmissionPublisher<ByteBuffer>();
        var options = TestServer.options().withOnStopping(publisher::close);
        Handler handler = (request, callback) ->
                callback.accept(new Response(200, List.of(), Body.of(publisher).withHeadAtOnce()));
        try (var site = new TlsSite(options, settings -> settings.withHandshakeTimeout(Duration.ofDays(1)),
                handler); var silent = clients(site); var client = site.connect()) {
            client.get("/").readUntil("\r\n\r\n");
            silent.come(10, step);
            assertEquals(0, site.server.stop(Duration.ofDays(1)));
            assertTrue(client.readToEnd().endsWith("0\r\n\r\n"));
        }
    }
}
