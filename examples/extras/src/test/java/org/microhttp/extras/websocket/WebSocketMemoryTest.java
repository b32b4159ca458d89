package org.microhttp.extras.websocket;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.extras.testing.ClientFrames.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.FrameClient;
import org.microhttp.testing.TestServer;
import org.microhttp.testing.Tier;

/** What many connections of the package {@code websocket} hold together: it has a limit, which is fair. */
@Tier.Program
final class WebSocketMemoryTest extends WebSocketFixture {

    private static final int HALF = 50_000;
    private static final int WHOLE = 2 * HALF;

    /** More than the kernel has room for. */
    private static final int LARGE = 1 << 18;

    private final BlockingQueue<WebSocket> sockets = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    /** Echoes. */
    private final class Echo implements WebSocketListener {

        @Override
        public void onOpen(WebSocket socket) {
            sockets.add(socket);
        }

        @Override
        public void onBinary(WebSocket socket, ByteBuffer data) {
            socket.sendBinary(data);
        }

        @Override
        public void onClose(WebSocket socket, int code, String reason) {
            closed.add(code + " " + reason);
        }
    }

    @BeforeEach
    void start() throws IOException {
        options = options.withMaxMessageSize(LARGE);
        start(TestServer.options().withSendBufferSize(8192), new Echo());
    }

    private FrameClient open() throws IOException {
        return open(0);
    }

    /** @param receiveBufferSize a small one is soon full; 0 for the system's */
    private FrameClient open(int receiveBufferSize) throws IOException {
        var client = new FrameClient(server.itself.getPort(), receiveBufferSize);
        opened.add(0, client);
        return client;
    }

    private WebSocket socket() throws InterruptedException {
        return sockets.poll(30, TimeUnit.SECONDS);
    }

    private String closed() throws InterruptedException {
        return closed.poll(30, TimeUnit.SECONDS);
    }

    /** Begins a message, and waits until the server has what is sent. {@return what the server answers} */
    private static String begin(FrameClient client, int size) throws IOException {
        return client.send(BINARY, new byte[size]).send(FIN | PING, NONE).frame();
    }

    /** Messages that are never ended make room for those of others, the oldest first. */
    @Test
    void unfinishedMessagesMakeRoom() throws Exception {
        options = options.withMaxMemory(10 * WHOLE);
        var hostile = new ArrayList<FrameClient>();
        for (int i = 0; i < 30; i++) {
            FrameClient unfinished = open();
            hostile.add(unfinished);
            assertEquals("10:", begin(unfinished, WHOLE));
            FrameClient other = open();
            assertEquals("10:", begin(other, HALF));
            other.send(FIN | CONTINUATION, new byte[HALF]);
            assertEquals("2:" + "00".repeat(WHOLE), other.frame());
            other.close(1000, "").expect("close 1000 ");
        }
        for (FrameClient first : hostile.subList(0, 15)) {
            first.expect("close 1013 the server is short of memory").expectEnd();
        }
        // those that are left hold no more than they may
        FrameClient last = hostile.get(29).send(FIN | CONTINUATION, NONE);
        assertEquals("2:" + "00".repeat(WHOLE), last.frame());
    }

    /** Clients that read nothing of what is sent to them make room for those that do. */
    @Test
    void messagesThatAreNotReadMakeRoom() throws Exception {
        options = options.withMaxMemory(10 * LARGE).withMaxQueuedBytes(4 * LARGE);
        var unread = new ArrayList<FrameClient>();
        for (int i = 0; i < 10; i++) {
            FrameClient hostile = open(4096);
            unread.add(hostile);
            for (int j = 0; j < 3; j++) {
                hostile.send(FIN | BINARY, new byte[LARGE]);
            }
            FrameClient reader = open();
            for (int j = 0; j < 3; j++) {
                assertEquals(2 * LARGE + 2, reader.send(FIN | BINARY, new byte[LARGE]).frame().length());
            }
            reader.close(1000, "").expect("close 1000 ");
        }
        int givenUp = 0;
        for (FrameClient hostile : unread) {
            hostile.raw.reset();
        }
        for (int i = 0; i < 20; i++) {
            givenUp += closed().endsWith("the server is short of memory") ? 1 : 0;
        }
        assertTrue(givenUp >= 4 && givenUp < 10, givenUp + " are given up");
    }

