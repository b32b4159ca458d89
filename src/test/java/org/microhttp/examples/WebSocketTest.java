package org.microhttp.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.examples.tools.ClientFrames.*;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.Options;
import org.microhttp.examples.tools.ClientFrames;
import org.microhttp.examples.tools.FrameClient;
import org.microhttp.examples.tools.NotedSocket;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;
import org.microhttp.tools.Tier;
import websocket.WebSocket;
import websocket.WebSocketGroup;
import websocket.WebSocketListener;
import websocket.WebSocketMessage;
import websocket.WebSocketOptions;

/** Connections of the package {@code websocket} over real sockets; each test has its section of RFC 6455. */
@Tier.Program
final class WebSocketTest {

    private static final byte[] NONE = {};
    private static final Duration SHORT = Duration.ofMillis(100);

    private final WebSocketOptions options = new WebSocketOptions();
    private final NotedSocket noted = new NotedSocket();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestServer server;

    private void start(Options serverOptions, WebSocketListener listener) throws IOException {
        server = new TestServer(serverOptions, (request, callback) ->
                callback.accept(WebSocket.upgrade(request, options, listener)));
        opened.add(server);
    }

    private FrameClient connect() throws Exception {
        return connect(0);
    }

    private FrameClient connect(int receiveBufferSize) throws Exception {
        if (server == null) {
            start(TestServer.options(), noted);
        }
        var client = new FrameClient(server.itself.getPort(), receiveBufferSize);
        opened.add(0, client);
        noted.expect("open");
        return client;
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        assertEquals(0, noted.left(), "calls after the end");
    }

    /** §5.6, §6: messages of both kinds, in both directions. */
    @Test
    void messagesGoBothWays() throws Exception {
        FrameClient client = connect().text("hello").send(FIN | BINARY, new byte[] {1, 2});
        noted.expect("text hello", "2:0102");
        WebSocket socket = noted.socket();
        assertTrue(socket.sendText("grüße"));
        assertTrue(socket.sendBinary(ByteBuffer.wrap(new byte[] {3})));
        client.expect("text grüße", "2:03").close(1000, "bye").expect("close 1000 ").expectEnd();
        noted.expect("close 1000 bye");
    }

    /** §4.1: frames may follow the handshake before it is answered. */
    @Test
    void framesThatAreSentAheadAreRead() throws Exception {
        start(TestServer.options(), noted);
        try (var raw = new RawClient(server.itself.getPort())) {
            byte[] frame = new ClientFrames().frame(FIN | TEXT, new byte[] {'a'}, 7).bytes();
            raw.send(FrameClient.HANDSHAKE + "\r\n" + new String(frame, ISO_8859_1));
            raw.readUntil("\r\n\r\n");
            noted.expect("open", "text a");
            raw.reset();
            assertTrue(noted.end().startsWith("close 1006 "));
        }
    }

    /** §5.5.2: the same payload, also between fragments. */
    @Test
    void pingsAreAnswered() throws Exception {
        FrameClient client = connect().send(TEXT, new byte[] {'a'}).send(FIN | PING, new byte[] {1, 2})
                .send(FIN | PONG, new byte[] {9}).send(FIN | PING, NONE);
        client.expect("10:0102", "10:").send(FIN | CONTINUATION, new byte[] {'b'}).close(0, "");
        noted.expect("text ab", "close 1005 ");
        client.expect("8:").expectEnd();
    }

    /** §5.5.2: after a Close frame of the server too, until the client has sent one. */
    @Test
    void aPingIsAnsweredWhileTheServerCloses() throws Exception {
        FrameClient client = connect();
        noted.socket().close(4000, "over");
        client.expect("close 4000 over").send(FIN | PING, new byte[] {1}).expect("10:01").close(4000, "");
        client.expectEnd();
        noted.expect("close 4000 ");
    }

    /** §5.5.1: the code is echoed, and what comes after a Close frame is not looked at. */
    @Test
    void nothingIsReadAfterAClose() throws Exception {
        byte[] all = new ClientFrames().frame(FIN | CLOSE, new byte[] {0x0B, (byte) 0xB8}, 1)
                .frame(FIN | TEXT, new byte[] {'a'}, 2).frame(FIN | PING, NONE, 3).hex("ffff").bytes();
        connect().send(all).expect("close 3000 ").expectEnd();
        noted.expect("close 3000 ");
    }

