package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.protocol.RequestHead;
import org.microhttp.testing.ObjectGraph;
import org.microhttp.testing.TestServer;

/**
 * However many requests are abandoned while an executor stalls, it has a bounded number of tasks, which keep
 * nothing of these requests; and whatever it does with the tasks later, every place is released.
 */
class BlockingHandlerTest extends ConnectionFixture {

    private static final int PLACES = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String LARGE = "POST /gone HTTP/1.1\r\nHost: x\r\nCookie: " + "c".repeat(5_000)
            + "\r\nContent-Length: 9000\r\n\r\n" + "b".repeat(9_000);

    /** What a handler around the blocking one passes on. */
    enum Wrapping { NOTHING, CALLBACK, REQUEST, BOTH, CHANGE, RETRY }

    /** Why nobody waits for the response any more. */
    enum Gone { RESET, TIMEOUT }

    /** The executor's queue, whose tasks the test runs or drops. */
    private final List<Runnable> queue = new ArrayList<>();
    private final List<String> called = new ArrayList<>();

    /** The statuses that a callback in between got, and how many requests were passed on. */
    private final List<Integer> statuses = new ArrayList<>();
    private int passed;
    private boolean rejects;

    private final Handler blocking = Handler.blocking(task -> {
        if (rejects) throw new RejectedExecutionException("on purpose");
        queue.add(task);
    }, request -> {
        called.add(request.target());
        return TestServer.ok("done");
    });

    @BeforeEach
    void start() throws IOException {
        start(Wrapping.NOTHING);
    }

    private void start(Wrapping wrapping) throws IOException {
        var options = new Options().withMaxPendingRequests(PLACES).withHandlerTimeout(TIMEOUT);
        start(options, (request, callback) -> {
            passed++;
            wrapped(wrapping).handle(request, callback);
        });
    }

    private Handler wrapped(Wrapping wrapping) {
        return switch (wrapping) {
            case NOTHING -> blocking;
            case CALLBACK -> (request, callback) -> blocking.handle(request, counted(request, callback));
            case REQUEST -> (request, callback) -> blocking.handle(other(request), callback);
            case BOTH -> (request, callback) -> blocking.handle(
                    request.withTarget("/copy").withHeader("A", "b"), counted(request, callback));
            case CHANGE -> blocking.andThen((request, response) -> {
                statuses.add(response.status());
                return response.withHeader("X", request.method());
            });
            case RETRY -> (request, callback) -> blocking.handle(request, response -> {
                statuses.add(response.status());
                if (response.status() != 500 || statuses.size() % 2 == 0) {
                    callback.accept(response);
                } else {
                    blocking.handle(request, counted(request, callback));
                }
            });
        };
    }

    private Consumer<Response> counted(Request request, Consumer<Response> callback) {
        return response -> {
            statuses.add(response.status());
            callback.accept(response.withHeader("X", request.method()));
        };
    }

    private static Request other(Request request) {
        return new Request(request.method(), request.target(), request.version(), request.headers(),
                request.body());
    }

    private static Stream<Arguments> ways() {
        return Stream.of(Wrapping.values())
                .flatMap(wrapping -> Stream.of(Gone.values()).map(gone -> arguments(wrapping, gone)));
    }

    /** More requests than there are places come, and are abandoned. */
    private void abandonMany(Gone gone) throws IOException {
        var clients = new ArrayList<ScriptedLoop.Client>();
        for (int i = 0; i < 4 * PLACES; i++) {
            var one = loop.connect().turn(LARGE);
            clients.add(one);
            if (gone == Gone.RESET) reset(one);
        }
        if (gone == Gone.TIMEOUT) loop.passTime(TIMEOUT.plusSeconds(1));
        loop.runTasks();
        clients.forEach(one -> one.channel.reset());
        clients.stream().filter(one -> !one.isClosed()).forEach(ScriptedLoop.Client::turn);
    }

    private void runQueue() {
        List<Runnable> tasks = List.copyOf(queue);
        queue.clear();
        elsewhere(() -> tasks.forEach(Runnable::run));
        loop.runTasks();
    }

