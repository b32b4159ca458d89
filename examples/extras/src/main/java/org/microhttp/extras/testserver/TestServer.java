package org.microhttp.extras.testserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.SystemLogger;

/**
 * A server for tests of HTTP clients, on a free port of 127.0.0.1. It answers with the responses and faults
 * of its script, in their order, and records the requests:
 * <pre>{@code
 *   try (var server = TestServer.start()) {
 *       server.enqueue(Fault.reset(), Response.json(200, "[]"));
 *       var client = new CityClient(server.uri("/api"));
 *       assertEquals(List.of(), client.cities());
 *       assertEquals("/api/cities", server.takeRequest(Duration.ofSeconds(5)).target());
 *   }
 * }</pre>
 * After {@link #close} the port is closed, so new connections are refused.
 * <p>
 * The server takes 256 connections and requests of up to 16 MiB, and keeps 1,000 requests that were not
 * taken, with 64 MiB of bodies. It has no timeouts, so you can stop a client in a debugger. What a handler
 * throws is logged to the {@link System.Logger} {@code org.microhttp}. All threads are daemons. Any thread
 * may call any method; {@link #close} and {@link #takeRequest} wait, so do not call them in a handler.
 */
public final class TestServer implements AutoCloseable {

    private static final Duration NEVER = Duration.ofDays(365);
    private static final Options OPTIONS = new Options().withHost("127.0.0.1").withPort(0)
            .withProxyProtocol(true).withMaxRequestSize(16 << 20).withMaxBufferedBytes(256L << 20)
            .withSocketTimeout(NEVER).withRequestTimeout(NEVER).withHandlerTimeout(NEVER)
            .withStreamTimeout(NEVER);

    private static final AtomicInteger THREADS = new AtomicInteger();
    private static final int MAX_NOTES = 10;
    private static final int LIMIT_SECONDS = 5;

    private final RecordedRequests recorded = new RecordedRequests();
    private final Queue<Response> script = new ConcurrentLinkedQueue<>();

    /** The first requests for which the script had no response, without a handler. */
    private final List<String> unanswered = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ExecutorService threads = Executors.newCachedThreadPool(TestServer::thread);
    private final EventLoop loop;
    private final Relay relay;
    private final Handler handler;

