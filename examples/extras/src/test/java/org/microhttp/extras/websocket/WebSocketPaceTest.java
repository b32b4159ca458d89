package org.microhttp.extras.websocket;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.extras.testing.ClientFrames.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.microhttp.extras.testing.ClientFrames;
import org.microhttp.extras.testing.FrameClient;
import org.microhttp.testing.TestServer;
import org.microhttp.testing.Tier;

/** Clients of the package {@code websocket} that are slow, silent, or many; with the sections of RFC 6455. */
@Tier.Program
final class WebSocketPaceTest extends WebSocketFixture {

    /** §7.1.1: a client that does not answer a Close frame has a limit. */
    @Test
    void aCloseThatIsNotAnsweredEnds() throws Exception {
        options = options.withPingInterval(SHORT);
        FrameClient client = connect();
        noted.socket().close();
        assertTrue(client.raw.readUntilItFails().length() >= 4);
        noted.expect("close 1006 the client does not answer a Close frame");
    }

    /** §5.5.2: a silent client gets a ping; one that answers lives, one that does not is gone. */
    @Test
    void silentClientsArePinged() throws Exception {
        options = options.withPingInterval(SHORT);
        FrameClient client = connect();
        client.expect("9:").send(FIN | PONG, NONE).expect("9:");
        long before = System.nanoTime();
        client.send(FIN | PONG, NONE).expect("9:");
        client.raw.readUntilItFails();
        // until it is pinged, and until it is given up
        assertTrue(System.nanoTime() - before >= 2 * SHORT.toNanos());
        noted.expect("close 1006 the client does not answer a ping");
    }

    /** Whatever many threads send comes whole, and that of each thread in its order. */
    @Test
    void manyThreadsSendAtOnce() throws Exception {
        options = options.withMaxQueuedBytes(1 << 24);
        FrameClient client = connect();
        WebSocket socket = noted.socket();
        int count = 2000;
        List<Thread> threads = IntStream.range(0, 4).mapToObj(number -> new Thread(() -> {
            for (int i = 0; i < count; i++) {
                assertTrue(socket.sendText(number + " " + i));
            }
        })).toList();
        threads.forEach(Thread::start);
        var next = new int[threads.size()];
        for (int i = 0; i < count * threads.size(); i++) {
            String[] words = client.frame().split(" ");
            int number = Integer.parseInt(words[1]);
            assertEquals(next[number]++, Integer.parseInt(words[2]));
        }
        for (Thread thread : threads) {
            TestServer.join(thread);
        }
        client.close(1000, "").expect("close 1000 ");
        noted.end();
    }

    /** A client that does not read: the sender sees it, and what waits is bounded. */
    @Test
    void aSenderSeesThatAClientDoesNotRead() throws Exception {
        options = options.withMaxQueuedBytes(100_000);
        FrameClient client = connect(4096);
        WebSocket socket = noted.socket();
        var message = WebSocketMessage.binary(ByteBuffer.allocate(10_000));
        int sent = 0;
        while (socket.send(message)) {
            sent++;
        }
        assertTrue(sent >= 10, sent + " messages");
        assertTrue(socket.isOpen());
        String all = "2:" + "00".repeat(10_000);
        for (int i = 0; i < sent; i++) {
            assertEquals(all, client.frame());
        }
        // what had waited is sent, so that there is room again
        socket.sendText("again");
        client.close(1000, "");
        noted.end();
    }

    /**
     * A broadcast does not wait for a client that does not read: it is closed, the others have everything.
     */
    @Test
    void aBroadcastClosesAClientThatDoesNotRead() throws Exception {
        options = options.withMaxQueuedBytes(1_000_000);
        var group = new WebSocketGroup();
        FrameClient slow = connect(4096);
        WebSocket closed = noted.socket();
        group.add(closed);
        FrameClient reader = connect();
        group.add(noted.socket());
        var message = WebSocketMessage.binary(ByteBuffer.allocate(100_000));
        int sent = 0;
        for (; closed.isOpen(); sent++) {
            group.send(message);
            assertTrue(reader.message().startsWith("2:00"));
        }
        // all but the last, which was one too many
        for (int i = 1; i < sent; i++) {
            assertTrue(slow.frame().startsWith("2:00"));
        }
        slow.expect("close 1013 messages come faster than they are read").close(1013, "").expectEnd();
        noted.expect("close 1013 ");
        group.close(1001, "the end");
        assertEquals("close 1001 the end", reader.message());
        reader.close(1001, "");
        noted.expect("close 1001 ");
    }

