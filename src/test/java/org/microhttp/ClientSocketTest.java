package org.microhttp;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.simulation.network.*;
import org.microhttp.testing.TestServer;

/** Bytes read and written are counted, logged and dated; a failure is logged as what has failed. */
class ClientSocketTest extends ConnectionFixture {

    private static final long ID = 7;

    private ClientSocket socket;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(new Options().withReadBufferSize(4), TestServer::echoTarget);
        loop.context.group.nextId.set(ID);
        client = loop.connect();
        socket = client.connection.socket;
    }

    /** Begins another turn of the loop at a later time, and returns that. */
    private long nextTurn() {
        loop.passTime(Duration.ofNanos(3));
        return loop.context.clock.now();
    }

    private Stats stats() {
        return GroupContext.sum(loop.context);
    }

    private List<String> logged(String key) {
        return loop.log.events().stream().map(event -> key == null ? event.name() : event.value(key))
                .toList();
    }

    private String read(int most) throws IOException {
        int count = socket.read(most);
        ByteBuffer bytes = loop.context.buffers.received.flip();
        assertEquals(Math.max(0, count), bytes.remaining());
        return ISO_8859_1.decode(bytes).toString();
    }

    @Test
    void readsNoMoreThanIsAskedForAndTheBufferHolds() throws Exception {
        client.channel.send("abcdefghij");
        assertEquals("abc", read(3));
        assertEquals("", read(0));
        assertEquals("defg", read(100));
        assertEquals("hij", read(Integer.MAX_VALUE));
        assertEquals(10, stats().bytesIn());
        assertEquals(List.of("3", "4", "3"), logged("num_bytes"));
    }

    /** Only a caller that wants what was read makes the connection active. */
    @Test
    void readingMakesTheConnectionNotActive() throws Exception {
        long made = loop.context.clock.now();
        nextTurn();
        client.channel.send("abc");
        assertEquals("abc", read(100));
        assertEquals("", read(100));
        assertFalse(socket.endOfStream);
        client.channel.end();
        assertEquals("", read(100));
        assertTrue(socket.endOfStream);
        assertEquals(made, socket.lastActive);
        assertEquals(3, stats().bytesIn());
        assertEquals(List.of("read_bytes", "read_close"), logged(null));
    }

    /** A write that takes nothing is not counted, logged or dated. */
    @Test
    void countsAndDatesWhatTheSocketTakes() throws Exception {
        client.channel.take(0, 2);
        var out = ByteBuffer.wrap("abc".getBytes());
        long written = loop.context.clock.now();
        for (int left : new int[] {3, 1, 0}) {
            assertEquals(written, socket.lastActive);
            assertEquals(written, socket.takingSince);
            long now = nextTurn();
            socket.write(out);
            assertEquals(left, out.remaining());
            written = left < 3 ? now : written;
        }
        assertEquals(written, socket.lastActive);
        assertEquals(written, socket.takingSince);
        assertEquals("abc", client.received());
        assertEquals(3, stats().bytesOut());
        assertEquals(List.of("write", "write"), logged(null));
    }

    @Test
    void setsTheKeysInterestOnlyWhenItChanges() {
        int[] changes = {0};
        loop.machine.observe(new Witness() {
            @Override
            public void strike(Call call, Peer peer) {
                if (call == Call.INTEREST) changes[0]++;
            }
        });
        int[] wanted = {OP_READ, OP_READ | OP_WRITE, OP_READ | OP_WRITE, 0, 0, OP_READ, OP_READ};
        int[] changesSoFar = {0, 1, 1, 2, 2, 3, 3};
        for (int i = 0; i < wanted.length; i++) {
            socket.watch(wanted[i]);
            assertEquals(wanted[i], client.interest());
            assertEquals(changesSoFar[i], changes[0]);
        }
    }

    @ParameterizedTest
    @CsvSource({"java.io.IOException, write_error", "java.lang.IllegalStateException, connection_error",
        "java.lang.OutOfMemoryError, connection_error"})
    void aFailureIsLoggedAsOneOfWritingOrOfTheConnection(Class<Throwable> type, String event)
            throws Exception {
        client.channel.send("a");
        read(1);
        Throwable cause = type.getConstructor().newInstance();
        socket.report(cause);
        assertSame(cause, loop.log.await(event).cause());
        assertEquals("" + ID, loop.log.await(event).value("id"));
    }

    @Test
    void aFailureOfAReadIsLoggedAsThat() {
        client.channel.reset();
        var cause = assertThrows(IOException.class, () -> socket.read(1));
        socket.report(cause);
        assertSame(cause, loop.log.await("read_error").cause());
    }

    @Test
    void countsATimeout() {
        socket.reportTimeout();
        assertEquals(1, stats().timeouts());
        assertEquals("" + ID, loop.log.await("socket_timeout").value("id"));
    }

    @Test
    void endsItsSideAndThenCloses() throws Exception {
        socket.endOutput();
        assertTrue(client.channel.outputEnded);
        client.expectOpen();
        socket.dropUnsent();
        socket.close();
        client.expectClosed();
        assertTrue(client.channel.closesByReset);
    }
}
