package org.microhttp.extras.websocket;

import static org.junit.jupiter.api.Assertions.*;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.concurrent.*;
import org.junit.jupiter.api.*;
import org.microhttp.extras.testing.JdkSocket;
import org.microhttp.extras.testing.NotedSocket;
import org.microhttp.testing.TestServer;
import org.microhttp.testing.Tier;

/** The JDK's own client of RFC 6455, {@code java.net.http.WebSocket}, and the package {@code websocket}. */
@Tier.Program
final class WebSocketJdkClientTest {

    private final NotedSocket noted = new NotedSocket();
    private final WebSocketOptions options = new WebSocketOptions().withSubprotocols("b", "a");
    private TestServer server;
    private JdkSocket client;

    @BeforeEach
    void connect() throws Exception {
        server = new TestServer((request, callback) ->
                callback.accept(WebSocket.upgrade(request, options, noted)));
        client = JdkSocket.connect(server.itself.getPort(), "c", "a", "b");
        noted.expect("open");
    }

    @AfterEach
    void end() throws Exception {
        client.socket.abort();
        server.close();
    }

    @Test
    void agreesOnASubprotocol() throws Exception {
        assertEquals("a", client.socket.getSubprotocol());
        assertEquals("a", noted.socket().subprotocol());
    }

    @Test
    void jdkClientGetsMessages() throws Exception {
        WebSocket socket = noted.socket();
        for (int length : new int[] {0, 125, 126, 65_535, 65_536, 300_000}) {
            String text = "ü".repeat(length / 2) + "x".repeat(length % 2);
            assertTrue(socket.sendText(text));
            client.expect("text " + text);
            assertTrue(socket.sendBinary(ByteBuffer.allocate(length)));
            client.expect("2:" + "00".repeat(length));
        }
    }

    @Test
    void serverGetsMessagesOfTheJdkClient() throws Exception {
        for (int length : new int[] {0, 125, 126, 65_535, 65_536, 300_000}) {
            String text = "ü".repeat(length / 2) + "x".repeat(length % 2);
            client.await(client.socket.sendText(text, true));
            noted.expect("text " + text);
            client.await(client.socket.sendBinary(ByteBuffer.allocate(length), true));
            noted.expect("2:" + "00".repeat(length));
        }
    }

    @Test
    void fragmentsOfTheJdkClientAreJoined() throws Exception {
        client.await(client.socket.sendText("one, ", false));
        client.await(client.socket.sendPing(ByteBuffer.wrap(new byte[] {7})));
        client.await(client.socket.sendText("two", true));
        client.expect("10:07");
        noted.expect("text one, two");
    }

    @Test
    void jdkClientCloses() throws Exception {
        client.await(client.socket.sendClose(4321, "that is all"));
        client.expect("close 4321 ");
        noted.expect("close 4321 that is all");
    }

    @Test
    void jdkClientIsClosed() throws Exception {
        noted.socket().close(1001, "the server ends");
        client.expect("close 1001 the server ends");
        assertTrue(noted.end().startsWith("close 100"));
    }

    /** §10.2: it can be told to send an Origin, and sees that this is refused. */
    @Test
    void jdkClientSeesARefusal() {
        CompletableFuture<?> other = HttpClient.newHttpClient().newWebSocketBuilder()
                .header("Origin", "https://example.com")
                .buildAsync(URI.create("ws://127.0.0.1:" + server.itself.getPort() + "/"),
                        new java.net.http.WebSocket.Listener() { });
        var failure = assertThrows(CompletionException.class,
                () -> other.orTimeout(20, TimeUnit.SECONDS).join());
        var refused = (WebSocketHandshakeException) failure.getCause();
        assertEquals(403, refused.getResponse().statusCode());
    }
}