    /** A client that reads nothing at all is reset in the end, with what waits for it. */
    @Test
    void clientThatNeverReadsIsReset() throws Exception {
        options = options.withMaxQueuedBytes(1 << 30);
        start(TestServer.options().withSocketTimeout(SHORT).withStreamTimeout(Duration.ofMinutes(1)), noted);
        connect(4096);
        WebSocket socket = noted.socket();
        // more than the kernel has room for
        for (int i = 0; i < 30; i++) {
            assertTrue(socket.sendBinary(ByteBuffer.allocate(1 << 20)));
        }
        assertTrue(noted.next().startsWith("close 1006 "));
    }

    /**
     * §5.5.3: pings of a client that does not read are not all answered, or the pongs would fill the memory.
     */
    @Test
    void pingsThatAreNotReadTakeNoMemory() throws Exception {
        // more than the kernel has room for, and less than that for which nothing would be received
        options = options.withMaxQueuedBytes(1 << 30);
        FrameClient client = connect(4096);
        WebSocket socket = noted.socket();
        for (int i = 0; i < 30; i++) {
            assertTrue(socket.sendBinary(ByteBuffer.allocate(1 << 20)));
        }
        var pings = new ClientFrames();
        for (int i = 0; i < 100; i++) {
            pings.frame(FIN | PING, new byte[] {(byte) i}, 1);
        }
        client.send(pings.bytes()).text("all are read");
        noted.expect("text all are read");
        int pongs = 1;
        for (String frame = client.frame(); !frame.equals("10:63"); frame = client.frame()) {
            pongs += frame.startsWith("10:") ? 1 : 0;
        }
        // those that were with the server before, and those that may wait
        assertTrue(pongs <= 8 + 16, pongs + " pongs");
        client.close(1000, "");
        noted.end();
    }

    /** An echo is as slow as its client, and loses nothing: while much waits nothing is received. */
    @Test
    void anEchoWaitsForItsClient() throws Exception {
        options = options.withMaxQueuedBytes(200_000);
        start(TestServer.options(), new WebSocketListener() {

            @Override
            public void onBinary(WebSocket socket, ByteBuffer data) {
                assertTrue(socket.sendBinary(data));
            }
        });
        try (var client = new FrameClient(server.itself.getPort(), 4096)) {
            byte[] message = new ClientFrames().frame(FIN | BINARY, new byte[10_000], 5).bytes();
            int count = 2000;
            var sender = new Thread(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        client.send(message);
                    }
                } catch (IOException e) {
                    // the reader below sees that something is missing
                }
            });
            sender.start();
            String all = "2:" + "00".repeat(10_000);
            for (int i = 0; i < count; i++) {
                assertEquals(all, client.frame());
            }
            TestServer.join(sender);
        }
    }

    /** Also within what has come at once, of which more than the limit could be sent back. */
    @Test
    void anEchoWaitsWithinARead() throws Exception {
        options = options.withMaxQueuedBytes(10_000);
        start(TestServer.options(), new WebSocketListener() {

            @Override
            public void onBinary(WebSocket socket, ByteBuffer data) {
                assertTrue(socket.sendBinary(data));
            }
        });
        try (var client = new FrameClient(server.itself.getPort())) {
            var messages = new ClientFrames();
            int count = 50;
            for (int i = 0; i < count; i++) {
                messages.frame(FIN | BINARY, new byte[1000 + i], i);
            }
            client.send(messages.bytes());
            for (int i = 0; i < count; i++) {
                assertEquals("2:" + "00".repeat(1000 + i), client.frame());
            }
        }
    }

    /** What is silent for the server's limit ends there, whatever pings would do. */
    @Test
    void silentConnectionEndsAtStreamTimeout() throws Exception {
        start(TestServer.options().withStreamTimeout(Duration.ofMillis(300)), noted);
        connect().raw.readUntilItFails();
        assertTrue(noted.next().startsWith("close 1006 "));
    }
}
