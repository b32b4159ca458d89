package org.microhttp;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The handler of {@link Handler#blocking(Executor, Responder)}: gives the executor one task for each request.
 * Any thread may use it.
 * <p>
 * If a request is abandoned while its task waits, the task drops it at once, so the executor keeps only an
 * empty task. The request's place goes over to that task, so that the limit on pending requests also limits
 * the tasks. The place is released when the executor runs the task.
 * <p>
 * Some executors drop tasks silently, and no executor says which tasks it still has. So after each
 * {@code handlerTimeout} the place is also released in two cases: if a later task has begun, because then the
 * executor has dropped this task, or at least works; and if there is no later task, because then only a next
 * request can show whether the executor works.
 */
final class BlockingHandler {

    /** What the responder needs, and where its failure is noted. */
    private record Call(Request request, Consumer<Response> callback, Abandonment abandonment) { }

    private final Executor executor;
    private final Responder responder;

    /** The numbers of the last task made, of the last the executor took, and of the last that has begun. */
    private final AtomicLong made = new AtomicLong(), taken = new AtomicLong(), begun = new AtomicLong();

    BlockingHandler(Executor executor, Responder responder) {
        this.executor = executor;
        this.responder = responder;
    }

    /**
     * A task refers to its {@link Call}; once its request is abandoned, to the request's {@link Place} if it
     * had one; and to nothing once the task has begun.
     */
    private final class Task extends AtomicReference<Object>
            implements Runnable, Place.Holder, PendingRequest.Listener {

        private static final long serialVersionUID = 1;
        private final long number = made.incrementAndGet();

        Task(Call call) { super(call); }

        @Override
        public void run() {
            begun.accumulateAndGet(number, Math::max);
            Object had = getAndSet(null);
            if (had instanceof Place place) place.releaseLater();
            if (had instanceof Call call) answer(call);
        }

        /**
         * Drops the call, and takes over the place. A wrapping handler's callback is called, because the
         * handler may rely on that.
         */
        @Override
        public void onAbandoned(PendingRequest abandoned) {
            Place place = abandoned.place;
            if (!(get() instanceof Call call) || !compareAndSet(call, place)) return;
            abandoned.place = null;
            if (place != null) place.passTo(this);
            if (call.callback != abandoned) call.callback.accept(Response.FAILED);
        }

        /** The executor may have dropped the task, or no later task can show whether it has. */
        @Override
        public boolean giveUp() { return number <= begun.get() || number >= taken.get(); }
    }

    /** As {@link Handler#handle}. */
    void handle(Request request, Consumer<Response> callback) {
        PendingRequest own = callback instanceof PendingRequest pending ? pending : null;
        Abandonment abandonment = own == null ? request.abandonment : own.abandonment;
        var task = new Task(new Call(request, callback, abandonment));
        if (!abandonment.note(task)) {
            skip(own, callback);
            return;
        }
        executor.execute(task);
        taken.accumulateAndGet(task.number, Math::max);
    }

    /** Responds to a request that was abandoned before it came here. */
    private static void skip(PendingRequest own, Consumer<Response> callback) {
        if (own == null) {
            callback.accept(Response.FAILED);
        } else {
            own.releasePlaceLater();
        }
    }

    private void answer(Call call) {
        try {
            call.callback.accept(responder.respond(call.request));
        } catch (Throwable t) {
            call.abandonment.note(t);
            call.callback.accept(Response.failed(t));
        }
    }
}