    /** @param handler null if there is only the script */
    private TestServer(Handler handler) throws IOException {
        this.handler = handler == null ? Handler.of(this::missing) : handler;
        loop = new EventLoop(OPTIONS, new SystemLogger(), this.handler.wrappedBy(this::handle));
        try {
            relay = new Relay((InetSocketAddress) loop.getAddress(), threads);
        } catch (Throwable t) {
            loop.close();
            throw t;
        }
        threads.execute(loop::start);
        threads.execute(relay::accept);
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "test-server-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts a server with an empty script.
     *
     * @return the running server
     * @throws UncheckedIOException if no port can be bound
     */
    public static TestServer start() {
        return open(null);
    }

    /**
     * Starts a server whose requests a handler answers, such as a {@link
     * org.microhttp.extras.routing.Router}, whenever the script is empty. The handler may answer with faults.
     *
     * @param handler answers the requests
     * @return the running server
     * @throws NullPointerException if the handler is null
     * @throws UncheckedIOException if no port can be bound
     */
    public static TestServer start(Handler handler) {
        return open(Objects.requireNonNull(handler, "handler"));
    }

    private static TestServer open(Handler handler) {
        try {
            return new TestServer(handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the port, of 127.0.0.1} */
    public int getPort() {
        return relay.port();
    }

    /**
     * Returns the address of a resource.
     *
     * @param target path and query, which begin with a slash
     * @return {@code http://127.0.0.1}, the port and the target
     * @throws IllegalArgumentException if the target does not begin with a slash, or is no part of a URI
     * @throws NullPointerException     if the target is null
     */
    public URI uri(String target) {
        if (!target.startsWith("/")) {
            throw new IllegalArgumentException("target is \"" + target + "\", must begin with a slash");
        }
        return URI.create("http://127.0.0.1:" + getPort() + target);
    }

    /**
     * Adds to the end of the script. Each response answers one request, in the order in which the requests
     * are complete. A request that finds the script empty goes to the handler, or gets a 500 that says so.
     *
     * @param responses responses, or faults
     * @return this server
     * @throws IllegalStateException if the server is closed
     * @throws NullPointerException  if a response is null
     */
    public TestServer enqueue(Response... responses) {
        if (closed.get()) {
            throw new IllegalStateException("the server is closed");
        }
        script.addAll(List.of(responses));
        return this;
    }

    /**
     * Resets connections as soon as they are accepted, before a request is read. A client may see the reset
     * when it connects, writes or reads. A new number replaces an earlier one.
     *
     * @param count how many of the next connections, 0 or more
     * @return this server
     * @throws IllegalArgumentException if the number is negative
     */
    public TestServer resetConnections(int count) {
        relay.resetNext(Plan.within("count", count, Integer.MAX_VALUE));
        return this;
    }

    /**
     * Takes the next request that was handled, or waits for one. It is complete, with its body, unless a
     * handler has received the body ({@link Handler#receiving}). Two requests of one connection have the same
     * {@link Request#remoteAddress}, so a test sees whether its client keeps connections.
     *
     * @param limit how long to wait, 0 to 1 day
     * @return the request
     * @throws AssertionError           if none comes in that time
     * @throws IllegalArgumentException if the limit is out of its range
     * @throws IllegalStateException    if the request was not kept, because too many were not taken
     * @throws InterruptedException     if the waiting thread is interrupted
     * @throws NullPointerException     if the limit is null
     */
    public Request takeRequest(Duration limit) throws InterruptedException {
        return recorded.take(Fault.within("limit", limit));
    }

    /** {@return how many requests were handled so far, taken or not} */
    public int requestCount() {
        return recorded.count();
    }

    /**
     * Checks that the script was used as it was written: no response is left, each request had a response or
     * a handler, and there were never more connections than the server takes.
     *
     * @throws AssertionError if not; the message has all that is wrong
     */
    public void verify() {
        var wrong = new ArrayList<String>();
        synchronized (unanswered) {
            unanswered.forEach(request -> wrong.add("no response was left for " + request));
        }
        script.stream().limit(MAX_NOTES).forEach(response -> wrong.add("no request came for " + response));
        if (relay.excess() > 0) {
            wrong.add(relay.excess() + " connections above " + Relay.MAX_CONNECTIONS + " were reset");
        }
        if (!wrong.isEmpty()) {
            throw new AssertionError(String.join("; ", wrong));
        }
    }

    private void handle(Request request, Consumer<Response> callback) {
        recorded.add(request);
        var exchange = new RelayedExchange(relay.of(request.remoteAddress()), callback);
        Response scripted = script.poll();
        if (scripted == null) {
            exchange.handle(handler, request);
        } else {
            exchange.accept(scripted);
        }
    }

    private Response missing(Request request) {
        synchronized (unanswered) {
            if (unanswered.size() < MAX_NOTES) {
                unanswered.add(request.method() + " " + request.target());
            }
        }
        return Response.text(500, "TestServer has no response left for " + request.method() + " "
                + request.target() + ": enqueue one for each request, or start it with a handler\n");
    }

    /**
     * Closes the port and all connections, ends all threads, and releases the responses left in the script. A
     * second call does nothing.
     *
     * @throws IllegalStateException if the server has failed before, or does not end within 5 s because a
     *                               handler blocks it
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        boolean early = loop.ended().isDone();
        relay.close();
        loop.stop();
        threads.shutdown();
        for (Response response; (response = script.poll()) != null; ) {
            response.release();
        }
        if (!awaitEnd()) {
            throw new IllegalStateException("the server does not end: a handler blocks its event loop");
        }
        Throwable cause = relay.failure();
        if (cause == null && loop.ended().isDone()) {
            cause = loop.ended().handle((nothing, failure) -> failure).join();
        }
        if (early || cause != null) {
            throw new IllegalStateException("the server ended before it was closed", cause);
        }
    }

    private boolean awaitEnd() {
        try {
            return threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