    private void assertServes() throws IOException {
        var last = loop.connect().turn(get("/alive"));
        runQueue();
        assertTrue(last.received().endsWith("done"));
        assertTrue(List.of("/alive", "/copy").contains(called.get(called.size() - 1)));
        assertEquals(0, Inside.used(loop.context.group.requests));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void stalledExecutorKeepsFewEmptyTasks(Wrapping wrapping, Gone gone) throws Exception {
        start(wrapping);
        abandonMany(gone);
        assertEquals(PLACES, queue.size());
        assertNull(ObjectGraph.path(queue, ReachabilityTest::isOpen, object -> object instanceof Request
                || object instanceof RequestHead head && head.size() > RequestHead.SMALL));
        runQueue();
        assertEquals(0, called.size());
        // a released place has no deadline
        loop.passTime(TIMEOUT.multipliedBy(3));
        assertServes();
        // a wrapping handler may rely on its callback
        boolean counts = wrapping != Wrapping.NOTHING && wrapping != Wrapping.REQUEST;
        int twice = wrapping == Wrapping.RETRY ? PLACES : 0;
        assertEquals(counts ? passed + twice : 0, statuses.size());
    }

    @ParameterizedTest
    @EnumSource
    void executorThatDropsTasksGetsOthersInTime(Gone gone) throws Exception {
        abandonMany(gone);
        queue.clear();
        // each task keeps its place for another handlerTimeout
        loop.passTime(TIMEOUT.minusSeconds(2));
        assertEquals(PLACES, Inside.used(loop.context.group.requests));
        // nothing shows whether it has dropped them
        loop.passTime(TIMEOUT.plusSeconds(1));
        loop.passTime(TIMEOUT.plusSeconds(1));
        assertEquals(PLACES - 1, Inside.used(loop.context.group.requests));
        var other = loop.connect().turn(get("/other"));
        runQueue();
        assertTrue(other.received().endsWith("done"));
        loop.passTime(TIMEOUT.plusSeconds(1));
        assertServes();
    }

    /** Each time that something may be released, at most one task more comes. */
    @ParameterizedTest
    @EnumSource
    void executorThatRunsNothingGetsATaskNowAndThen(Gone gone) throws Exception {
        for (int i = 0; i < 10; i++) {
            abandonMany(gone);
            loop.passTime(TIMEOUT.plusSeconds(1));
            assertTrue(queue.size() <= PLACES + i, "tasks " + queue.size());
        }
        runQueue();
        assertEquals(List.of(), called);
        assertServes();
    }

    @Test
    void lateTaskReleasesItsPlaceOnce() throws Exception {
        abandonMany(Gone.RESET);
        List<Runnable> late = List.copyOf(queue);
        queue.clear();
        loop.passTime(TIMEOUT.plusSeconds(1));
        loop.passTime(TIMEOUT.plusSeconds(1));
        loop.connect().turn(get("/other"));
        runQueue();
        loop.passTime(TIMEOUT.plusSeconds(1));
        assertEquals(0, Inside.used(loop.context.group.requests));
        queue.addAll(late);
        runQueue();
        assertServes();
    }

    /** What the executor never got, because it came late or was rejected, shows nothing of what it got. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void droppedTaskReleasesItsPlaceWhateverTheExecutorNeverGot(boolean rejected) throws Exception {
        var held = new ArrayList<Runnable>();
        start(new Options().withMaxPendingRequests(1).withHandlerTimeout(TIMEOUT), (request, callback) -> {
            Request own = rejected ? other(request) : request;
            if (request.target().equals("/held")) {
                held.add(() -> blocking.handle(own, callback::accept));
            } else {
                blocking.handle(request, callback);
            }
        });
        loop.connect().turn(get("/held"));
        loop.passTime(TIMEOUT.plusSeconds(1));
        reset(loop.connect().turn(get("/dropped")));
        queue.clear();
        rejects = rejected;
        if (rejected) {
            assertThrows(RejectedExecutionException.class, held.get(0)::run);
        } else {
            held.get(0).run();
        }
        rejects = false;
        loop.passTime(TIMEOUT.plusSeconds(1));
        loop.passTime(TIMEOUT.plusSeconds(1));
        assertServes();
    }

    @Test
    void rejectedRequestsKeepNoPlace() throws Exception {
        rejects = true;
        for (int i = 0; i < 2 * PLACES; i++) {
            assertTrue(loop.connect().turn(get("/")).received().startsWith("HTTP/1.1 500 "));
        }
        rejects = false;
        assertServes();
    }

    @Test
    void requestAnsweredElsewhereKeepsNoPlaceThoughItsTaskWaits() throws Exception {
        start(new Options().withMaxPendingRequests(PLACES), (request, callback) -> {
            blocking.handle(request, response -> { });
            callback.accept(TestServer.ok("at once"));
        });
        loop.connect().turn(get("/")).expect(ok("at once"));
        assertEquals(0, Inside.used(loop.context.group.requests));
    }

    /** The first response is lost, and so is the second; the client gets a 503 in time. */
    @Test
    void callbackThatThrowsIsCalledTwice() throws Exception {
        start(new Options().withHandlerTimeout(TIMEOUT), (request, callback) ->
                blocking.handle(request, response -> {
                    statuses.add(response.status());
                    throw new OutOfMemoryError("on purpose");
                }));
        var one = loop.connect().turn(get("/"));
        elsewhere(() -> assertThrows(OutOfMemoryError.class, queue.get(0)::run));
        assertEquals(List.of(200, 500), statuses);
        loop.passTime(TIMEOUT.plusSeconds(1));
        assertTrue(one.received().startsWith("HTTP/1.1 503 "));
        assertEquals(2, statuses.size());
    }
}
