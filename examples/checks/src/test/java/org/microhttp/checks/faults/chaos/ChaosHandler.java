package org.microhttp.checks.faults.chaos;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;

/** The handler of one server, which does with each request what that asks for: {@link ChaosAnswer}. */
final class ChaosHandler implements Handler {

    private final ChaosLedger ledger;
    private final ChaosServer server;
    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(4);
    private final AtomicReference<Runnable> order = new AtomicReference<>();
    private final Queue<Runnable> never = new ConcurrentLinkedQueue<>();
    private final AtomicInteger afterStop = new AtomicInteger();
    private final ChaosHands hands;
    private final ChaosApi api;
    private volatile boolean stopped;
    private volatile boolean ended;

    ChaosHandler(ChaosLedger ledger, ChaosServer server, ChaosHands hands, ChaosApi api) {
        this.ledger = ledger;
        this.server = server;
        this.hands = hands;
        this.api = api;
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        ChaosRequest asked = ChaosRequest.of(request.target());
        ledger.check(asked.hasBody(request.body()), "request body", "wrong in " + asked);
        ledger.check(!ended, "handler after the end", "called with " + asked);
        ChaosHands.Held held = hands.take(asked, server.occupancy.now());
        if (stopped) {
            // each loop may just have been about to call
            int count = afterStop.incrementAndGet();
            ledger.check(count <= server.loops, "serves on after stop()", count + " requests");
        }
        Runnable ordered = order.getAndSet(null);
        if (ordered != null) {
            ordered.run();
        }
        api.listen(request, asked.id());
        carryOut(held, request, callback);
    }

    private void carryOut(ChaosHands.Held held, Request request, Consumer<Response> callback) {
        Runnable answer = () -> answer(held, callback, held.request.response(api));
        Runnable failed = () -> answer(held, callback, Response.failed(new IOException("on purpose")));
        Runnable nothing = () -> answer(held, callback, null);
        int millis = held.request.millis();
        switch (held.request.answer()) {
            case INLINE, CLOSE -> answer.run();
            case ELSEWHERE -> executor.execute(answer);
            case LATE, EDGE -> executor.schedule(answer, millis, TimeUnit.MILLISECONDS);
            case COPY -> answer(held, callback, held.request.copiedResponse(api));
            case INSTEAD -> run(() -> held.request.copiedResponse(api).release(), answer);
            case NEVER -> never.add(() -> endNever(held, answer));
            case FAILED -> failed.run();
            case FAILED_LATE -> executor.schedule(failed, millis, TimeUnit.MILLISECONDS);
            case TWICE -> run(answer, nothing);
            case TWICE_ELSEWHERE -> run(() -> executor.execute(answer), () -> executor.execute(answer));
            case NULL -> nothing.run();
            case NULL_LATE -> executor.schedule(nothing, millis, TimeUnit.MILLISECONDS);
            case THROW, ERROR -> fail(held);
            case THROW_AFTER -> run(answer, () -> fail(held));
            case ELSEWHERE_THEN_THROW ->
                run(() -> CompletableFuture.runAsync(answer, executor).join(), () -> fail(held));
            case BLOCK -> run(() -> LockSupport.parkNanos(millis * 1_000_000L), answer);
            case INTERRUPT -> run(Thread.currentThread()::interrupt, answer);
            case BLOCKING, BLOCKING_THROW -> {
                held.await(request);
                Handler.blocking(executor, r -> respond(held)).handle(request, callback);
            }
        }
    }

    /** When the server has ended, which was to be noticed. */
    private void endNever(ChaosHands.Held held, Runnable answer) {
        ledger.check(api.isAbandoned(held.request.id()), "abandoned", "not told of " + held.request);
        answer.run();
    }

    private static void run(Runnable first, Runnable second) {
        first.run();
        second.run();
    }

    /** Calls back, which must not throw. The request is out of our hands before: another may come at once. */
    private void answer(ChaosHands.Held held, Consumer<Response> callback, Response response) {
        hands.release(held);
        try {
            callback.accept(response);
        } catch (Throwable t) {
            ledger.violation("callback", "throws " + t);
        }
        held.answered();
    }

    private Response respond(ChaosHands.Held held) {
        held.begin();
        if (held.request.answer() == ChaosAnswer.BLOCKING_THROW) {
            fail(held);
        }
        hands.release(held);
        held.answered();
        return held.request.response(api);
    }

    private void fail(ChaosHands.Held held) {
        hands.release(held);
        held.answered();
        if (held.request.answer() == ChaosAnswer.ERROR) {
            throw new StackOverflowError("on purpose");
        }
        throw new IllegalStateException("on purpose");
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
        ledger.check(executor.awaitTermination(30, TimeUnit.SECONDS), "executor", "does not end");
        never.forEach(Runnable::run);
        never.clear();
        api.end();
    }
}
