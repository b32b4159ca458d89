package org.microhttp;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.simulation.network.*;
import org.microhttp.testing.TestServer;

/** Reads are bounded, counted and logged; failures are logged as what has failed. */
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

    private String read(int most) throws IOException {
        int count = socket.read(most);
        ByteBuffer bytes = loop.context.buffers.received.flip();
        assertEquals(Math.max(0, count), bytes.remaining());
        return ISO_8859_1.decode(bytes).toString();
    }

    @Test
    void readsAtMostTheLimitAndTheBuffer() throws Exception {
        client.channel.send("abcdefghij");
        assertEquals("abc", read(3));
        assertEquals("", read(0));
        assertEquals("defg", read(100));
        assertEquals("hij", read(Integer.MAX_VALUE));
        assertEquals(10, GroupContext.sum(loop.context).bytesIn());
        assertEquals(List.of("3", "4", "3"),
                loop.log.events().stream().map(event -> event.value("num_bytes")).toList());
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

    /** Its key would keep its descriptor. */
    @Test
    void aSocketIsNotWatchedAnyMoreThoughItsCloseFails() {
        loop.machine.observe(new Witness() {
            @Override
            public void strikeOrFail(Call call, Peer peer) throws IOException {
                if (call == Call.CLOSE) throw new IOException("wanted");
            }
        });
        assertTrue(client.key.isValid());
        socket.close();
        assertFalse(client.key.isValid());
    }
}
