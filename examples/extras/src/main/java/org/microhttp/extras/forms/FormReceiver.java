package org.microhttp.extras.forms;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.routing.RequestException;

/**
 * Receives one form. The loop's thread and the subscribers of its files say what there is to do, and an
 * executor does it, one thing at a time. The next buffer is requested when the one before is parsed and the
 * subscriber of the file has taken it, so a client is as fast as the disk.
 * <p>
 * Files are closed when the form is answered, has failed or is abandoned. Unless its task is running, an
 * abandoned form ends on {@link Handler#blockingExecutor}, because its own executor may be stuck, or have
 * dropped the task. If another handler answers the form, the garbage collector has its files closed.
 */
final class FormReceiver implements Flow.Subscriber<List<ByteBuffer>>, Runnable {

    /** Where the work is. */
    private enum Work {

        /** There is nothing to do. */
        IDLE,

        /** The executor has a task that has not begun. */
        QUEUED,

        /** A task runs. */
        RUNNING,

        /** A task runs, and has to look once more for what there is to do. */
        RUNNING_AGAIN,

        /** The responder runs. */
        RESPONDING,

        /** The form is answered or abandoned. */
        OVER
    }

    /** Who wants a response to the form. */
    private record Call(Request request, FormResponder responder, Consumer<Response> callback) { }

    private static final Cleaner CLEANER = Cleaner.create();

    /** A program may make a cycle of causes. */
    private static final int MOST_CAUSES = 10;

    private final Executor executor;
    private final long maxTotal;
    private final Cleaner.Cleanable files;

    // other threads write these, and then wake it
    private volatile List<ByteBuffer> received;
    private volatile boolean complete;
    private volatile Call call;
    private volatile RejectedExecutionException rejection;
    private volatile Throwable abandonment;

    /** Guarded by this. */
    private Work work = Work.IDLE;

    // only the work uses the rest
    private MultipartParser parser;
    private FormParts parts;
    private Flow.Subscription subscription;
    private final Queue<ByteBuffer> buffers = new ArrayDeque<>();
    private long total;

    /** Whether what was requested has come. */
    private boolean taken;

    /** Whether the form is complete, or a subscriber of a file has cancelled; or why it has failed. */
    private boolean done;
    private Throwable failure;

    FormReceiver(Request request, String boundary, FormLimits limits, FileReceiver receiver,
            Executor executor) {
        this.executor = executor;
        maxTotal = limits.total();
        var open = new OpenFiles();
        files = CLEANER.register(this, open);
        parts = new FormParts(request, limits, receiver, open, this::wake);
        parser = new MultipartParser(boundary, limits.head(), parts);
        request.onAbandoned(() -> onError(new CancellationException("no client waits any more")));
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> next) {
        received = next;
        wake();
    }

    @Override
    public void onComplete() {
        complete = true;
        wake();
    }

    /** Answers a form that is complete by a responder, which the executor runs, and any other by itself. */
    void answer(Request request, FormResponder responder, Consumer<Response> callback) {
        call = new Call(request, responder, callback);
        if (!wake()) {
            refuse(takeCall());
        }
    }

    /** The client has gone, or was too slow. */
    @Override
    public void onError(Throwable cause) {
        synchronized (this) {
            if (work == Work.OVER || abandonment != null) {
                return;
            }
            abandonment = cause;
            if (work == Work.RUNNING || work == Work.RUNNING_AGAIN) {
                work = Work.RUNNING_AGAIN;
                return;
            }
            work = Work.OVER;
        }
        Handler.blockingExecutor().execute(this::abandon);
    }

    /** Has the executor look what there is to do; returns false if the form is over. */
    private boolean wake() {
        synchronized (this) {
            if (work == Work.RUNNING) {
                work = Work.RUNNING_AGAIN;
            }
            if (work != Work.IDLE) {
                return work != Work.OVER;
            }
            work = Work.QUEUED;
        }
        try {
            executor.execute(this);
        } catch (RejectedExecutionException e) {
            rejection = e;
            Handler.blockingExecutor().execute(this);
        }
        return true;
    }

