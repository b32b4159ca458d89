package org.microhttp.tools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/** A loop on a free port and on a thread of its own, whose events can be awaited. */
public final class TestServer implements AutoCloseable {

    private static final int LIMIT_MILLIS = 30_000;

    public final RecordingLogger log = new RecordingLogger();
    public final EventLoop loop;
    public final Thread thread;
    private final List<RawClient> clients = new ArrayList<>();
    private volatile Throwable failure;

    public TestServer(Handler handler) throws IOException {
        this(options(), handler);
    }

    public TestServer(Options options, Handler handler) throws IOException {
        loop = new EventLoop(options, log, handler);
        thread = new Thread(loop::start, "loop-" + loop.getPort());
        thread.setUncaughtExceptionHandler((t, e) -> failure = e);
        thread.start();
    }

    /** Any free port of this machine alone, and ticks short enough for tests. */
    public static Options options() {
        return new Options().withHost("127.0.0.1").withPort(0).withResolution(Duration.ofMillis(10));
    }

    /** A 200 with a text as its body, and no fields. */
    public static Response ok(String body) {
        return new Response(200, "OK", List.of(), body.getBytes(ISO_8859_1));
    }

    /** Answers with the target. */
    public static void echoTarget(Request request, java.util.function.Consumer<Response> callback) {
        callback.accept(ok(request.uri()));
    }

    /** Answers with the body. */
    public static void echoBody(Request request, java.util.function.Consumer<Response> callback) {
        callback.accept(new Response(200, "OK", List.of(), request.body()));
    }

    /** Holds a handler until the test lets it go on. */
    public static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return loop.getPort();
    }

    /** A client that is closed with the server. */
    public RawClient connect() throws IOException {
        return keep(RawClient.to(loop.getAddress()));
    }

    public RawClient connect(int receiveBufferSize) throws IOException {
        return keep(new RawClient(port(), receiveBufferSize));
    }

    private RawClient keep(RawClient client) {
        clients.add(client);
        return client;
    }

    public RecordingLogger.Event awaitEvent(String name) {
        return log.await(name);
    }

    public RecordingLogger.Event awaitEvent(String name, int number) {
        return log.await(name, number);
    }

    /** A client of its own is answered: the loop works. */
    public void assertServes() throws IOException {
        try (var client = RawClient.to(loop.getAddress())) {
            int status = client.get("/alive").response().status();
            if (status != 200) {
                throw new AssertionError("another client got " + status);
            }
        }
    }

    /** Waits until {@link EventLoop#start} has returned, and says what it threw, or null. */
    public Throwable join() {
        try {
            thread.join(LIMIT_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertFalse(thread.isAlive(), "start() did not return");
        return failure;
    }

    /** Stops the loop, and checks that {@link EventLoop#start} returned as it should. */
    public void stop() throws IOException {
        loop.stop();
        Throwable thrown = join();
        for (RawClient client : clients) {
            client.close();
        }
        if (thrown != null) {
            throw new AssertionError("start() threw", thrown);
        }
    }

    @Override
    public void close() throws IOException {
        stop();
    }
}
