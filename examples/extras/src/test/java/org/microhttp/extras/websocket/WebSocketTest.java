package org.microhttp.extras.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.extras.testing.ClientFrames.*;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.extras.testing.ClientFrames;
import org.microhttp.extras.testing.FrameClient;
import org.microhttp.testing.*;

/** Connections of the package {@code websocket} over real sockets; each test has its section of RFC 6455. */
@Tier.Program
final class WebSocketTest extends WebSocketFixture {

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

    /** §5.5.3: several that come at once are answered one by one, as more than the latest may be. */
    @Test
    void pingsThatComeAtOnceAreAnswered() throws Exception {
        var pings = new ClientFrames();
        for (int i = 0; i < 20; i++) {
            pings.frame(FIN | PING, new byte[] {(byte) i}, 5);
        }
        FrameClient client = connect().send(pings.bytes());
        for (int i = 0; i < 20; i++) {
            client.expect(word(PONG, ByteBuffer.wrap(new byte[] {(byte) i})));
        }
        client.close(1000, "");
        noted.end();
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

    /** §7.4.1: as a server does that ends; those with options that are no copies of the same go on. */
    @Test
    void aGracefulStopClosesThem() throws Exception {
        WebSocketOptions original = options;
        options = original.withMaxQueuedBytes(1_000);
        start(TestServer.options().withOnStopping(original::closeAll), noted);
        FrameClient one = connect();
        FrameClient other = connect();
        new WebSocketOptions().closeAll();
        one.text("still").expect();
        noted.expect("text still");
        PendingStop stopping = server.beginGracefulStop(Duration.ofSeconds(20));
        for (FrameClient client : List.of(one, other)) {
            client.expect("close 1001 the server ends").close(1001, "").expectEnd();
            noted.expect("close 1001 ");
        }
        assertEquals(0, stopping.dropped());
    }

    /** Its handshake was on its way. */
    @Test
    void oneThatOpensAfterwardsIsClosedToo() throws Exception {
        options.closeAll();
        connect().expect("close 1001 the server ends").close(1001, "").expectEnd();
        noted.expect("close 1001 ");
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
    void invalidCloseCodesAreRefused() throws Exception {
        connect().close(0, "");
        WebSocket socket = noted.socket();
        for (int code : new int[] {0, 999, 1004, 1005, 1006, 1010, 1015, 2999, 5000}) {
            assertThrows(IllegalArgumentException.class, () -> socket.close(code, ""));
        }
        assertThrows(IllegalArgumentException.class, () -> socket.close(1000, "ü".repeat(62)));
        noted.expect("close 1005 ");
    }

    /** Neither the server nor the timer refers to a connection that is over, however it ended. */
    @Test
    void endedConnectionsAreReleased() throws Exception {
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
