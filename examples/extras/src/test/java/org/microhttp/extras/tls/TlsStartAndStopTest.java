package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.*;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;

/** It starts and ends as every {@link Server} does. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TlsStartAndStopTest {

    private static final Duration LONG = Duration.ofSeconds(40);

    private static TlsServer bound() throws Exception {
        return new TlsServer(TestServer.options(), new RecordingLogger(), TestServer::echoTarget,
                TlsSettings.ofKeyStore(TlsSite.FILES.keyStore, TlsFiles.PASSWORD));
    }

    @Test
    void constructorsCheckTheirArguments() throws Exception {
        TlsSettings tls = TlsSettings.ofKeyStore(TlsSite.FILES.keyStore, TlsFiles.PASSWORD);
        Handler handler = TestServer::echoTarget;
        Options options = TestServer.options();
        try (Server server = new TlsServer(options, handler, tls)) {
            assertNotEquals(0, server.getPort());
        }
        for (Executable wrong : new Executable[] {() -> new TlsServer(null, tls),
            () -> new TlsServer(handler, null), () -> new TlsServer(null, handler, tls),
            () -> new TlsServer(options, null, tls), () -> new TlsServer(options, handler, null),
            () -> new TlsServer(options, null, handler, tls)}) {
            assertThrows(NullPointerException.class, wrong);
        }
        for (int loops : new int[] {0, 1025}) {
            var e = assertThrows(IllegalArgumentException.class,
                    () -> new TlsServer(options, new RecordingLogger(), handler, tls, loops));
            assertEquals("size is " + loops + "; allowed: 1 to 1024", e.getMessage());
        }
        TlsSite.assertNoThreadIsLeft();
    }

    private static Throwable reason(CompletableFuture<Void> failed) {
        return assertThrows(ExecutionException.class, () -> failed.get(30, TimeUnit.SECONDS)).getCause();
    }

    @Test
    void saysWhenItServesAndWhenItHasEnded() throws Exception {
        Server server = bound();
        CompletableFuture<Void> ended = server.ended();
        assertNull(server.startAsync().get(30, TimeUnit.SECONDS));
        assertInstanceOf(IllegalStateException.class, reason(server.startAsync()));
        try (var client = new TlsClient(server.getPort(), TlsSite.FILES.client(), "TLSv1.3")) {
            client.get("/still").readUntil("/still");
        }
        assertFalse(ended.isDone());
        server.stop();
        assertNull(ended.get(30, TimeUnit.SECONDS));
        Leaks.bind(server.getPort());
        TlsSite.assertNoThreadIsLeft();
    }

    @Test
    @Tier.Gate
    void startsOnceHoweverCloseTheOtherStartIs() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Server server = bound()) {
                var first = server.startAsync().handle((nothing, failure) -> failure);
                var second = server.startAsync().handle((nothing, failure) -> failure);
                assertNotEquals(first.join() == null, second.join() == null);
                assertFalse(server.ended().isDone());
            }
        }
    }

    /** When the loops have ended, the front still has some of the answer. */
    @Test
    @Tier.Gate
    void waitsForTheEndIfItIsStartedWhenItStops() throws Exception {
        try (var site = new TlsSite((request, callback) ->
                callback.accept(Response.of(200, "text/plain", new byte[50_000_000])));
                var client = site.connect()) {
            client.get("/").readUntil("\r\n\r\n");
            site.server.stop();
            site.server.start();
            assertTrue(site.server.ended().isDone());
        }
    }

    @Test
    void endsWithoutAStart() throws Exception {
        Server server = bound();
        server.close();
        assertTrue(server.ended().isDone());
        assertInstanceOf(IllegalStateException.class, reason(server.startAsync()));
        TlsSite.assertNoThreadIsLeft();
    }

    @Test
    void saysWhyItHasEnded() throws Exception {
        Server server = bound();
        server.startAsync().join();
        Inside.of(Inside.of(server, FrontLoop.class), Selector.class).close();
        assertEquals("the front failed", reason(server.ended()).getMessage());
        TlsSite.assertNoThreadIsLeft();
    }

    /** It has a second, by the clock of the loop, which stands still here. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHandshakeThatGoesOnEndsInAnAnswer(boolean loopback) throws Exception {
        SSLContext context = TlsSite.FILES.client(TlsSite.FILES);
        var made = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        TlsSettings settings = TlsSettings.ofEngines(client -> {
            made.countDown();
            TestServer.await(released);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            return engine;
        });
        Options options = Inside.withClock(TestServer.options(), () -> 0, System::currentTimeMillis);
        try (var site = new TlsSite(options, loopback ? settings.withLoopback() : settings,
                TestServer::echoTarget)) {
            var answer = new FutureTask<>(() -> {
                try (var client = site.connect()) {
                    return client.get("/late").readToEnd();
                }
            });
            new Thread(answer, "client").start();
            made.await();
            var stopping = new PendingStop(() -> site.server.stop(LONG));
            site.log.await("leave");
            released.countDown();
            assertTrue(answer.get().endsWith("/late"));
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void aStopGoesOnWithoutAnInterruptedCaller() throws Exception {
        var handler = new HoldingHandler();
        try (var site = new TlsSite(handler); var client = site.connect()) {
            client.get("/later");
            var callback = handler.pending.take();
            Thread.currentThread().interrupt();
            assertEquals(0, site.server.stop(LONG));
            assertTrue(Thread.interrupted(), "the flag is still set");
            site.log.await("leave");
            callback.accept(Response.text(200, "late"));
            assertTrue(client.readToEnd().endsWith("late"));
            site.join();
        }
    }

    @Test
    void theEarliestEndHolds() throws Exception {
        var handler = new HoldingHandler();
        try (var site = new TlsSite(handler); var client = site.connect()) {
            client.get("/later");
            handler.pending.take();
            var stopping = new PendingStop(() -> site.server.stop(LONG));
            site.log.await("leave");
            assertEquals(1, site.server.stop(Duration.ofMillis(50)));
            assertEquals(1, stopping.dropped());
            assertEquals(1, site.server.stop(LONG));
        }
    }

    @Test
    void refusesATimeOutOfRangeAndServesOn() throws Exception {
        try (var site = new TlsSite(TestServer::echoTarget)) {
            for (Duration grace : new Duration[] {Duration.ofNanos(-1), Duration.ofDays(366), null}) {
                assertThrows(IllegalArgumentException.class, () -> site.server.stop(grace));
            }
            site.assertServes();
        }
    }
}