    /** Nor does what the server has taken for them, and cannot send, keep others from sending. */
    @Test
    void takenMessagesThatAreNotReadMakeRoom() throws Exception {
        options = options.withMaxMemory(10 * WHOLE);
        for (int i = 0; i < 60; i++) {
            open(4096);
            WebSocket unread = socket();
            for (int j = 0; j < 6; j++) {
                unread.sendBinary(ByteBuffer.allocate(16_000));
            }
        }
        FrameClient other = open();
        assertEquals("10:", begin(other, 1_000));
        assertEquals("2:" + "00".repeat(1_000), other.send(FIN | CONTINUATION, NONE).frame());
    }

    /** A message that alone is too much ends its own connection. */
    @Test
    void aMessageThatIsTooMuchAloneEndsItsConnection() throws Exception {
        options = options.withMaxMemory(LARGE - 1);
        FrameClient client = open(4096);
        assertFalse(socket().sendBinary(ByteBuffer.allocate(LARGE)));
        client.raw.readUntilItFails();
        // a reset within the message, or a Close frame before it
        assertTrue(closed().endsWith("the server is short of memory"));
        assertEquals("close 1013 the server is short of memory", begin(open(), LARGE));
        assertEquals("1013 the server is short of memory", closed());
    }

    /** What waits for many is in memory once. */
    @Test
    void aMessageToManyCountsOnce() throws Exception {
        options = options.withMaxMemory(2 * LARGE);
        var group = new WebSocketGroup();
        var clients = new ArrayList<FrameClient>();
        for (int i = 0; i < 20; i++) {
            clients.add(open(8192));
            group.add(socket());
        }
        group.send(WebSocketMessage.binary(ByteBuffer.allocate(LARGE)));
        for (FrameClient client : clients) {
            assertEquals(2 * LARGE + 2, client.frame().length());
        }
        assertNull(closed.poll());
    }

    /**
     * A slow client has a limit, whatever else it sends meanwhile, and if its fragments are empty; one
     * between messages has none.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aMessageThatTakesTooLongEnds(int size) throws Exception {
        options = options.withMessageTimeout(SHORT);
        FrameClient idle = open();
        FrameClient slow = open();
        String answer = begin(slow, size);
        while (answer.equals("10:")) {
            answer = slow.send(CONTINUATION, new byte[size]).send(FIN | PING, NONE).frame();
        }
        assertEquals("close 1008 a message takes too long", answer);
        assertEquals("1008 a message takes too long", closed());
        idle.send(FIN | PING, NONE).expect("10:");
    }

    /** How what a connection holds is released. */
    private enum End {
        ENDED, CLOSED, RESET, HALF_CLOSED, BROKEN, TOO_LARGE, SLOW, BY_SERVER, READ, UNREAD, ANSWERED;

        private void end(FrameClient client, WebSocket socket) throws IOException {
            switch (this) {
                case ENDED -> client.send(FIN | CONTINUATION, NONE).frame();
                case CLOSED -> client.close(1000, "");
                case RESET -> client.raw.reset();
                case HALF_CLOSED -> client.raw.halfClose();
                case BROKEN -> client.send(TEXT, NONE);
                case TOO_LARGE -> client.send(CONTINUATION, new byte[LARGE]);
                case SLOW -> client.frame();
                case BY_SERVER -> socket.close(1001, "");
                case READ, UNREAD, ANSWERED -> socket.sendBinary(ByteBuffer.allocate(WHOLE));
            }
            if (this == ENDED || this == READ) {
                assertEquals(2 * WHOLE + 2, this == READ ? client.frame().length() : 2 * WHOLE + 2);
                client.close(1000, "").frame();
            } else if (this == BY_SERVER) {
                client.close(1001, "").frame();
            } else if (this == UNREAD) {
                client.raw.reset();
            } else if (this == ANSWERED) {
                client.close(1000, "");
                client.raw.readUntilItFails();
            }
        }
    }

    /** If a byte were still counted, a message as large as the memory would be too much. */
    @ParameterizedTest
    @EnumSource
    void everyEndReleases(End end) throws Exception {
        options = options.withMaxMessageSize(WHOLE).withMaxMemory(WHOLE + 10).withMaxQueuedBytes(LARGE);
        if (end == End.SLOW) {
            options = options.withMessageTimeout(SHORT);
        }
        boolean sends = List.of(End.READ, End.UNREAD, End.ANSWERED).contains(end);
        for (int i = 0; i < 3; i++) {
            FrameClient client = open(4096);
            WebSocket socket = socket();
            assertEquals("10:", sends ? "10:" : begin(client, WHOLE));
            end.end(client, socket);
            assertNotNull(closed());
        }
        assertEquals("10:", begin(open(), WHOLE));
    }
}
