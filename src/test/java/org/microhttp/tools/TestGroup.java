package org.microhttp.tools;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Inside;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/** Several loops on a free port, started on a thread of their own; their events can be awaited. */
public final class TestGroup implements AutoCloseable {

    /** The name of the thread that calls start(), and runs the first loop. */
    public static final String FIRST = "microhttp-0";

    private static final int LIMIT_MILLIS = 30_000;

    public final RecordingLogger log = new RecordingLogger();
    public final EventLoopGroup group;
    public final Thread thread;
    private final List<RawClient> clients = new ArrayList<>();
    private volatile Throwable failure;
    private volatile boolean interrupted;

    public TestGroup(Handler handler, int size) throws IOException {
        this(TestServer.options(), handler, size, true);
    }

    /** @param sharing false lets the first loop accept for all, as on a platform without shared ports */
    public TestGroup(Options options, Handler handler, int size, boolean sharing) throws IOException {
        group = sharing ? new EventLoopGroup(options, log, handler, size)
                : Inside.groupWithoutSharedPort(options, log, handler, size);
        thread = new Thread(() -> {
            group.start();
            interrupted = Thread.currentThread().isInterrupted();
        }, FIRST);
        thread.setUncaughtExceptionHandler((t, e) -> failure = e);
        thread.start();
    }

    /** Answers with the name of the loop's thread. */
    public static void nameThread(Request request, Consumer<Response> callback) {
        callback.accept(TestServer.ok(Thread.currentThread().getName()));
    }

    /** How many of the connections each thread has that {@link #nameThread} answers for; reads them all. */
    public static TreeMap<String, Integer> count(List<RawClient> sent) throws IOException {
        var counts = new TreeMap<String, Integer>();
        for (RawClient client : sent) {
            counts.merge(client.response().text(), 1, Integer::sum);
        }
        return counts;
    }

    /** A client that is closed with the group. */
    public RawClient connect() throws IOException {
        RawClient client = RawClient.to(group.getAddress());
        clients.add(client);
        return client;
    }

    /** A client of a loop other than that one's. The emptiest loop gets the next, so it comes soon. */
    public RawClient connectApartFrom(String thread) throws IOException {
        RawClient client = connect();
        while (client.get("/").response().text().equals(thread)) {
            client = connect();
        }
        return client;
    }

    /** Waits until so many are closed and no longer counted: a loop that answers has finished with those. */
    public void awaitClosed(int number, List<RawClient> oneOfEachLoop) throws IOException {
        log.await("close", number);
        for (RawClient client : oneOfEachLoop) {
            client.get("/");
            client.response();
        }
    }

    /** One of the loops. */
    public EventLoop loop(int index) throws ReflectiveOperationException {
        return Inside.loop(group, index);
    }

    /** Waits until {@link EventLoopGroup#start} has returned, and says what it threw, or null. */
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

    @Override
    public void close() throws IOException {
        group.stop();
        Throwable thrown = join();
        for (RawClient client : clients) {
            client.close();
        }
        if (thrown != null) {
            throw new AssertionError("start() threw", thrown);
        }
    }
}
