package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.*;
import java.nio.channels.*;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/**
 * A client that waits to be accepted is accepted when what was missing for it is there. A loop that leaves
 * waits for a connection that another has accepted for it; if it was stopped meanwhile, the connection is
 * closed like its others. The sockets of connections are set as the options say, which no client can see.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AcceptorTest {

    /** What a client waits at most; a loop that only looks at its ticks would take longer. */
    private static final int LIMIT_MILLIS = 15_000;

    /** Also a loop that has failed to accept, and may know no other reason to wait than a descriptor. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takesAPlaceThatAnotherLoopReleased(boolean failing) throws Exception {
        var options = TestServer.options().withMaxConnections(1);
        try (var server = new TestServer(ServerKind.HANDING_OVER, options, TestServer::echoTarget, 2)) {
            LoopContext first = Inside.context(server.group, 0);
            Inside.acceptor(first).failing = failing;
            assertTrue(first.group.connections.tryTake(1));
            RawClient client = server.connect().get("/1");
            awaitTurns(first);
            first.group.releaseConnection();
            assertServed(client);
        }
    }

    private static void assertServed(RawClient client) throws IOException {
        String answer = client.readWithin(LIMIT_MILLIS);
        assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), "got \"" + answer + "\"");
    }

    /** Waits for the end of turns that began after this was called. */
    private static void awaitTurns(LoopContext loop) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            var turn = new CountDownLatch(1);
            loop.tasks.add(turn::countDown);
            turn.await();
        }
    }

    /** When the loop that has the fewest connections ends: after it was chosen, that is. */
    enum End {

        /** Before it is given the connection. */
        BEFORE,

        /** With the connection among its tasks, and without having run. */
        CLOSED,

        /** With the connection among its tasks, which it runs once more. */
        STOPPED
    }

    @ParameterizedTest
    @EnumSource
    void closesAConnectionOnItsWayToALoopThatHasEnded(End end) throws Exception {
        try (var pair = new Pair(end)) {
            assertEquals("", pair.clients.get(1).readUntilItFails());
            assertEquals(1, pair.loops.get(0).connectionCount.get());
            assertEquals(0, pair.loops.get(1).connectionCount.get());
            var thread = new Thread(pair.loop(0)::start);
            thread.start();
            pair.clients.get(0).get("/1").expectOk("/1").close();
            pair.log.await("close", end == End.STOPPED ? 2 : 1);
            pair.group.close();
            TestServer.join(thread);
            pair.occupancy.assertNothingIsLeft();
            assertEquals(end == End.STOPPED ? 0 : 1, pair.log.count("accept_error"));
        }
    }

    /** It was chosen before it left, and is given the connection much later. */
    @Test
    void stoppingLoopWaitsForAConnectionOnItsWay() throws Exception {
        var options = TestServer.options().withMaxConnections(10);
        try (var server = new TestServer(ServerKind.HANDING_OVER, options, TestServer::echoTarget, 2)) {
            LoopContext accepting = Inside.context(server.group, 0);
            LoopContext target = Inside.context(server.group, 1);
            accepting.connectionCount.incrementAndGet();
            assertSame(target, accepting.group.placeConnection(accepting));
            accepting.connectionCount.decrementAndGet();
            assertTrue(accepting.group.connections.tryTake(1));
            var stopping = server.beginGracefulStop(Duration.ofSeconds(40));
            awaitTurns(target);
            assertFalse(target.tasks.ended);
            target.tasks.add(target::connectionClosed);
            assertEquals(0, stopping.dropped());
            assertTrue(target.tasks.ended);
        }
    }

    /** Two clients of a group. Its second loop has ended, to which the first has handed the second client. */
    private static final class Pair implements AutoCloseable {

        final RecordingLogger log = new RecordingLogger();
        final EventLoopGroup group;
        final List<LoopContext> loops;
        final Occupancy occupancy;
        final List<RawClient> clients = new ArrayList<>();

        Pair(End end) throws Exception {
            group = Inside.groupWithoutSharedPort(TestServer.options().withMaxConnections(10), log,
                    TestServer::echoTarget, 2);
            loops = List.of(Inside.context(group, 0), Inside.context(group, 1));
            occupancy = new Occupancy(loops);
            if (end == End.BEFORE) {
                loop(1).close();
                // as when it was chosen
                loops.get(1).end.leaving = false;
            }
            for (int i = 0; i < 2; i++) {
                clients.add(new RawClient(group.getPort()));
            }
            Inside.acceptor(loops.get(0)).onReady();
            if (end == End.STOPPED) {
                loop(1).stop();
                loop(1).start();
            }
            loop(1).close();
        }

        EventLoop loop(int index) throws ReflectiveOperationException {
            return Inside.loop(group, index);
        }

        @Override
        public void close() throws IOException {
            group.close();
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** As when the JDK fails on what one client has: the next are not to wait for that. */
    @Test
    void acceptsAgainAfterAnErrorOtherThanTooFewDescriptors() throws Exception {
        var log = new RecordingLogger();
        var options = TestServer.options().withMaxConnections(10);
        try (var server = new EventLoop(options, log, TestServer::echoTarget);
                var client = new RawClient(server.getPort())) {
            var acceptor = server.acceptor;
            var occupancy = new Occupancy(server);
            var port = Inside.of(acceptor, ServerSocketChannel.class);
            // so that an accept throws a NullPointerException, as often as one turn asks
            Inside.set(acceptor, ServerSocketChannel.class, null);
            acceptor.onReady();
            assertTrue(log.await("accept_error").cause() instanceof NullPointerException);
            assertEquals(1, log.count("accept_error"), "of many the first is logged");
            occupancy.assertNothingIsLeft();
            assertEquals(Long.MAX_VALUE, acceptor.nanosToNext(0), "it waits for nothing");
            acceptor.onReady();
            long pause = acceptor.nanosToNext(server.context.clock.now());
            assertTrue(pause > 0, "a failure that stays makes the loop spin");
            assertTrue(pause <= 100_000_000, "it tries again only after " + pause + " ns");
            assertEquals(1, log.count("accept_error"));
            occupancy.assertNothingIsLeft();
            Inside.set(acceptor, ServerSocketChannel.class, port);
            client.get("/1");
            acceptor.onReady();
            assertEquals(1, log.count("accept"));
            Inside.set(acceptor, ServerSocketChannel.class, null);
            acceptor.onReady();
            assertEquals(2, log.count("accept_error"), "the first after a success is logged, too");
            Inside.set(acceptor, ServerSocketChannel.class, port);
        }
    }

    /** A connection that is idle is closed all the same, a second after its last use. */
    @Test
    void loopStopsThoughClosingItsPortFails() throws Exception {
        var failing = Selector.open();
        failing.close();
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            LoopContext loop = server.loop.context;
            Inside.set(Inside.acceptor(loop), Selector.class, failing);
            var stopping = server.stopGracefully(Duration.ofSeconds(40));
            assertInstanceOf(ClosedSelectorException.class, server.awaitEvent("accept_error").cause());
            client.expectEnd();
            server.loop.stop();
            assertEquals(0, stopping.dropped());
        }
    }

    /** As when a descriptor is free again that was no connection's. A tick of the loop would be a minute. */
    @Test
    void triesAFailedAcceptAgainThoughNoConnectionCloses() throws Exception {
        var options = TestServer.options().withResolution(Duration.ofMinutes(1));
        var closed = ServerSocketChannel.open();
        closed.close();
        try (var server = new TestServer(options, TestServer::echoTarget)) {
            LoopContext loop = server.loop.context;
            var port = Inside.of(Inside.acceptor(loop), ServerSocketChannel.class);
            setPort(loop, closed);
            RawClient client = server.connect().get("/");
            assertInstanceOf(IOException.class, server.awaitEvent("accept_error").cause());
            setPort(loop, port);
            assertServed(client);
        }
    }

    private static void setPort(LoopContext loop, ServerSocketChannel port) throws Exception {
        var done = new FutureTask<Void>(() -> {
            Inside.set(Inside.acceptor(loop), ServerSocketChannel.class, port);
            return null;
        });
        loop.tasks.add(done);
        done.get();
    }

    @Test
    void socketsOfConnectionsAreSetAsTheOptionsSay() throws Exception {
        assertEquals(true, accepted(new Options(), StandardSocketOptions.TCP_NODELAY));
        int[] sizes = new int[4];
        for (int i = 0; i < 2; i++) {
            int size = (16 + 112 * i) * 1024;
            sizes[i] = accepted(new Options().withSendBufferSize(size), StandardSocketOptions.SO_SNDBUF);
            sizes[2 + i] = accepted(new Options().withReceiveBufferSize(size),
                    StandardSocketOptions.SO_RCVBUF);
        }
        assertTrue(sizes[0] < sizes[1] && sizes[2] < sizes[3], Arrays.toString(sizes));
    }

    /** An option of the server's side of a connection. The loop does not run: this thread accepts for it. */
    private static <T> T accepted(Options options, SocketOption<T> option) throws Exception {
        try (var server = new EventLoop(options.withPort(0), new NoopLogger(), (request, callback) -> { });
                var client = SocketChannel.open(new InetSocketAddress("localhost", server.getPort()))) {
            server.acceptor.onReady();
            SocketAddress address = client.getLocalAddress();
            for (SelectionKey key : Inside.of(server, Selector.class).keys()) {
                boolean accepted = key.channel() instanceof SocketChannel channel
                        && channel.getRemoteAddress().equals(address);
                if (accepted) return ((SocketChannel) key.channel()).getOption(option);
            }
            throw new AssertionError("not accepted");
        }
    }
}
