package org.microhttp.extras.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.extras.testing.ClientFrames.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.*;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;

/** Compressed messages of the package {@code websocket} over real sockets, by RFC 7692. */
@Tier.Program
final class WebSocketCompressionTest extends WebSocketFixture {

    private static final String OFFER = "Sec-WebSocket-Extensions: permessage-deflate\r\n";
    private static final int DEFLATED = FIN | DeflatedBytes.BIT;
    private static final String LONG = "a text, a text, a text ".repeat(100);

    /** What is inflated in a turn at most. */
    private static final int TURN = 256 * 1024;

    @BeforeEach
    void compress() {
        options = options.withCompression(true);
    }

    private FrameClient deflating() throws Exception {
        return connect(0, OFFER);
    }

    private static byte[] deflated(int opcode, byte[] message) {
        return new ClientFrames().frame(DEFLATED | opcode, DeflatedBytes.deflate(message), 7).bytes();
    }

    @Test
    void messagesGoBothWays() throws Exception {
        FrameClient client = deflating().send(deflated(TEXT, LONG.getBytes(UTF_8))).text("plain");
        noted.expect("text " + LONG, "text plain");
        WebSocket socket = noted.socket();
        assertTrue(socket.sendText(LONG));
        assertTrue(socket.sendText("short"));
        var random = new byte[2000];
        new SplittableRandom(1).nextBytes(random);
        assertTrue(socket.sendBinary(ByteBuffer.wrap(random)));
        assertTrue(socket.sendBinary(ByteBuffer.allocate(50_000)));
        client.expect("deflated text " + LONG, "text short", word(BINARY, ByteBuffer.wrap(random)),
                "deflated 2:" + "00".repeat(50_000)).close(1000, "").expect("close 1000 ").expectEnd();
        noted.end();
    }

    @Test
    void minCompressedSizeIsSet() throws Exception {
        options = options.withMinCompressedSize(20);
        FrameClient client = deflating();
        WebSocket socket = noted.socket();
        socket.sendText("x".repeat(20));
        socket.sendText("x".repeat(19));
        client.expect("deflated text " + "x".repeat(20), "text " + "x".repeat(19)).close(1000, "");
        noted.end();
    }

    /** A client that offers nothing, one of a small window, and one that takes all get the same message. */
    @Test
    void aGroupHasClientsOfAllKinds() throws Exception {
        var group = new WebSocketGroup();
        FrameClient plain = connect();
        group.add(noted.socket());
        FrameClient all = deflating();
        group.add(noted.socket());
        FrameClient small = connect(0, OFFER.replace("\r\n", "; server_max_window_bits=11\r\n"));
        group.add(noted.socket());
        group.send(WebSocketMessage.text(LONG));
        group.send(WebSocketMessage.text("x".repeat(2000)));
        plain.expect("text " + LONG, "text " + "x".repeat(2000));
        all.expect("deflated text " + LONG, "deflated text " + "x".repeat(2000));
        small.expect("text " + LONG, "deflated text " + "x".repeat(2000));
        for (FrameClient client : List.of(plain, all, small)) {
            client.close(1000, "");
            noted.end();
        }
    }

    /** As many small bombs as fit into what a loop reads at once: all come, and others are served between. */
    @Test
    void bombsTakeTurns() throws Exception {
        var order = new ArrayList<String>();
        var second = new FrameClient[1];
        start(TestServer.options(), new WebSocketListener() {

            @Override
            public void onText(WebSocket socket, String text) {
                order.add(text);
                socket.sendText(text);
            }

            @Override
            public void onBinary(WebSocket socket, ByteBuffer data) {
                assertEquals(TURN, data.remaining());
                order.add("bomb");
                if (order.size() == 1) {
                    send(second[0], "another");
                }
            }
        });
        try (var bomber = new FrameClient(server.itself.getPort(), 0, OFFER);
                var other = new FrameClient(server.itself.getPort(), 0, OFFER)) {
            second[0] = other;
            var bombs = new ClientFrames();
            byte[] payload = DeflatedBytes.deflate(new byte[TURN]);
            for (int i = 0; i < 50; i++) {
                bombs.frame(DEFLATED | BINARY, payload, i);
            }
            bomber.send(bombs.frame(FIN | TEXT, "last".getBytes(UTF_8), 3).bytes());
            other.expect("text another");
            bomber.expect("text last");
            assertEquals(52, order.size());
            assertTrue(order.indexOf("another") < 25, () -> "at " + order.indexOf("another"));
            assertEquals(51, order.indexOf("last"));
        }
    }

    /** RFC 6455 §4.1: before the handshake is answered, and so before anything can be sent. */
    @Test
    void messagesThatAreSentAheadTakeTurns() throws Exception {
        start(TestServer.options(), noted);
        var bombs = new ClientFrames();
        byte[] payload = DeflatedBytes.deflate(new byte[TURN]);
        for (int i = 0; i < 5; i++) {
            bombs.frame(DEFLATED | BINARY, payload, i);
        }
        try (var raw = new RawClient(server.itself.getPort())) {
            raw.send(FrameClient.HANDSHAKE + OFFER + "\r\n" + new String(bombs.bytes(), ISO_8859_1));
            raw.readUntil("\r\n\r\n");
            noted.expect("open");
            for (int i = 0; i < 5; i++) {
                noted.expect("2:" + "00".repeat(TURN));
            }
            raw.reset();
            noted.end();
        }
    }

