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
 * Receives one form. The loop's thread and the subscribers of the files wake an executor, which runs one task
 * at a time. The next buffer is requested when the one before is parsed and the subscriber of the file has
 * taken its content, so a client is as fast as the disk.
 * <p>
 * Files are closed when the form is answered, has failed or is abandoned. An abandoned form ends on {@link
 * Handler#blockingExecutor}, unless its task is running, because its own executor may be stuck, or have
 * dropped the task. If another handler answers the form, the garbage collector has its files closed.
 */
final class FormReceiver implements Flow.Subscriber<List<ByteBuffer>>, Runnable {

    /** What the executor does. */
    private enum Work {

        /** There is nothing to do. */
        IDLE,

        /** The executor has a task that has not begun. */
        QUEUED,

        /** A task runs. */
        RUNNING,

        /** A task runs, and has to look for work once more. */
        RUNNING_AGAIN,

        /** The responder runs. */
        RESPONDING,

        /** The form is answered or abandoned. */
        OVER
    }

    /** A request that waits for its response. */
    private record Call(Request request, FormResponder responder, Consumer<Response> callback) { }

    private static final Cleaner CLEANER = Cleaner.create();

    /** A program may make a cycle of causes. */
    private static final int MOST_CAUSES = 10;

    private final Executor executor;
    private final long maxTotal;
    private final Cleaner.Cleanable files;

    // other threads write these fields, and then wake the work
    private volatile List<ByteBuffer> received;
    private volatile boolean complete;
    private volatile Call call;
    private volatile RejectedExecutionException rejection;
    private volatile Throwable abandonment;

    /** Guarded by this. */
    private Work work = Work.IDLE;

    // only the work uses the fields below
    private MultipartParser parser;
    private FormParts parts;
    private Flow.Subscription subscription;
    private final Queue<ByteBuffer> buffers = new ArrayDeque<>();
    private long total;

    /** Whether the requested buffer has come. */
    private boolean taken;

    /** Whether the form is complete, or a subscriber of a file has cancelled; and why the form failed. */
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

    /** Has the executor run the responder, unless the form has failed. */
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

    /** Has the executor look for work; returns false if the form is over. */
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
            // also for an Error: the client must not wait
            fail(t);
        }
        if (call != null && (failure != null || done)) {
            respond();
        }
    }

    /** Parses what has come, as far as the subscriber of the file requests it. */
    private void parse() throws IOException {
        while (parts.flush()) {
            if (parts.isCancelled()) {
                subscription.cancel();
                done = true;
                return;
            }
            // read before next(), because the last bytes come before complete is set
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

    /** Ends the form with a failure; a refusal then names the part. */
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
            // a wrapping handler's callback has thrown
            taken.callback.accept(Response.failed(t));
        }
    }

    private Response respond(Call taken, Form form) {
        try {
            return taken.responder.respond(taken.request, form);
        } catch (Throwable t) {
            // the files of an abandoned form are deleted; a cancellation is not logged as a failure
            boolean deleted = abandonment != null && isOfMissingFile(t);
            return Response.failed(deleted ? new CancellationException("" + t) : t);
        }
    }

    /** Says whether a file was missing, for java.nio or java.io, also if the exception is wrapped. */
    private static boolean isOfMissingFile(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES)
                .anyMatch(cause -> cause instanceof NoSuchFileException
                        || cause instanceof FileNotFoundException);
    }

    /** Ends an abandoned form. A task that the executor still has then does nothing. */
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

    /** Responds to a request that is over, if there is one, so that it is not pending any more. */
    private static void refuse(Call waiting) {
        if (waiting != null) {
            waiting.callback.accept(Response.failed(new CancellationException("the form is over")));
        }
    }
}
