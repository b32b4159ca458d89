package org.microhttp.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.microhttp.*;

/** A loop, or a group of loops, on a free port and on a thread of its own; its events can be awaited. */
public final class TestServer implements AutoCloseable {

    private static final int LIMIT_MILLIS = 30_000;

    public final RecordingLogger log = new RecordingLogger();
    public final Server itself;

    /** It, if it is one; else null. */
    public final EventLoop loop;
    public final EventLoopGroup group;

    /** The thread that calls start(), and runs the first loop. */
    public final Thread thread;
    private final int size;
    private final List<RawClient> clients = new ArrayList<>();
    private volatile Throwable failure;
    private volatile boolean interrupted;

    /** A loop. */
    public TestServer(Handler handler) throws IOException {
        this(options(), handler);
    }

    /** A loop. */
    public TestServer(Options options, Handler handler) throws IOException {
        this(ServerKind.LOOP, options, handler);
    }

    public TestServer(ServerKind kind, Handler handler) throws IOException {
        this(kind, options(), handler);
    }

    public TestServer(ServerKind kind, Options options, Handler handler) throws IOException {
        this(kind, options, handler, kind.loops);
    }

    /** @param size how many loops a group has */
    public TestServer(ServerKind kind, Options options, Handler handler, int size) throws IOException {
        this(kind, options, null, handler, size);
    }

    /** A loop with another logger. */
    public TestServer(Options options, Logger logger, Handler handler) throws IOException {
        this(ServerKind.LOOP, options, logger, handler, 1);
    }

    private TestServer(ServerKind kind, Options options, Logger logger, Handler handler, int size)
            throws IOException {
        itself = kind.make(options, logger == null ? log : logger, handler, size);
        loop = itself instanceof EventLoop single ? single : null;
        group = itself instanceof EventLoopGroup several ? several : null;
        this.size = group == null ? 1 : size;
        thread = new Thread(() -> {
            itself.start();
            interrupted = Thread.currentThread().isInterrupted();
        }, loop == null ? "microhttp-0" : "loop-" + loop.getPort());
        thread.setUncaughtExceptionHandler((t, e) -> failure = e);
        thread.start();
        if (group != null) {
            awaitTurns();
        }
    }

    /** Waits until every loop of the group runs. */
    private void awaitTurns() {
        try {
            var turns = new CountDownLatch(size);
            for (EventLoop each : loops()) {
                Inside.execute(each, turns::countDown);
            }
            await(turns);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
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
    public static void echoTarget(Request request, Consumer<Response> callback) {
        callback.accept(ok(request.target()));
    }

    /** Answers with the body. */
    public static void echoBody(Request request, Consumer<Response> callback) {
        callback.accept(new Response(200, "OK", List.of(), request.body()));
    }

    /** Answers with the name of the loop's thread. */
    public static void nameThread(Request request, Consumer<Response> callback) {
        callback.accept(ok(Thread.currentThread().getName()));
    }

    /** How many of the connections each thread has that {@link #nameThread} answers for; reads them all. */
    public static TreeMap<String, Integer> count(List<RawClient> sent) throws IOException {
        var counts = new TreeMap<String, Integer>();
        for (RawClient client : sent) {
            counts.merge(client.response().text(), 1, Integer::sum);
        }
        return counts;
    }

    /** Holds a handler until the test lets it go on. */
    public static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the test does not let the handler go on");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return itself.getPort();
    }

    public SocketAddress address() {
        return itself.getAddress();
    }

    /** The loop, or those of the group. */
    public List<EventLoop> loops() throws ReflectiveOperationException {
        return Inside.loops(itself);
    }

    /** The names of the threads of its loops. */
    public TreeSet<String> threadNames() {
        var names = new TreeSet<>(Set.of(thread.getName()));
        for (int i = 1; i < size; i++) {
            names.add("microhttp-" + i);
        }
        return names;
    }

    /** A client that is closed with the server. */
    public RawClient connect() throws IOException {
        return keep(RawClient.to(address()));
    }

    /** A client of the loop whose thread has that name, if {@link #nameThread} answers for /thread. */
    public RawClient connectTo(String threadName) throws IOException {
        RawClient client = connect();
        while (!client.get("/thread").response().text().equals(threadName)) {
            client = connect();
        }
        return client;
    }

    public RawClient connect(int receiveBufferSize) throws IOException {
        return keep(RawClient.to(address(), receiveBufferSize));
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
        try (var client = RawClient.to(address())) {
            int status = client.get("/alive").response().status();
            if (status != 200) {
                throw new AssertionError("another client got " + status);
            }
        }
    }

    /** Has a task hold the one loop, outside of any handler, until the latch is opened. */
    public CountDownLatch hold() throws ReflectiveOperationException {
        var held = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        Inside.execute(loop, () -> {
            held.countDown();
            await(go);
        });
        await(held);
        return go;
    }

    /** Calls {@code stop(grace)} on another thread. */
    public PendingStop stopGracefully(Duration grace) {
        return new PendingStop(() -> itself.stop(grace));
    }

    /** Calls {@code stop(grace)} on another thread, and returns when each loop has begun to leave. */
    public PendingStop beginGracefulStop(Duration grace) {
        PendingStop stopping = stopGracefully(grace);
        awaitEvent("leave", size);
        return stopping;
    }

    /** Waits until start() has returned, and says what it threw, or null. */
    public Throwable join() {
        join(thread);
        return failure;
    }

    /** Whether the flag was set when start() had returned. */
    public boolean keptInterruptFlag() {
        join();
        return interrupted;
    }

    public static void join(Thread thread) {
        try {
            thread.join(LIMIT_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertFalse(thread.isAlive(), thread + " did not end");
    }

    /** The threads that are alive and have a name that begins so. */
    public static List<Thread> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().startsWith(prefix)).toList();
    }

    /** Stops all loops, and checks that start() returned as it should. */
    public void stop() throws IOException {
        itself.stop();
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
