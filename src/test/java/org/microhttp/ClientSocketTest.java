package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.TestServer;

/** What is read, written, watched for and reported, and when that was. */
class ClientSocketTest extends ConnectionFixture {

    private static final long ID = 7;

    private final ScriptedChannel.Key key = new ScriptedChannel.Key();
    private final ScriptedChannel channel = key.channel();
    private ClientSocket socket;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(new Options().withReadBufferSize(4), TestServer::echoTarget);
        loop.context.group.nextId.set(ID);
        socket = new ClientSocket(loop.context, channel, key);
    }

    /** Begins another turn, whose time is another, and says which. */
    private long nextTurn() {
        long before = loop.context.clock.now();
        loop.context.clock.endTurn();
        while (System.nanoTime() == before) {
            Thread.onSpinWait();
        }
        return loop.context.clock.now();
    }

    private Stats stats() {
        return GroupContext.sum(loop.context);
    }

    private String received() {
        ByteBuffer bytes = loop.context.buffers.received.flip();
        var text = new StringBuilder();
        while (bytes.hasRemaining()) {
            text.append((char) bytes.get());
        }
        return text.toString();
    }

    @Test
    void readsNoMoreThanIsAskedForAndTheBufferHolds() throws Exception {
        channel.send("abcdefghij");
        assertEquals(3, socket.read(3));
        assertEquals("abc", received());
        assertEquals(0, socket.read(0));
        assertEquals("", received());
        assertEquals(4, socket.read(100));
        assertEquals("defg", received());
        assertEquals(3, socket.read(Integer.MAX_VALUE));
        assertEquals("hij", received());
        assertEquals(10, stats().bytesIn());
        assertEquals(List.of("3", "4", "3"),
                loop.log.events().stream().map(event -> event.value("num_bytes")).toList());
    }

    @Test
    void knowsTheEndOfTheClientsSide() throws Exception {
        assertEquals(0, socket.read(1));
        assertFalse(socket.endOfStream);
        channel.end();
        assertEquals(-1, socket.read(1));
        assertTrue(socket.endOfStream);
        assertEquals(0, stats().bytesIn());
        assertEquals(List.of("read_close"), loop.log.events().stream().map(event -> event.name()).toList());
    }

    @Test
    void writesWhatTheSocketTakes() throws Exception {
        channel.take(0, 2);
        var out = ByteBuffer.wrap("abc".getBytes());
        for (int left : new int[] {3, 1, 0}) {
            socket.write(out);
            assertEquals(left, out.remaining());
        }
        assertEquals("abc", channel.received());
        assertEquals(3, stats().bytesOut());
        assertEquals(2, loop.log.count("write"));
    }

    @Test
    void remembersWhenBytesWent() throws Exception {
        long made = loop.context.clock.now();
        assertEquals(made, socket.takingSince);
        assertEquals(made, socket.lastActive);
        long written = nextTurn();
        socket.write(ByteBuffer.allocate(1));
        assertEquals(written, socket.takingSince);
        assertEquals(written, socket.lastActive);
        nextTurn();
        channel.take(0);
        socket.write(ByteBuffer.allocate(1));
        assertEquals(written, socket.takingSince);
        assertEquals(written, socket.lastActive);
    }

    /** Whoever wants what was read says so. */
    @Test
    void isNotUsedByWhatIsRead() throws Exception {
        long made = loop.context.clock.now();
        nextTurn();
        channel.send("abc").end();
        assertEquals(3, socket.read(Integer.MAX_VALUE));
        assertEquals(-1, socket.read(Integer.MAX_VALUE));
        assertEquals(made, socket.lastActive);
        assertTrue(socket.endOfStream);
        assertEquals(3, stats().bytesIn());
    }

    /** It is registered for reading. */
    @Test
    void tellsTheKeyOnlyWhatIsNew() {
        int both = SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        int[] wanted = {SelectionKey.OP_READ, both, both, 0, 0, SelectionKey.OP_READ, SelectionKey.OP_READ};
        for (int interest : wanted) {
            socket.watch(interest);
        }
        assertEquals(List.of(both, 0, SelectionKey.OP_READ), key.told);
    }

    private String report(Throwable cause) {
        int before = loop.log.events().size();
        socket.report(cause);
        var event = loop.log.events().get(before);
        assertEquals("" + ID, event.value("id"));
        assertSame(cause, event.cause());
        return event.name();
    }

    @Test
    void saysWhetherItWasReadWrittenOrSomethingElse() throws Exception {
        var failure = new IOException("wanted");
        assertEquals("write_error", report(failure));
        channel.send("a");
        socket.read(1);
        assertEquals("write_error", report(failure));
        assertEquals("connection_error", report(new IllegalStateException("wanted")));
        assertEquals("connection_error", report(new OutOfMemoryError("wanted")));
        channel.reset();
        assertEquals("read_error", report(assertThrows(IOException.class, () -> socket.read(1))));
        assertEquals("connection_error", report(new IllegalStateException("wanted")));
    }

    @Test
    void countsATimeout() {
        socket.reportTimeout();
        assertEquals(1, stats().timeouts());
        assertEquals("" + ID, loop.log.await("socket_timeout").value("id"));
    }

    @Test
    void endsItsSideAndIsClosed() throws Exception {
        socket.endOutput();
        assertTrue(channel.outputEnded);
        assertTrue(channel.isOpen());
        socket.close();
        assertFalse(channel.isOpen());
        assertFalse(key.isValid());
    }

    @Test
    void hasTheKernelDropWhatItHasNotSent() throws Exception {
        try (SocketChannel real = SocketChannel.open()) {
            new ClientSocket(loop.context, real, key).dropUnsent();
            assertEquals(0, real.getOption(StandardSocketOptions.SO_LINGER));
        }
    }
}