    /** §5.5.1: after a Close frame no messages are sent, and none is delivered. */
    @Test
    void nothingIsSentAfterAClose() throws Exception {
        FrameClient client = connect();
        WebSocket socket = noted.socket();
        socket.close(1001, "going");
        socket.close(1000, "once more");
        assertFalse(socket.isOpen());
        assertFalse(socket.sendText("late"));
        client.expect("close 1001 going").text("late too").close(1001, "").expectEnd();
        noted.expect("close 1001 ");
    }

    /** §7.1.7: the Close frame says why, and the connection ends without waiting for an answer. */
    @ParameterizedTest
    @CsvSource({"1002, 8f", "1002, 81 00", "1007, 81 81 00000000 ff", "1009, 82 ff 0000000000100001",
        "1002, 88 82 00000000 03ee", "1002, 80 80 00000000"})
    void aBrokenRuleIsTheEnd(int code, String hex) throws Exception {
        byte[] broken = new ClientFrames().hex(hex).bytes();
        FrameClient client = connect().text("before").send(broken).text("after");
        noted.expect("text before");
        String end = noted.next();
        assertTrue(end.matches("close " + code + " .*\\(RFC 6455 §[0-9.]+\\)"), end);
        client.expect(end).expectEnd();
    }

    /** §7.1.5: without a Close frame of the client it is 1006. */
    @Test
    void anEndWithoutACloseIsAbnormal() throws Exception {
        FrameClient client = connect();
        client.raw.halfClose();
        client.expectEnd();
        assertTrue(noted.next().startsWith("close 1006 "));
        connect().raw.reset();
        assertTrue(noted.next().startsWith("close 1006 "));
        connect();
        server.stop();
        assertTrue(noted.next().startsWith("close 1006 "));
    }

    /** §7.2.1: also in the middle of a closing handshake. */
    @Test
    void aResetInsteadOfACloseIsAbnormal() throws Exception {
        FrameClient client = connect();
        noted.socket().close();
        client.expect("close 1000 ").raw.reset();
        assertTrue(noted.next().startsWith("close 1006 "));
    }

    /** §7.1.1: a client that does not answer a Close frame has a limit. */
    @Test
    void aCloseThatIsNotAnsweredEnds() throws Exception {
        options.withPingInterval(SHORT);
        FrameClient client = connect();
        noted.socket().close();
        assertTrue(client.raw.readUntilItFails().length() >= 4);
        noted.expect("close 1006 the client does not answer a Close frame");
    }

    /** §5.5.2: a silent client gets a ping; one that answers lives, one that does not is gone. */
    @Test
    void silentClientsArePinged() throws Exception {
        options.withPingInterval(Duration.ofMillis(500));
        FrameClient client = connect();
        for (int i = 0; i < 3; i++) {
            client.expect("9:").send(FIN | PONG, NONE);
        }
        client.expect("9:");
        client.raw.readUntilItFails();
        noted.expect("close 1006 the client does not answer a ping");
    }

    /** §7.4.1: a program that fails. */
    @Test
    void aListenerThatThrowsIsReportedAndTheEnd() throws Exception {
        FrameClient client = connect();
        var seen = new CountDownLatch(1);
        server.thread.setUncaughtExceptionHandler((thread, cause) -> {
            if (cause.getMessage().equals("as it was told")) {
                seen.countDown();
            }
        });
        client.text("throw").expect("close 1011 the listener has failed").expectEnd();
        noted.expect("text throw", "close 1011 the listener has failed");
        assertEquals(0, seen.getCount());
    }

    /** §7.4.1: a program that does not take one kind of message. */
    @Test
    void aListenerTakesNothingByDefault() throws Exception {
        start(TestServer.options(), new WebSocketListener() { });
        for (int opcode : new int[] {TEXT, BINARY}) {
            try (var client = new FrameClient(server.itself.getPort())) {
                assertTrue(client.send(FIN | opcode, NONE).frame().startsWith("close 1003 "));
            }
        }
    }

    /** §7.4: those that a server may send. */
    @Test
    void refusesToSendWhatIsNoCloseCode() throws Exception {
        connect().close(0, "");
        WebSocket socket = noted.socket();
        for (int code : new int[] {0, 999, 1004, 1005, 1006, 1010, 1015, 2999, 5000}) {
            assertThrows(IllegalArgumentException.class, () -> socket.close(code, ""));
        }
        assertThrows(IllegalArgumentException.class, () -> socket.close(1000, "ü".repeat(62)));
        noted.expect("close 1005 ");
    }

