package org.microhttp.extras.forms;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Receives one form. The loop's thread calls it, and an executor parses and writes, one buffer after the
 * other; the next is requested when the one before is written, so a client is as fast as the disk.
 */
final class FormReceiver implements Flow.Subscriber<List<ByteBuffer>> {

    private final FormParts parts;
    private final Executor executor;
    private final long maxTotal;

    /** Null if the form is refused before it is read. */
    private final MultipartParser parser;
    private Flow.Subscription subscription;
    private long total;

    /** All that is done to the form, one after the other. */
    private CompletableFuture<Void> work;

    /** @param parser gives to the parts */
    FormReceiver(MultipartParser parser, FormParts parts, Executor executor, long maxTotal) {
        this.parser = parser;
        this.parts = parts;
        this.executor = executor;
        this.maxTotal = maxTotal;
        work = CompletableFuture.completedFuture(null);
    }

    /** Makes one that receives nothing. */
    FormReceiver(FormException refusal, FormParts parts, Executor executor) {
        this(null, parts, executor, 0);
        work = CompletableFuture.failedFuture(refusal);
    }

    private interface Step { void run() throws IOException, FormException; }

    /** Has something done after all before it. If that fails, nothing more is received. */
    private void then(Step step) {
        work = work.thenRunAsync(() -> {
            try {
                step.run();
            } catch (Throwable t) {
                // whatever it is, the client is not to wait
                subscription.cancel();
                throw new CompletionException(t);
            }
        }, executor);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (parser == null) {
            subscription.cancel();
        } else {
            subscription.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        then(() -> {
            for (ByteBuffer buffer : buffers) {
                total += buffer.remaining();
                FormException.limit(total <= maxTotal, "a form", maxTotal);
                parser.parse(buffer);
            }
            subscription.request(1);
        });
    }

    @Override
    public void onComplete() {
        then(parser::end);
    }

    /** The client has gone, or is too slow: nobody is answered. */
    @Override
    public void onError(Throwable cause) {
        work.whenCompleteAsync((done, failure) -> delete(), executor);
    }

    /** Answers a form that is complete by a responder, which the executor runs, and any other by itself. */
    void answer(Request request, FormResponder responder, Consumer<Response> callback) {
        work.handleAsync((done, failure) -> {
            Response response;
            try {
                response = failure == null ? responder.respond(request, parts.form()) : refusal(failure);
            } catch (Throwable t) {
                response = Response.failed(t);
            }
            delete();
            callback.accept(response);
            return null;
        }, executor);
    }

    private static Response refusal(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof FormException refused
                ? Response.text(refused.status, refused.getMessage() + "\n") : Response.failed(cause);
    }

    private void delete() {
        try {
            parts.delete();
        } catch (IOException e) {
            System.err.println("a file of a form is left: " + e.getMessage());
        }
    }
}
