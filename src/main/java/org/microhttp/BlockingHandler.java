package org.microhttp;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The handler of {@link Handler#blocking(Executor, Responder)}: gives the executor one task for each request.
 * Any thread may use it.
 * <p>
 * A request that is abandoned while its task waits leaves the task at once, so all that the executor keeps of
 * it is an empty task. The request's place goes over to that task, so that the limit on pending requests also
 * limits the tasks. It is released when the executor runs the task.
 * <p>
 * Some executors drop tasks without a word, and nobody can ask an executor what it still has. So after each
 * {@code handlerTimeout} the place is also released if a later task has begun, for then the executor has
 * dropped this task, or at least it works; and if there is no later task, for then a next request can show
 * whether it works.
 */
final class BlockingHandler implements Handler {

    /** What the responder needs; and the head on which its failure is noted. */
    private record Call(Request request, Consumer<Response> callback, RequestHead head) { }

    /** What a task has after its request was abandoned: perhaps a place, and still the call if it has one. */
    private record Held(Place place, Call call) { }

    private final Executor executor;
    private final Responder responder;

    /** The numbers of the last task made, of the last the executor took, and of the last that has begun. */
    private final AtomicLong made = new AtomicLong(), taken = new AtomicLong(), begun = new AtomicLong();

    BlockingHandler(Executor executor, Responder responder) {
        this.executor = executor;
        this.responder = responder;
    }

    /** A task refers to its {@link Call}, then perhaps to what is {@link Held}; to nothing once it began. */
    final class Task extends AtomicReference<Object> implements Runnable, RequestHead.Listener {

        private static final long serialVersionUID = 1;
        private final long number = made.incrementAndGet();

        Task(Call call) { super(call); }

        @Override
        public void run() {
            begun.accumulateAndGet(number, Math::max);
            Object had = getAndSet(null);
            if (had instanceof Held held && held.place != null) held.place.releaseLater();
            Object call = had instanceof Held held ? held.call : had;
            if (call != null) answer((Call) call);
        }

        /** Drops the call. A wrapping handler may rely on its callback. */
        @Override
        public void onAbandoned(Exchange exchange) {
            if (!(get() instanceof Call call) || !hold(exchange, call, null)) return;
            if (call.callback != exchange) call.callback.accept(Exchange.FAILED);
        }

        /** Takes over the place of an exchange that is over, but whose call the program wants to be run. */
        void onHidden(Exchange exchange) {
            if (get() instanceof Call call) hold(exchange, call, call);
        }

        /** Takes over the place; returns false if the task has begun. */
        private boolean hold(Exchange exchange, Call before, Call after) {
            Place place = exchange.place;
            if (!compareAndSet(before, new Held(place, after))) return false;
            exchange.place = null;
            if (place != null) place.passTo(this);
            return true;
        }

        /** Says whether the executor may have dropped the task, or nothing else shows whether it has. */
        boolean isDoubtful() { return number <= begun.get() || number >= taken.get(); }
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        Exchange own = callback instanceof Exchange exchange ? exchange : null;
        RequestHead head = own == null ? request.head : own.request;
        var task = new Task(new Call(request, callback, head));
        if (!head.note(task)) {
            giveUp(own, callback);
            return;
        }
        RequestHead handled = LoopContext.handled();
        // a wrapping handler that has replaced request and callback: only this thread shows whose task it is
        if (handled != null && handled != head) handled.note((RequestHead.Listener) task::onHidden);
        executor.execute(task);
        taken.accumulateAndGet(task.number, Math::max);
    }

    /** Responds to a request that was abandoned before it came here. */
    private static void giveUp(Exchange own, Consumer<Response> callback) {
        if (own == null) {
            callback.accept(Exchange.FAILED);
        } else {
            own.releasePlaceLater();
        }
    }

    private void answer(Call call) {
        try {
            call.callback.accept(responder.respond(call.request));
        } catch (Throwable t) {
            call.head.note(t);
            call.callback.accept(Response.failed(t));
        }
    }
}
