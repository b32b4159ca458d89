package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.testing.*;

/**
 * A request whose turn in the executor of {@link Handler#blocking} has not come when it is abandoned is
 * released, though its task still waits there, and its function never runs.
 */
@Tier.Gate
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class QueuedRequestTest {

    private static final int QUEUED = 5;
    private static final String QUEUED_REQUEST = "POST /queued HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
            + "\r\nbody";
    private static final int COLLECTIONS = 20;

    /** Why nobody waits for the answer any more. */
    enum Gone { TIME, CLIENT, SERVER, SERVER_AFTER_GRACE }

    /** What another handler around the blocking one hands on. */
    enum Handed {

        THE_SAME, OTHER_CALLBACK, OTHER_REQUEST, COPY;

        private Consumer<Response> callback(Consumer<Response> callback) {
            return this == OTHER_CALLBACK || this == COPY ? response -> callback.accept(response) : callback;
        }

        private Request request(Request request) {
            if (this == COPY) return request.withTarget("/").withAttribute(Handed.class, this);
            return this == OTHER_REQUEST ? new Request(request.method(), request.target(), request.version(),
                    request.headers(), request.body()) : request;
        }
    }

    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>());
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch recovered = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();
    private final Queue<WeakReference<Object>> waiting = new ConcurrentLinkedQueue<>();
    private final MovedClock clock = new MovedClock();
    private final List<RawClient> clients = new ArrayList<>();
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        recovered.countDown();
        executor.shutdownNow();
        server.close();
    }

    private void serve(Handed handed) throws IOException {
        Handler blocking = Handler.blocking(executor, request -> {
            calls.incrementAndGet();
            running.countDown();
            TestServer.await(recovered);
            return TestServer.ok("recovered");
        });
        server = new TestServer(clock.in(TestServer.options()).withHandlerTimeout(Duration.ofMinutes(1)),
                (request, callback) -> {
                    if (request.target().equals("/queued")) {
                        Request other = handed.request(request);
                        waiting.add(new WeakReference<>(request));
                        waiting.add(new WeakReference<>(other));
                        waiting.add(new WeakReference<>(request.body()));
                        blocking.handle(other, handed.callback(callback));
                    } else {
                        blocking.handle(request, callback);
                    }
                });
    }

    private static List<Arguments> ways() {
        var ways = new ArrayList<Arguments>();
        for (Gone gone : Gone.values()) {
            for (Handed handed : Handed.values()) {
                ways.add(Arguments.arguments(gone, handed));
            }
        }
        return ways;
    }

    @ParameterizedTest
    @MethodSource("ways")
    void isReleasedAndItsFunctionNeverRuns(Gone gone, Handed handed) throws Exception {
        serve(handed);
        clients.add(server.connect().get("/running"));
        TestServer.await(running);
        for (int i = 0; i < QUEUED; i++) {
            clients.add(server.connect().send(QUEUED_REQUEST));
        }
        server.awaitEvent("read_request", QUEUED + 1);
        clock.pass(server.itself, Duration.ZERO);
        abandon(gone);
        assertReleased();
        assertEquals(QUEUED, executor.getQueue().size());
        recovered.countDown();
        executor.shutdown();
        assertTrue(executor.awaitTermination(30, TimeUnit.SECONDS));
        assertEquals(1, calls.get());
        assertEquals(0, server.log.count("handler_error"));
    }

    private void abandon(Gone gone) throws Exception {
        switch (gone) {
            case TIME -> clock.pass(server.itself, Duration.ofHours(1));
            case CLIENT -> {
                for (RawClient client : clients) {
                    client.reset();
                }
                server.awaitEvent("close", QUEUED + 1);
                clock.pass(server.itself, Duration.ZERO);
            }
            case SERVER -> server.stop();
            case SERVER_AFTER_GRACE -> {
                server.itself.stop(Duration.ZERO);
                server.join();
            }
        }
    }

    private void assertReleased() {
        long alive = waiting.size();
        for (int i = 0; i < COLLECTIONS && alive > 0; i++) {
            System.gc();
            alive = waiting.stream().filter(reference -> reference.get() != null).count();
        }
        assertEquals(0, alive, "requests and bodies that are kept");
    }
}
