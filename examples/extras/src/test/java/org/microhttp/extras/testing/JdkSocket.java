package org.microhttp.extras.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.*;

/** A connection of the JDK's client, which notes what comes in the words of {@link FrameClient}. */
public final class JdkSocket implements WebSocket.Listener {

    private static final int LIMIT_SECONDS = 20;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    public WebSocket socket;
    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder digits = new StringBuilder();

    public static JdkSocket connect(int port, String... subprotocols) throws Exception {
        return connect(URI.create("ws://127.0.0.1:" + port + "/"), subprotocols);
    }

    public static JdkSocket connect(URI place, String... subprotocols) throws Exception {
        var jdk = new JdkSocket();
        WebSocket.Builder builder = CLIENT.newWebSocketBuilder();
        if (subprotocols.length > 0) {
            builder.subprotocols(subprotocols[0], Arrays.copyOfRange(subprotocols, 1, subprotocols.length));
        }
        jdk.socket = jdk.await(builder.buildAsync(place, jdk));
        return jdk;
    }

    public <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        from.request(1);
        if (last) {
            calls.add("text " + text);
            text.setLength(0);
        }
        return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        digits.append(ClientFrames.word(ClientFrames.BINARY, data).substring(2));
        from.request(1);
        if (last) {
            calls.add(ClientFrames.BINARY + ":" + digits);
            digits.setLength(0);
        }
        return null;
    }

    @Override
    public CompletionStage<?> onPong(WebSocket from, ByteBuffer data) {
        calls.add(ClientFrames.word(ClientFrames.PONG, data));
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        calls.add("close " + code + " " + reason);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable cause) {
        calls.add("error " + cause);
    }

    public String next() throws InterruptedException {
        return calls.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    public JdkSocket expect(String... expected) throws InterruptedException {
        for (String call : expected) {
            assertEquals(call, next());
        }
        return this;
    }
}
