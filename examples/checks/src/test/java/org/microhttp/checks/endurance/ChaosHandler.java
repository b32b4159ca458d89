package org.microhttp.checks.endurance;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.microhttp.Body;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.ServerError;

/**
 * The handler of one server, which does with each request what that asks for: {@link ChaosAnswer}. It checks
 * what the server owes it: a request comes once and no more than are allowed at a time, a body is released
 * once, and who listens for the end of interest in a request is called at most once.
 */
final class ChaosHandler implements Handler {

    /** How many bytes a piece of a published body has. */
    private static final int PIECE = 10_000;

    /** A request in the handler's hands, from the call until just before its answer. */
    private static final class Held {

        final ChaosRequest asked;
        final long began;
        volatile long answered;

        /** While it waits for a thread of {@link Handler#blocking}. */
        volatile Request waiting;

        Held(ChaosRequest asked, long began) {
            this.asked = asked;
            this.began = began;
        }

        boolean isAbandoned() {
            Request request = waiting;
            return request != null && request.isAbandoned();
        }
    }

    private final ChaosLife life;
    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(4);
    private final AtomicReference<Runnable> order = new AtomicReference<>();
    private final Queue<Runnable> never = new ConcurrentLinkedQueue<>();
    private final Set<Held> held = ConcurrentHashMap.newKeySet();
    private final Map<Long, Held> seen = new ConcurrentHashMap<>();
    private final Set<Long> abandoned = ConcurrentHashMap.newKeySet();
    private final AtomicInteger unreleased = new AtomicInteger();
    private final AtomicInteger afterStop = new AtomicInteger();
    private volatile boolean stopped;
    private volatile boolean ended;

    ChaosHandler(ChaosLife life) {
        this.life = life;
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        if (!ChaosRequest.isOurs(request.target())) {
            // of a client that does wrong
            callback.accept(new Response(200, List.of(), new byte[ChaosRequest.MAX_SIZE]));
            return;
        }
        ChaosRequest asked = ChaosRequest.of(request.target());
        life.report.check(asked.hasBody(request.body()), "request body", "wrong in " + asked);
        life.report.check(!ended, "handler after the end", "called with " + asked);
        var taken = new Held(asked, life.occupancy().now());
        synchronized (held) {
            held.add(taken);
        }
        life.report.check(seen.put(asked.id(), taken) == null, "handed over twice", "" + asked);
        // each loop may just have been about to call
        boolean kept = !stopped || afterStop.incrementAndGet() <= life.limits.loops;
        life.report.check(kept, "serves on after stop()", afterStop + " requests");
        Runnable ordered = order.getAndSet(null);
        if (ordered != null) {
            ordered.run();
        }
        request.onAbandoned(() -> {
            life.report.check(request.isAbandoned(), "abandoned", "told too early");
            life.report.check(abandoned.add(asked.id()), "abandoned", "told twice of " + request);
        });
        carryOut(taken, request, callback);
    }

    private void carryOut(Held taken, Request request, Consumer<Response> callback) {
        ChaosRequest asked = taken.asked;
        Runnable answer = () -> answer(taken, callback, asked.response(this));
        Runnable failed = () -> answer(taken, callback, Response.failed(new IOException("on purpose")));
        Runnable nothing = () -> answer(taken, callback, null);
        switch (asked.answer()) {
            case INLINE, CLOSE -> answer.run();
            case ELSEWHERE -> executor.execute(answer);
            case LATE, EDGE -> later(asked, answer);
            case COPY -> answer(taken, callback, asked.copiedResponse(this));
            case INSTEAD -> run(() -> asked.copiedResponse(this).release(), answer);
            case NEVER -> never.add(() -> {
                life.report.check(isAbandoned(asked.id()), "abandoned", "not told of " + asked);
                answer.run();
            });
            case FAILED -> failed.run();
            case FAILED_LATE -> later(asked, failed);
            case TWICE -> run(asked.id() % 2 == 0 ? answer : () -> executor.execute(answer),
                    () -> executor.execute(answer));
            case NULL -> nothing.run();
            case NULL_LATE -> later(asked, nothing);
            case THROW, ERROR -> fail(taken);
            case THROW_AFTER -> run(answer, () -> fail(taken));
            case ELSEWHERE_THEN_THROW ->
                run(() -> CompletableFuture.runAsync(answer, executor).join(), () -> fail(taken));
            case BLOCK -> run(() -> ChaosLife.pause(asked.millis()), answer);
            case INTERRUPT -> run(Thread.currentThread()::interrupt, answer);
            case BLOCKING, BLOCKING_THROW -> {
                taken.waiting = request;
                Handler.blocking(executor, r -> respond(taken)).handle(request, callback);
            }
        }
    }

