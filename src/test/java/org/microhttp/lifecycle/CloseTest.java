package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.Server;
import org.microhttp.testing.*;

/** R18: when {@code close()} returns, on another thread than the loop's, all is over and the port is free. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CloseTest {

    private static final int TIMES = 100;

    private static Thread start(Runnable server, boolean daemon) {
        var thread = new Thread(server, "closed");
        thread.setDaemon(daemon);
        thread.start();
        return thread;
    }

    /** Starts and closes servers; each binds the port that the one before has left. */
    private static void repeat(ServerKind kind, Scene scene) throws Exception {
        var options = TestServer.options();
        for (int i = 0; i < TIMES; i++) {
            Server server = kind.make(options, TestServer::echoTarget);
            options = options.withPort(server.getPort());
            Thread thread = start(server::start, i % 2 == 0);
            scene.play(server);
            Freed.bind(server.getPort());
            TestServer.join(thread);
        }
    }

    private interface Scene {
        void play(Server server) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void thePortCanBeBoundAtOnce(ServerKind kind) throws Exception {
        repeat(kind, server -> {
            try (server; var client = new RawClient(server.getPort())) {
                client.get("/").expectOk("/");
            }
        });
    }

    /** The client keeps its connection until the server has closed it. */
    @ParameterizedTest
    @EnumSource
    void keptConnectionsAreClosedWithIt(ServerKind kind) throws Exception {
        repeat(kind, server -> {
            try (var kept = new RawClient(server.getPort()); var idle = new RawClient(server.getPort())) {
                kept.get("/kept").expectOk("/kept");
                server.close();
                Freed.bind(server.getPort());
                kept.expectEnd();
                // a client that was not accepted yet is reset
                idle.readUntilItFails();
            }
        });
    }

    /** The thread has been started, and may or may not have come to {@code start()} by then. */
    @ParameterizedTest
    @EnumSource
    void mayComeWhileTheThreadIsOnItsWay(ServerKind kind) throws Exception {
        repeat(kind, Server::close);
    }

    @ParameterizedTest
    @EnumSource
    void closesTwiceAndTogether(ServerKind kind) throws Exception {
        Server server = kind.make(TestServer.options(), TestServer::echoTarget);
        start(server::start, false);
        try (var client = new RawClient(server.getPort())) {
            client.get("/").expectOk("/");
        }
        CompletableFuture<Void> other = CompletableFuture.runAsync(server::close);
        server.close();
        Freed.bind(server.getPort());
        other.get(30, TimeUnit.SECONDS);
        server.close();
        Freed.bind(server.getPort());
    }

    /** On any of its threads. */
    @ParameterizedTest
    @EnumSource
    void theHandlersCloseReturnsAtOnce(ServerKind kind) throws Exception {
        var handler = new HoldingHandler(TestServer::nameThread);
        for (int i = 0; i < kind.loops; i++) {
            try (var server = new TestServer(kind, handler)) {
                var nanos = new AtomicLong();
                handler.task = () -> {
                    long began = System.nanoTime();
                    server.itself.close();
                    nanos.set(System.nanoTime() - began);
                };
                String thread = List.copyOf(server.threadNames()).get(i);
                server.connectTo(thread).get("/run").expectOk(thread).expectEnd();
                // if it waited for its own thread it would do so until it gives up, after ten seconds
                assertTrue(nanos.get() < 5_000_000_000L, nanos + " ns");
                server.join();
                Freed.bind(server.port());
            }
        }
    }

    /** A handler that blocks keeps its loop from ending; a caller of close does not wait for it for ever. */
    @ParameterizedTest
    @EnumSource
    void anInterruptEndsTheWaitingOnly(ServerKind kind) throws Exception {
        var handler = new HoldingHandler();
        try (var server = new TestServer(kind, handler)) {
            server.connect().get("/block");
            TestServer.await(handler.blocks);
            var flag = new CompletableFuture<Boolean>();
            Thread closing = start(() -> {
                Thread.currentThread().interrupt();
                server.itself.close();
                flag.complete(Thread.currentThread().isInterrupted());
            }, true);
            assertTrue(flag.get(30, TimeUnit.SECONDS));
            TestServer.join(closing);
            assertTrue(server.thread.isAlive());
            handler.released.countDown();
            server.join();
            Freed.bind(server.port());
        }
    }
}
