package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** What the server's own sockets are set to, which no client can see. */
class SocketOptionsTest {

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
