package org.microhttp.testing;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.*;
import java.util.function.Consumer;
import org.microhttp.*;

/**
 * Holds what a test asks it to: a request for /later until the test answers it, and the loop at a request for
 * /block until the test lets it go on; does what the test wants at /run. All others are answered at once.
 */
public final class HoldingHandler implements Handler {

    /** All requests so far. */
    public final Queue<Request> requests = new ConcurrentLinkedQueue<>();

    /** The callbacks of requests for /later, in order of their arrival. */
    public final BlockingQueue<Consumer<Response>> pending = new LinkedBlockingQueue<>();

    /** Open when the loop is held. */
    public final CountDownLatch blocks = new CountDownLatch(1);

    /** To be opened by the test. */
    public final CountDownLatch released = new CountDownLatch(1);

    /** What a request for /run does before it is answered. */
    public volatile Runnable task;

    private final Handler others;

    /** Answers all others with their target. */
    public HoldingHandler() {
        this(TestServer::echoTarget);
    }

    public HoldingHandler(Handler others) {
        this.others = others;
    }

    /** What all requests so far asked for. */
    public List<String> targets() {
        return requests.stream().map(Request::target).toList();
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        requests.add(request);
        if (request.target().equals("/later")) {
            pending.add(callback);
            return;
        }
        if (request.target().equals("/run")) {
            task.run();
        }
        if (request.target().equals("/block")) {
            blocks.countDown();
            TestServer.await(released);
        }
        others.handle(request, callback);
    }
}
