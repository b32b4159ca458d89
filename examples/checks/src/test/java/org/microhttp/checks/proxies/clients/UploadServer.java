package org.microhttp.checks.proxies.clients;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.*;
import org.microhttp.testing.InputCommands;

/**
 * Receives uploads, in a process of its own, and keeps none. {@code /whole/RUN} is hashed as it comes, and
 * the answer is the hash, the length, the framing, and the expectation if there is one; {@code /early/RUN} is
 * cancelled after 1 MiB and answered with a 413. {@code /outcome/RUN} waits until a run has ended, and says
 * how; {@code /now/RUN} does not wait. An order is answered with all runs that ended twice.
 */
final class UploadServer {

    static final String NOTHING = "nothing";
    static final String CANCELLED = "cancelled";
    static final String FAILED = "failed on the way";
    static final String CHUNKED = "chunked";
    static final String COUNTED = "counted";
    private static final long EARLY = 1 << 20;

    /** What the loop's thread knows of each run. */
    private final Map<String, CompletableFuture<String>> outcomes = new HashMap<>();
    private final List<String> twice = Collections.synchronizedList(new ArrayList<>());

    public static void main(String[] arguments) throws IOException {
        var server = new UploadServer();
        Handler handler = Handler.receiving(server::receiver, server::handle);
        var loop = new EventLoop(new Options().withPort(0), new NoopLogger(), handler);
        System.out.println(loop.getPort());
        InputCommands.answer(order -> server.twice);
        loop.start();
    }

    private static String run(Request request) {
        String path = request.path();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private CompletableFuture<String> outcome(String run) {
        return outcomes.computeIfAbsent(run, name -> new CompletableFuture<>());
    }

    private void end(String run, String how) {
        CompletableFuture<String> outcome = outcome(run);
        if (!outcome.complete(how)) twice.add(run + " " + outcome.join() + ", then " + how);
    }

    private Upload receiver(Request request) {
        boolean early = request.path().startsWith("/early/");
        boolean received = early || request.path().startsWith("/whole/");
        return received ? new Upload(request, early ? EARLY : Long.MAX_VALUE) : null;
    }

    private void handle(Request request, Upload upload, Consumer<Response> callback) {
        if (upload != null) {
            callback.accept(upload.answer());
            return;
        }
        switch (request.path().split("/")[1]) {
            case "outcome" -> outcome(run(request)).thenAccept(how -> callback.accept(text(200, how)));
            case "now" -> callback.accept(text(200, outcome(run(request)).getNow(NOTHING)));
            default -> callback.accept(text(404, "no such target"));
        }
    }

    private static Response text(int status, String text) {
        return Response.text(status, text + "\n");
    }

    /** Keeps a hash, and a length. */
    private final class Upload implements Flow.Subscriber<List<ByteBuffer>> {

        private final String run;
        private final String framing;
        private final long most;
        private final UploadContent.Hash hash = new UploadContent.Hash();
        private Flow.Subscription subscription;
        private boolean complete;

        Upload(Request request, long most) {
            run = run(request);
            String expectation = request.header("Expect");
            framing = (request.header("Content-Length") == null ? CHUNKED : COUNTED)
                    + (expectation == null ? "" : " " + expectation);
            this.most = most;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            this.subscription = subscription;
            subscription.request(1);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            buffers.forEach(hash::add);
            if (hash.length() < most) {
                subscription.request(1);
            } else {
                subscription.cancel();
            }
        }

        @Override
        public void onError(Throwable failure) {
            end(run, (hash.length() > 0 ? FAILED : "failed at once") + ": " + failure.getMessage());
        }

        @Override
        public void onComplete() {
            complete = true;
        }

        Response answer() {
            String how = hash.length() >= most ? CANCELLED : "handled incomplete";
            if (complete) how = hash + " " + framing;
            end(run, how);
            return text(complete ? 200 : 413, how);
        }
    }
}
