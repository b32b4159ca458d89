package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.tools.Freed;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/** R18: when {@code close()} returns, on another thread than the loop's, all is over and the port is free. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CloseTest {

    private static EventLoop loop(int port, Handler handler) throws Exception {
        return new EventLoop(TestServer.options().withPort(port), new NoopLogger(), handler);
    }

    private static Thread start(Runnable server, boolean daemon) {
        var thread = new Thread(server, "closed");
        thread.setDaemon(daemon);
        thread.start();
        return thread;
    }

    /** Each loop binds what the one before has left: one that has not ended in time fails the next. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thePortCanBeBoundAtOnceTwoHundredTimes(boolean daemon) throws Exception {
        int port = 0;
        for (int i = 0; i < 200; i++) {
            try (EventLoop loop = loop(port, TestServer::echoTarget)) {
                start(loop::start, daemon);
                port = loop.getPort();
                try (var client = new RawClient(port)) {
                    client.get("/" + i).expectOk("/" + i);
                }
            }
        }
        Freed.bind(port);
    }

    /** The client keeps its connection until the server has closed it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keptConnectionsAreClosedWithIt(boolean daemon) throws Exception {
        int port = 0;
        for (int i = 0; i < 200; i++) {
            EventLoop loop = loop(port, TestServer::echoTarget);
            Thread thread = start(loop::start, daemon);
            port = loop.getPort();
            try (var kept = new RawClient(port); var idle = new RawClient(port)) {
                kept.get("/kept").expectOk("/kept");
                loop.close();
                try (EventLoop next = loop(port, TestServer::echoTarget)) {
                    assertEquals(port, next.getPort());
                }
                kept.expectEnd();
                // who was not accepted yet is reset
                idle.readUntilItFails();
                thread.join(30_000);
                assertFalse(thread.isAlive());
            }
        }
    }

    /** The thread has been started, and may or may not have come to {@code start()} by then. */
    @Test
    void aLoopMayBeClosedWhileItsThreadIsOnItsWay() throws Exception {
        int port = 0;
        for (int i = 0; i < 200; i++) {
            EventLoop loop = loop(port, TestServer::echoTarget);
            Thread thread = start(loop::start, true);
            port = loop.getPort();
            loop.close();
            Freed.bind(port);
            thread.join(30_000);
            assertFalse(thread.isAlive());
        }
    }

    @Test
    void aLoopThatNeverStartedIsFree() throws Exception {
        EventLoop loop = loop(0, TestServer::echoTarget);
        loop.close();
        Freed.bind(loop.getPort());
        loop.start();
        loop.close();
        Freed.bind(loop.getPort());
    }

    @Test
    void closesTwiceAndTogether() throws Exception {
        EventLoop loop = loop(0, TestServer::echoTarget);
        start(loop::start, false);
        try (var client = new RawClient(loop.getPort())) {
            client.get("/").expectOk("/");
        }
        CompletableFuture<Void> other = CompletableFuture.runAsync(loop::close);
        loop.close();
        Freed.bind(loop.getPort());
        other.get(30, TimeUnit.SECONDS);
        loop.close();
        Freed.bind(loop.getPort());
    }

    @Test
    void theHandlersCloseReturnsAtOnce() throws Exception {
        var itself = new AtomicReference<AutoCloseable>();
        EventLoop loop = loop(0, closing(itself));
        itself.set(loop);
        Thread thread = start(loop::start, false);
        assertClosedByItsHandler(loop.getPort(), thread);
    }

    /** On any of its threads. */
    @Test
    void theHandlersCloseOfAGroupReturnsAtOnce() throws Exception {
        for (int i = 0; i < 10; i++) {
            var itself = new AtomicReference<AutoCloseable>();
            var group = new EventLoopGroup(TestServer.options(), new NoopLogger(), closing(itself), 3);
            itself.set(group);
            Thread thread = start(group::start, false);
            assertClosedByItsHandler(group.getPort(), thread);
        }
    }

    private static Handler closing(AtomicReference<AutoCloseable> server) {
        return (request, callback) -> {
            try {
                long began = System.nanoTime();
                server.get().close();
                // if it waited for its own thread it would do so until it gives up, after ten seconds
                boolean atOnce = System.nanoTime() - began < 5_000_000_000L;
                callback.accept(TestServer.ok(atOnce ? "at once" : "too late"));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static void assertClosedByItsHandler(int port, Thread thread) throws Exception {
        try (var client = new RawClient(port)) {
            client.get("/").expectOk("at once").expectEnd();
        }
        thread.join(30_000);
        assertFalse(thread.isAlive());
        Freed.bind(port);
    }

    @Test
    void aGroupIsOverWhenItsCloseReturns() throws Exception {
        int port = 0;
        for (int i = 0; i < 50; i++) {
            Options options = TestServer.options().withPort(port);
            try (var group = new EventLoopGroup(options, new NoopLogger(), TestServer::echoTarget, 2)) {
                start(group::start, i % 2 == 0);
                port = group.getPort();
                try (var client = new RawClient(port)) {
                    client.get("/").expectOk("/");
                }
            }
        }
        Freed.bind(port);
    }

    /** A handler that blocks keeps its loop from ending; who closes does not wait for it for ever. */
    @Test
    void anInterruptEndsTheWaitingOnly() throws Exception {
        var blocks = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        EventLoop loop = loop(0, (request, callback) -> {
            blocks.countDown();
            TestServer.await(released);
        });
        Thread thread = start(loop::start, true);
        var flag = new CompletableFuture<Boolean>();
        try (var client = new RawClient(loop.getPort())) {
            client.get("/");
            blocks.await();
            Thread closing = start(() -> {
                Thread.currentThread().interrupt();
                loop.close();
                flag.complete(Thread.currentThread().isInterrupted());
            }, true);
            assertTrue(flag.get(30, TimeUnit.SECONDS));
            closing.join(30_000);
        } finally {
            released.countDown();
        }
        thread.join(30_000);
        Freed.bind(loop.getPort());
    }
}
