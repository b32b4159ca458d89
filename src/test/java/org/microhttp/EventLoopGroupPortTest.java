package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.Freed;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RecordingLogger;
import org.microhttp.tools.TestServer;

/** A group's loops share a port, and nobody else does by accident. */
class EventLoopGroupPortTest {

    private static EventLoopGroup group(Options options, int size) throws IOException {
        return new EventLoopGroup(options, new NoopLogger(), TestServer::echoTarget, size);
    }

    /** Whatever their sizes, and before they start, too. */
    @Test
    void refusesAPortThatAnotherListensOn() throws Exception {
        for (int size : new int[] {1, 3}) {
            try (var first = group(TestServer.options(), size)) {
                var taken = TestServer.options().withPort(first.getPort());
                for (int other : new int[] {1, 3}) {
                    var thrown = assertThrows(IOException.class, () -> group(taken, other));
                    assertTrue(thrown.getMessage().contains(":" + first.getPort() + ": "));
                }
                assertThrows(IOException.class,
                        () -> new EventLoop(taken, new NoopLogger(), TestServer::echoTarget));
            }
        }
    }

    /** It has nobody to share it with. */
    @Test
    void keepsThePortOfOneLoopToThat() throws Exception {
        try (var first = group(TestServer.options(), 1)) {
            var sharing = TestServer.options().withPort(first.getPort()).withReusePort(true);
            assertThrows(IOException.class, () -> group(sharing, 1));
            assertThrows(IOException.class, () -> group(sharing, 2));
        }
    }

    /** What is wrong with the options is so from the second loop on. */
    @Test
    void freesThePortIfALaterLoopCannotBeMade() throws Exception {
        var options = TestServer.options();
        var logger = new RecordingLogger();
        logger.hook = event -> options.readBufferSize = -1;
        assertThrows(IllegalArgumentException.class,
                () -> new EventLoopGroup(options, logger, TestServer::echoTarget, 3));
        String address = logger.await("listen").value("local_address");
        Freed.bind(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
        assertEquals(1, logger.count("listen"));
    }

    /** Though the first of them bound it for itself. The loops do not run: this thread accepts for them. */
    @Test
    void hasConnectionsSpreadOverItsLoops() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc")), "another system's way to spread them");
        List<RawClient> clients = new ArrayList<>();
        try (var group = group(TestServer.options(), 2)) {
            for (int i = 0; i < 200; i++) clients.add(new RawClient(group.getPort()));
            int first = accepted(group, 0);
            int second = accepted(group, 1);
            assertEquals(200, first + second);
            assertTrue(first > 20 && second > 20, first + " and " + second);
        } finally {
            for (RawClient client : clients) client.close();
        }
    }

    private static int accepted(EventLoopGroup group, int index) throws Exception {
        var port = Inside.of(Inside.context(group, index).acceptor, ServerSocketChannel.class);
        int count = 0;
        for (SocketChannel channel; (channel = port.accept()) != null; count++) channel.close();
        return count;
    }
}
