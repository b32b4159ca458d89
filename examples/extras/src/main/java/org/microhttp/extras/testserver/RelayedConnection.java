package org.microhttp.extras.testserver;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.microhttp.Header;
import org.microhttp.Response;

/**
 * A client's connection, and one to the event loop. One thread passes on what the client sends. Another
 * passes on what the loop sends, as the {@link Plan} of the response says, and may wait.
 * <p>
 * If only the relay can send the bytes, the loop sends a {@link #MARK} instead. The mark is the last response
 * of the loop's connection, so earlier responses come first. A plan that only waits begins with the next
 * bytes from the loop. They belong to its response, unless the client did not wait for an earlier one.
 */
final class RelayedConnection {

    /** The loop sends this where the relay has the bytes; it never reaches the client. */
    static final Response MARK =
            new Response(200, "TestServer MARK", List.of(new Header("Connection", "close")), new byte[0]);

    private static final int PIECE = 16 * 1024;

    private final Socket client;
    private final Socket loop = new Socket();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** The plan of the response that the loop sends next; null once the response has begun. */
    private final AtomicReference<Plan> due = new AtomicReference<>();

    RelayedConnection(Socket client) {
        this.client = client;
    }

    /** Sets the plan of the response that the loop gets next. */
    void begin(Plan plan) {
        due.set(plan);
    }

    /** Serves the client until both sides have ended, on this thread and another. */
    void serve(InetSocketAddress address, Executor threads) {
        try {
            client.setTcpNoDelay(true);
            loop.setTcpNoDelay(true);
            loop.connect(address);
            var origin = (InetSocketAddress) client.getRemoteSocketAddress();
            String header = "PROXY TCP4 %s 127.0.0.1 %d %d\r\n".formatted(
                    origin.getAddress().getHostAddress(), origin.getPort(), client.getLocalPort());
            loop.getOutputStream().write(header.getBytes(StandardCharsets.US_ASCII));
            var responses = CompletableFuture.runAsync(this::passResponses, threads);
            passRequests();
            responses.join();
        } catch (IOException | RejectedExecutionException e) {
            // one of the three has ended: client, loop or relay
            reset();
        } finally {
            close();
        }
    }

    private void passRequests() throws IOException {
        InputStream in = client.getInputStream();
        byte[] piece = new byte[PIECE];
        boolean passes = true;
        for (int count = 0; count >= 0; ) {
            count = in.read(piece);
            passes = passes && pass(piece, count);
        }
    }

    /** Passes input on, or its end; false if the loop has closed the connection: the rest is dropped. */
    private boolean pass(byte[] piece, int count) {
        try {
            if (count < 0) {
                loop.shutdownOutput();
            } else {
                loop.getOutputStream().write(piece, 0, count);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void passResponses() {
        try {
            InputStream in = loop.getInputStream();
            byte[] piece = new byte[PIECE];
            Plan plan = Plan.PLAIN;
            for (int count; (count = in.read(piece)) >= 0; ) {
                Plan next = due.getAndSet(null);
                plan = next == null ? plan : next;
                if (plan.isRaw()) {
                    sendRaw(plan, piece, count);
                    return;
                }
                pause(next == null ? plan.pause() : plan.delay());
                send(plan, piece, count);
            }
            client.shutdownOutput();
        } catch (IOException | InterruptedException e) {
            reset();
        }
    }

    /** Sends what comes before the mark, and then the plan's bytes. */
    private void sendRaw(Plan plan, byte[] piece, int count) throws IOException, InterruptedException {
        var before = new ByteArrayOutputStream();
        before.write(piece, 0, count);
        loop.getInputStream().transferTo(before);
        int mark = before.toString(StandardCharsets.ISO_8859_1).lastIndexOf("HTTP/1.1 " + MARK + "\r\n");
        if (mark < 0) {
            throw new IOException("the loop has ended the connection");
        }
        send(Plan.PLAIN, before.toByteArray(), mark);
        pause(plan.delay());
        send(plan, plan.bytes(), plan.bytes().length);
        switch (plan.end()) {
            case CLOSE -> client.shutdownOutput();
            case RESET -> reset();
            // the other thread waits until the client ends
            case NEVER -> { }
        }
    }

    private void send(Plan plan, byte[] bytes, int count) throws IOException, InterruptedException {
        OutputStream out = client.getOutputStream();
        for (int at = 0; at < count; ) {
            pause(at == 0 ? Duration.ZERO : plan.pause());
            int size = Math.min(plan.piece(), count - at);
            out.write(bytes, at, size);
            at += size;
        }
    }

    private void pause(Duration time) throws IOException, InterruptedException {
        if (ended.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IOException("the connection was ended");
        }
    }

    /** Resets both connections; does nothing if they are closed. */
    void reset() {
        for (Socket socket : List.of(client, loop)) {
            try {
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                // it is closed
                continue;
            }
        }
        close();
    }

    /** Closes both connections, and ends each wait. */
    void close() {
        ended.countDown();
        for (Socket socket : List.of(client, loop)) {
            try {
                socket.close();
            } catch (IOException e) {
                // a socket is closed even if this fails
                continue;
            }
        }
    }
}