    private static void send(FrameClient client, String text) {
        try {
            client.text(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An echo is as slow as its client, also of messages that have come at once and are inflated later. */
    @Test
    void anEchoWaitsForItsClient() throws Exception {
        options = options.withMaxQueuedBytes(200_000);
        start(TestServer.options().withSendBufferSize(8192), new WebSocketListener() {

            @Override
            public void onBinary(WebSocket socket, ByteBuffer data) {
                // as it is, so that it waits
                var random = new byte[data.remaining()];
                new SplittableRandom(data.remaining()).nextBytes(random);
                assertTrue(socket.sendBinary(ByteBuffer.wrap(random)));
            }
        });
        try (var client = new FrameClient(server.itself.getPort(), 4096, OFFER)) {
            var all = new ClientFrames();
            int count = 100;
            for (int i = 0; i < count; i++) {
                all.frame(DEFLATED | BINARY, DeflatedBytes.deflate(new byte[50_000 + i]), i);
            }
            client.send(all.bytes());
            for (int i = 0; i < count; i++) {
                var random = new byte[50_000 + i];
                new SplittableRandom(random.length).nextBytes(random);
                assertEquals(word(BINARY, ByteBuffer.wrap(random)), client.frame());
            }
        }
    }

    /** A client that ends its side at once is read for one turn more. */
    @Test
    void aClientThatEndsIsReadOn() throws Exception {
        var frames = new ClientFrames();
        byte[] payload = DeflatedBytes.deflate(new byte[TURN / 2]);
        FrameClient client = deflating();
        for (int i = 0; i < 3; i++) {
            frames.frame(DEFLATED | BINARY, payload, i);
        }
        client.send(frames.frame(FIN | CLOSE, new byte[] {3, (byte) 0xE8}, 7).bytes()).raw.halfClose();
        String all = "2:" + "00".repeat(TURN / 2);
        noted.expect(all, all, all, "close 1000 ");
    }

    /** Begins a message that is compressed. {@return what inflates it, once it has begun} */
    private Decompression begin(FrameClient client) throws Exception {
        byte[] payload = DeflatedBytes.deflate(new byte[50_000]);
        client.send(new ClientFrames().frame(DeflatedBytes.BIT | BINARY, payload, 7).bytes());
        client.send(FIN | PING, new byte[] {1}).expect("10:01");
        WebSocket socket = noted.socket();
        FrameReader reader = socket.receiver.reader;
        assertFalse(reader.decompression.isIdle());
        return reader.decompression;
    }

    /** However a connection ends within a message, zlib's memory is released. */
    @Test
    void allIsReleasedWhenAConnectionEnds() throws Exception {
        FrameClient reset = deflating();
        Decompression first = begin(reset);
        reset.raw.reset();
        noted.end();
        assertTrue(first.isIdle());

        FrameClient wrong = deflating();
        Decompression second = begin(wrong);
        wrong.send(FIN | CONTINUATION, new byte[] {7});
        assertEquals("close 1002 a message is not compressed as DEFLATE is (RFC 7692 §7.2.2)", noted.end());
        assertTrue(second.isIdle());

        FrameClient closing = deflating();
        Decompression third = begin(closing);
        closing.close(1000, "");
        noted.end();
        assertTrue(third.isIdle());

        FrameClient ending = deflating();
        Decompression fourth = begin(ending);
        ending.raw.halfClose();
        noted.end();
        assertTrue(fourth.isIdle());
    }

    @Test
    void allIsReleasedWhenAMessageTakesTooLong() throws Exception {
        options = options.withMessageTimeout(Duration.ofMillis(300));
        FrameClient client = deflating();
        Decompression decompression = begin(client);
        client.expect("close 1008 a message takes too long").expectEnd();
        noted.end();
        assertTrue(decompression.isIdle());
    }

    @Test
    void allIsReleasedWhenTheServerStops() throws Exception {
        Decompression decompression = begin(deflating());
        server.close();
        noted.end();
        assertTrue(decompression.isIdle());
    }

    /** Of what inflates, 48 KiB count beside what is inflated. */
    @Test
    void unfinishedMessagesCountAgainstTheMemory() throws Exception {
        options = options.withMaxMemory(150_000);
        FrameClient one = deflating();
        Decompression first = begin(one);
        FrameClient other = deflating();
        byte[] payload = DeflatedBytes.deflate(new byte[1]);
        other.send(new ClientFrames().frame(DeflatedBytes.BIT | BINARY, payload, 7).bytes());
        one.expect("close 1013 the server is short of memory").expectEnd();
        noted.end();
        assertTrue(first.isIdle());
        other.close(1000, "");
        noted.end();
    }
}
