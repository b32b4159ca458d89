package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.*;
import java.net.*;
import java.nio.channels.*;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.tools.*;

/**
 * Who waits to be accepted is let in when what was missing for it is there, whoever had it before; and a
 * place is free again if who accepted finds no loop for the connection. The
 * sockets of connections are set as the options say, which no client can see.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AcceptorTest {

    /** What a client waits at most; a loop that only looks at its ticks would take longer. */
    private static final int LIMIT_MILLIS = 15_000;

    /** Another loop takes the only place to look whether somebody comes, and nobody does. */
    @Test
    void takesAPlaceThatAnotherLoopDidNotNeed() throws Exception {
        letInAfter(false);
    }

    /** As one that has failed to accept, which may know no other reason to wait than a descriptor. */
    @Test
    void takesAPlaceThatAnotherLoopDidNotNeedAfterAFailure() throws Exception {
        letInAfter(true);
    }

    private static void letInAfter(boolean failure) throws Exception {
        var options = TestServer.options().withMaxConnections(1);
        try (var server = new TestServer(LoopOrGroup.Kind.HANDING_OVER, options, TestServer::echoTarget, 2)) {
            LoopContext first = Inside.context(server.group, 0);
            if (failure) {
                first.acceptor.failing = true;
            }
            assertTrue(first.group.connections.tryTake(1));
            RawClient client = server.connect().get("/1");
            awaitTurns(first);
            first.group.giveBackPlace(false);
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

    /** It ended after it was chosen, and before it was told. */
    @Test
    void countsNobodyWhoIsHandedOverToALoopThatHasEnded() throws Exception {
        var options = TestServer.options().withMaxConnections(10);
        var log = new RecordingLogger();
        try (var group = Inside.groupWithoutSharedPort(options, log, TestServer::echoTarget, 2);
                var first = new RawClient(group.getPort()); var second = new RawClient(group.getPort())) {
            List<?> loops = Inside.of(group, List.class);
            LoopContext ended = Inside.context(group, 1);
            var totals = new Totals(ended);
            ((EventLoop) loops.get(1)).close();
            ended.shutdown.leaving = false;
            ended.group.add(ended);
            new Thread(((EventLoop) loops.get(0))::start).start();
            assertEquals("", second.readUntilItFails());
            first.get("/1").expectOk("/1");
            first.reset();
            log.await("close");
            awaitTurns(Inside.context(group, 0));
            totals.assertNothingIsHeld();
            assertEquals(1, log.count("accept_error"));
        }
    }

    /** Connections that are idle hear of it all the same. */
    @Test
    void aLoopLeavesThoughItFailsToLetGoOfItsPort() throws Exception {
        var failing = new ScriptedSelector();
        failing.failure = new IOException("wanted");
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            LoopContext loop = Inside.of(server.loop, LoopContext.class);
            Inside.set(loop.acceptor, Selector.class, failing);
            Selector watching = Inside.of(server.loop, Selector.class);
            loop.tasks.add(() -> watching.keys().forEach(key -> age(key.attachment())));
            var stopping = server.leave(Duration.ofSeconds(40));
            assertSame(failing.failure, server.awaitEvent("accept_error").cause());
            client.expectEnd();
            server.loop.stop();
            assertEquals(0, stopping.dropped());
        }
    }

    /** As if nothing had happened on it for an hour. */
    private static void age(Object attachment) {
        if (attachment instanceof Connection connection) {
            long then = connection.loop.clock.now() - Duration.ofHours(1).toNanos();
            connection.socket.lastWritten = then;
            connection.socket.lastActive = then;
        }
    }

    /** A file is closed, which tells the loop nothing; a tick of the loop would be a minute. */
    @Test
    void findsADescriptorThatWasNoConnections() throws Exception {
        assumeTrue(ServerProcess.isPossible());
        try (var server = new ServerProcess("ulimit -n 80", Filled.class.getName())) {
            try (var client = new RawClient(server.port)) {
                client.get("/").expectOk("/");
            }
            assertEquals("done", server.ask("close"));
            assertEquals("done", server.ask("fill"));
            try (var client = new RawClient(server.port)) {
                client.get("/");
                assertEquals("done", server.ask("accept_error"));
                assertEquals("done", server.ask("free"));
                assertServed(client);
            }
        }
    }

    /** A server whose program opens files until there are no descriptors, and closes them. */
    static final class Filled {

        private Filled() {
        }

        public static void main(String[] arguments) throws IOException {
            var log = new RecordingLogger();
            var options = TestServer.options().withResolution(Duration.ofMinutes(1));
            var loop = new EventLoop(options, log, TestServer::echoTarget);
            System.out.println(loop.getPort());
            var reader = new Thread(() -> obey(log));
            reader.setDaemon(true);
            reader.start();
            loop.start();
        }

        private static void obey(RecordingLogger log) {
            var files = new ArrayList<FileInputStream>();
            try (var in = new BufferedReader(new InputStreamReader(System.in))) {
                for (String line; (line = in.readLine()) != null; ) {
                    switch (line) {
                        case "fill" -> fill(files);
                        case "free" -> files.remove(0).close();
                        default -> log.await(line);
                    }
                    System.out.println("done");
                }
            } catch (IOException e) {
                // the test has ended
            }
            System.exit(1);
        }

        private static void fill(List<FileInputStream> files) {
            try {
                while (true) {
                    files.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException e) {
                // there is no descriptor left
            }
        }
    }

    @Test
    void sendsSmallSegmentsWithoutDelay() throws Exception {
        assertEquals(true, accepted(new Options(), StandardSocketOptions.TCP_NODELAY));
    }

    @Test
    void givesEachConnectionTheSendBufferAskedFor() throws Exception {
        var option = StandardSocketOptions.SO_SNDBUF;
        int small = accepted(new Options().withSendBufferSize(16 * 1024), option);
        int large = accepted(new Options().withSendBufferSize(128 * 1024), option);
        assertTrue(small < large, small + " and " + large);
    }

    @Test
    void givesEachConnectionTheReceiveBufferAskedFor() throws Exception {
        var option = StandardSocketOptions.SO_RCVBUF;
        int small = accepted(new Options().withReceiveBufferSize(16 * 1024), option);
        int large = accepted(new Options().withReceiveBufferSize(128 * 1024), option);
        assertTrue(small < large, small + " and " + large);
    }

    /** An option of the server's side of a connection. The loop does not run: this thread accepts for it. */
    private static <T> T accepted(Options options, SocketOption<T> option) throws Exception {
        try (var server = new EventLoop(options.withPort(0), new NoopLogger(), (request, callback) -> { });
                var client = SocketChannel.open(new InetSocketAddress("localhost", server.getPort()))) {
            Inside.of(server, Acceptor.class).onReady();
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