    @Override
    public void run() {
        if (!enter(Work.QUEUED, Work.RUNNING)) {
            return;
        }
        do {
            step();
        } while (!enter(Work.RUNNING, Work.IDLE) && enter(Work.RUNNING_AGAIN, Work.RUNNING));
    }

    private synchronized boolean enter(Work from, Work to) {
        if (work != from) {
            return false;
        }
        work = to;
        return true;
    }

    private void step() {
        if (abandonment != null) {
            enter(Work.RUNNING, Work.OVER);
            enter(Work.RUNNING_AGAIN, Work.OVER);
            abandon();
            return;
        }
        try {
            if (failure == null && rejection != null) {
                throw rejection;
            }
            if (failure == null && !done) {
                parse();
            }
        } catch (Throwable t) {
            // whatever it is, the client is not to wait
            fail(t);
        }
        if (call != null && (failure != null || done)) {
            respond();
        }
    }

    /** Parses what has come, as far as the subscriber of the file takes it. */
    private void parse() throws IOException {
        while (parts.flush()) {
            if (parts.isCancelled()) {
                subscription.cancel();
                done = true;
                return;
            }
            // read first, because the last bytes come before it
            boolean last = complete;
            ByteBuffer bytes = next();
            if (bytes == null) {
                if (last) {
                    parser.end();
                    done = true;
                } else if (taken) {
                    taken = false;
                    subscription.request(1);
                }
                return;
            }
            parser.parseNext(bytes);
        }
    }

    /** Returns a buffer with bytes; null if there is none. */
    private ByteBuffer next() {
        while (true) {
            while (!buffers.isEmpty() && !buffers.peek().hasRemaining()) {
                buffers.remove();
            }
            List<ByteBuffer> more = received;
            if (!buffers.isEmpty() || more == null) {
                return buffers.peek();
            }
            received = null;
            taken = true;
            buffers.addAll(more);
            total += more.stream().mapToLong(ByteBuffer::remaining).sum();
            FormRefusal.limit(total <= maxTotal, "a form", maxTotal, "bytes");
        }
    }

    /** Refuses the form. */
    private void fail(Throwable cause) {
        failure = cause instanceof RequestException refused
                ? new RequestException(refused.status(), refused.getMessage() + parts.where()) : cause;
        subscription.cancel();
        parts.fail(failure);
        files.clean();
    }

    private void respond() {
        Form form = failure == null ? parts.form() : null;
        synchronized (this) {
            if (abandonment != null) {
                return;
            }
            work = Work.RESPONDING;
        }
        Call taken = takeCall();
        Response response = failure == null ? respond(taken, form) : Response.failed(failure);
        files.clean();
        enter(Work.RESPONDING, Work.OVER);
        try {
            taken.callback.accept(response);
        } catch (Throwable t) {
            // that of a handler around this one
            taken.callback.accept(Response.failed(t));
        }
    }

    private Response respond(Call taken, Form form) {
        try {
            return taken.responder.respond(taken.request, form);
        } catch (Throwable t) {
            // where nobody waits any more its files are deleted: a cancellation is not logged as a failure
            boolean deleted = abandonment != null && isOfMissingFile(t);
            return Response.failed(deleted ? new CancellationException("" + t) : t);
        }
    }

    /** Says whether a file was missing, for java.nio or java.io, also if the program has wrapped that. */
    private static boolean isOfMissingFile(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES)
                .anyMatch(cause -> cause instanceof NoSuchFileException
                        || cause instanceof FileNotFoundException);
    }

    /** Ends a form that nobody waits for. A task that the executor still has is empty from now on. */
    private void abandon() {
        parts.fail(abandonment);
        files.clean();
        parts = null;
        parser = null;
        received = null;
        buffers.clear();
        refuse(takeCall());
    }

    private synchronized Call takeCall() {
        Call taken = call;
        call = null;
        return taken;
    }

    /** Responds to a request that is over, so that its place is free; it may be null. */
    private static void refuse(Call waiting) {
        if (waiting != null) {
            waiting.callback.accept(Response.failed(new CancellationException("the form is over")));
        }
    }
}
