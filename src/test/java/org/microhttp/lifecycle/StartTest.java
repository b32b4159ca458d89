package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** What a server listens at, and what it is not made with: a port in use, an unknown host, a channel. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StartTest {

    private static Server make(ServerKind kind, Options options) throws IOException {
        return kind.make(options, TestServer::echoTarget);
    }

    private static ServerSocketChannel boundChannel() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
    }

    private static void assertRefused(ServerKind kind, Options options, String message) {
        var thrown = assertThrows(IOException.class, () -> make(kind, options));
        assertTrue(thrown.getMessage().contains(message), thrown.getMessage());
    }

    private static void assertRefusesListener(ServerKind kind, Options options) {
        assertRefused(kind, options, "the listener is closed, not bound");
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOP", "GROUP"})
    void sharesAPortIfBothAllowIt(ServerKind kind) throws Exception {
        var options = TestServer.options().withReusePort(true);
        try (var one = new TestServer(kind, options, TestServer::echoTarget)) {
            assumeTrue(one.log.count("option_skipped") == 0, "ports cannot be shared here");
            try (var two = new TestServer(kind, options.withPort(one.port()), TestServer::echoTarget)) {
                assertEquals(one.port(), two.port());
                two.assertServes();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPortInUseIsNamedAndNothingStaysOpen(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            long descriptors = Leaks.descriptors();
            for (int i = 0; i < 50; i++) {
                for (ServerKind other : ServerKind.values()) {
                    var options = TestServer.options().withPort(server.port());
                    assertRefused(other, options, ":" + server.port() + ": ");
                }
            }
            Leaks.assertDescriptors(descriptors);
            server.assertServes();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUnknownHostIsNamed(ServerKind kind) {
        assertRefused(kind, TestServer.options().withHost("no such host"), "no such host");
    }

    /** Whatever host, port and path the options have. */
    @ParameterizedTest
    @EnumSource
    void servesAtAChannelThatIsBoundAndClosesIt(ServerKind kind) throws Exception {
        try (var listener = ServerSocketChannel.open()) {
            var options = TestServer.options().withHost("no such host").withUnixSocket(Path.of("none"))
                    .withListener(listener);
            assertRefusesListener(kind, options);
            listener.bind(new InetSocketAddress("127.0.0.1", 0));
            SocketAddress address = listener.getLocalAddress();
            try (var server = new TestServer(kind, options, TestServer::echoTarget)) {
                assertEquals(address, server.address());
                for (int i = 0; i < kind.loops; i++) {
                    server.assertServes();
                }
                assertRefusesListener(kind, options);
                server.assertServes();
            }
            assertFalse(listener.isOpen());
            assertRefusesListener(kind, options);
        }
    }

    /** Both see that it is free, before one takes it. */
    @ParameterizedTest
    @EnumSource
    void oneOfTwoServersGetsAChannel(ServerKind kind) throws Exception {
        try (var listener = boundChannel()) {
            var options = TestServer.options().withListener(listener);
            var made = new LinkedBlockingQueue<Server>();
            var refused = new LinkedBlockingQueue<IOException>();
            var threads = Stream.generate(() -> new Thread(() -> {
                try {
                    made.add(make(kind, options));
                } catch (IOException e) {
                    refused.add(e);
                }
            })).limit(2).toList();
            synchronized (listener.blockingLock()) {
                threads.forEach(Thread::start);
                while (threads.stream().anyMatch(thread -> thread.getState() != Thread.State.BLOCKED)) {
                    Thread.onSpinWait();
                }
            }
            assertNotNull(refused.take());
            assertTrue(listener.isOpen());
            made.take().close();
        }
    }

    /** It would accept nobody. */
    @ParameterizedTest
    @EnumSource
    void doesNotStartAtAChannelThatWasClosed(ServerKind kind) throws Exception {
        var listener = boundChannel();
        Server server = make(kind, TestServer.options().withListener(listener));
        listener.close();
        var thrown = assertThrows(IllegalStateException.class, server::start);
        assertInstanceOf(ClosedChannelException.class, thrown.getCause());
    }

    @Test
    void eachPartIsNecessary() {
        var options = TestServer.options();
        var log = new NoopLogger();
        Handler echo = TestServer::echoTarget;
        assertThrows(NullPointerException.class, () -> new EventLoop(null));
        assertThrows(NullPointerException.class, () -> new EventLoop(null, echo));
        assertThrows(NullPointerException.class, () -> new EventLoop(options, null, echo));
        assertThrows(NullPointerException.class, () -> new EventLoop(options, log, null));
        assertThrows(NullPointerException.class, () -> new EventLoopGroup(null, echo));
        assertThrows(NullPointerException.class, () -> new EventLoopGroup(options, null, echo));
        assertThrows(NullPointerException.class, () -> new EventLoopGroup(options, log, null));
    }
}