    private void later(ChaosRequest asked, Runnable task) {
        executor.schedule(task, asked.millis(), TimeUnit.MILLISECONDS);
    }

    private static void run(Runnable first, Runnable second) {
        first.run();
        second.run();
    }

    /** Calls back, which must not throw. The request is out of our hands before: another may come at once. */
    private void answer(Held taken, Consumer<Response> callback, Response response) {
        held.remove(taken);
        try {
            callback.accept(response);
        } catch (Throwable t) {
            life.report.violation("callback", "throws " + t);
        }
        taken.answered = System.nanoTime();
    }

    private Response respond(Held taken) {
        taken.waiting = null;
        if (taken.asked.answer() == ChaosAnswer.BLOCKING_THROW) {
            fail(taken);
        }
        held.remove(taken);
        taken.answered = System.nanoTime();
        return taken.asked.response(this);
    }

    private void fail(Held taken) {
        held.remove(taken);
        taken.answered = System.nanoTime();
        if (taken.asked.answer() == ChaosAnswer.ERROR) {
            throw new StackOverflowError("on purpose");
        }
        throw new IllegalStateException("on purpose");
    }

    /**
     * Compares what is in our hands with the limit, and with the places that the server has given out. It
     * gives a place up after {@code handlerTimeout}, and when the client of a request that waits for a thread
     * is gone: so this count is never above the true one.
     */
    void checkPending() {
        synchronized (held) {
            long taken = life.occupancy().requests();
            boolean serving = life.occupancy().isServing();
            long now = System.nanoTime();
            held.removeIf(one -> now - one.began >= life.limits.handling.toNanos() || one.isAbandoned());
            int count = held.size();
            life.report.check(count <= life.limits.pending, "maxPendingRequests", count + " pending");
            // a server that has ended needs no places
            life.report.check(count <= taken || !serving, "places", count + " pending, places: " + taken);
        }
    }

    /** A body that has to be released once. */
    Body counted(Body body) {
        unreleased.incrementAndGet();
        var released = new AtomicInteger();
        return body.onReleased(() -> {
            unreleased.decrementAndGet();
            life.report.check(released.incrementAndGet() == 1, "bodies", "one is released twice");
        });
    }

    /** Publishes in pieces: as they are requested, or from another thread. */
    Flow.Publisher<ByteBuffer> publisher(byte[] bytes) {
        var pieces = new ArrayList<byte[]>();
        for (int at = 0; at < bytes.length; at += PIECE) {
            pieces.add(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + PIECE)));
        }
        if (bytes.length % 2 == 0) return BodyPublishers.ofByteArrays(pieces);
        return subscriber -> {
            // all fit, so that none waits for a client
            var elsewhere = new SubmissionPublisher<ByteBuffer>(executor, pieces.size() + 1);
            elsewhere.subscribe(subscriber);
            pieces.forEach(piece -> elsewhere.submit(ByteBuffer.wrap(piece)));
            elsewhere.close();
        };
    }

    /** The hook. Now and then it fails. */
    static Response withField(ServerError error) {
        if (error.request().target().hashCode() % 16 == 1) {
            throw new IllegalStateException("on purpose");
        }
        return error.response().withHeader("Error-Code", error.code());
    }

    /** Whether the handler was called with this request. */
    boolean hasSeen(long id) {
        return seen.containsKey(id);
    }

    /** Whether its answer was late or is missing, so that the server may have given up. */
    boolean isLate(long id) {
        Held one = seen.get(id);
        if (one == null) return false;
        long answered = one.answered == 0 ? System.nanoTime() : one.answered;
        return answered - one.began >= life.limits.handling.toNanos() / 2;
    }

    boolean isAbandoned(long id) {
        return abandoned.contains(id);
    }

    /** Has the next call do this, on a thread of the server. */
    void order(Runnable task) {
        order.set(task);
    }

    /** From now on the server has been told to end at once. */
    void stopped() {
        stopped = true;
    }

    /** From now on nothing may be handed over. Gives every answer that is missing still. */
    void end() throws InterruptedException {
        ended = true;
        executor.shutdown();
        life.report.check(executor.awaitTermination(30, TimeUnit.SECONDS), "executor", "does not end");
        never.forEach(Runnable::run);
        never.clear();
        life.report.check(unreleased.get() == 0, "bodies", unreleased + " are not released at the end");
    }
}