    /** Whatever many threads send comes whole, and that of each thread in its order. */
    @Test
    void manyThreadsSendAtOnce() throws Exception {
        options.withMaxQueuedBytes(1 << 24);
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
        options.withMaxQueuedBytes(100_000);
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
        options.withMaxQueuedBytes(1_000_000);
        start(TestServer.options().withSocketTimeout(Duration.ofSeconds(1))
                .withStreamTimeout(Duration.ofMinutes(1)), noted);
        var group = new WebSocketGroup();
        connect(4096);
        group.add(noted.socket());
        FrameClient reader = connect();
        group.add(noted.socket());
        var message = WebSocketMessage.binary(ByteBuffer.allocate(100_000));
        int sent = 0;
        while (noted.left() == 0) {
            group.send(message);
            sent++;
            assertTrue(reader.message().startsWith("2:00"));
        }
        assertTrue(noted.next().startsWith("close 1006 "));
        assertTrue(sent > 10);
        group.close(1001, "the end");
        assertEquals("close 1001 the end", reader.message());
        reader.close(1001, "");
        noted.expect("close 1001 ");
    }

    /**
     * §5.5.3: pings of a client that does not read are not all kept, and what it sends waits in its socket.
     */
    @Test
    void pingsThatAreNotReadTakeNoMemory() throws Exception {
        options.withMaxQueuedBytes(100_000);
        FrameClient client = connect(4096);
        WebSocket socket = noted.socket();
        while (socket.sendBinary(ByteBuffer.allocate(10_000))) {
            Thread.onSpinWait();
        }
        var pings = new ClientFrames();
        for (int i = 0; i < 100; i++) {
            pings.frame(FIN | PING, new byte[] {(byte) i}, 1);
        }
        client.send(pings.bytes());
        String frame = client.frame();
        int pongs = 0;
        while (!frame.equals("10:63")) {
            pongs += frame.startsWith("10:") ? 1 : 0;
            frame = client.frame();
        }
        assertTrue(pongs < 100);
        client.close(1000, "");
        noted.end();
    }

    /** An echo is as slow as its client, and loses nothing: while much waits nothing is received. */
    @Test
    void anEchoWaitsForItsClient() throws Exception {
        options.withMaxQueuedBytes(200_000);
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

    /** §5.4, §6.2: a message that comes in many reads is one message. */
    @Test
    void aLargeMessageComesWhole() throws Exception {
        byte[] text = "grüße, ".repeat(100_000).getBytes(UTF_8);
        FrameClient client = connect().send(FIN | TEXT, text);
        noted.expect("text " + "grüße, ".repeat(100_000));
        client.close(1000, "").expect("close 1000 ");
        noted.end();
    }

    /** What is silent for the server's limit ends there, whatever pings would do. */
    @Test
    void theServerEndsWhatIsSilent() throws Exception {
        start(TestServer.options().withStreamTimeout(Duration.ofMillis(300)), noted);
        connect().raw.readUntilItFails();
        assertTrue(noted.next().startsWith("close 1006 "));
    }

    /** Neither the server nor the timer refers to a connection that is over, however it ended. */
    @Test
    void whatIsOverIsReleased() throws Exception {
        connect().close(1000, "").expect("close 1000 ").expectEnd();
        noted.end();
        connect().raw.reset();
        noted.end();
        connect().send(new byte[] {-1}).expect("close 1002 a reserved bit is set (RFC 6455 §5.2)");
        noted.end();
        for (int i = 0; i < 3; i++) {
            var reference = new WeakReference<>(noted.socket());
            while (reference.get() != null) {
                System.gc();
            }
        }
    }

    @Test
    void optionsHaveRanges() {
        for (Runnable wrong : Stream.<Runnable>of(() -> options.withMaxMessageSize(-1),
                () -> options.withMaxQueuedBytes(0), () -> options.withMaxMessageSize((1 << 30) + 1),
                () -> options.withPingInterval(Duration.ZERO)).toList()) {
            assertThrows(IllegalArgumentException.class, wrong::run);
        }
    }
}
