package org.microhttp.extras.events;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.microhttp.Body;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Sends events to all clients that listen. {@link #publish} may be called by any thread, does not wait for
 * clients, and takes longer the more of them there are. A handler responds to a client with {@link
 * #response}, and the response goes on until the client leaves or the stream is closed.
 * <p>
 * A client that connects gets the events that are kept, as {@link EventLimits} say; one that reconnects, and
 * says by {@code Last-Event-ID} which of these it had last, gets those after it. If that event is not kept
 * any more, it gets all that are: some may be missing, and a client may get an event twice. To show only what
 * is new, set {@code replayEvents} to 0.
 * <p>
 * Events without an id of their own have 1, 2, 3 and so on, from 1 on in each process: if clients must miss
 * nothing when a process is replaced, give events your own ids.
 * <p>
 * A client that does not read as fast as events come is disconnected when more waits for it than
 * {@link EventLimits} allow. A browser connects again, and goes on after
 * the last event that it has. A comment after each heartbeat in which nothing else is sent keeps proxies from
 * ending the connection, and shows the server that a client has gone.
 * <p>
 * When as many clients listen as {@link EventLimits} allow, others get a 503 with {@code Retry-After}. After
 * that a browser does not connect again by itself: its page makes a new {@code EventSource}.
 * <p>
 * Safe for any number of loops.
 */
public final class EventStream implements AutoCloseable {

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    /** Without a store anywhere, and without nginx's buffer, which would keep events until it is full. */
    private static final List<Header> FIELDS = List.of(new Header("Content-Type", "text/event-stream"),
            new Header("Cache-Control", "no-store"), new Header("X-Accel-Buffering", "no"));

    private static final Response TOO_MANY = Response.text(503, "too many clients listen\n")
            .withHeader("Cache-Control", "no-store").withHeader("Retry-After", "10");

    private final EventLimits limits;
    private final ByteBuffer comment = EventText.comment();
    /** Those that listen; each is signalled under the lock of this stream. */
    final Set<Listener> listeners = new HashSet<>();
    private final ScheduledExecutorService timer;

    /** The first event that is replayed, and the place of the next one. */
    private Entry oldest = new Entry(0, 0);
    private Entry newest = oldest;
    private boolean closed;

    /** Makes a stream with the default limits, and a heartbeat each 10 s. */
    public EventStream() {
        this(EventLimits.DEFAULT, HEARTBEAT);
    }

    /**
     * Makes a stream. A daemon thread, which {@link #close} ends, sends heartbeats.
     *
     * @param limits    how much is kept for clients
     * @param heartbeat the time between comments, 1 ms or more; shorter than {@code streamTimeout} of the
     *                  server and than the idle timeouts of proxies
     * @throws IllegalArgumentException if the heartbeat is less than 1 ms
     * @throws NullPointerException     if an argument is null
     */
    public EventStream(EventLimits limits, Duration heartbeat) {
        this.limits = Objects.requireNonNull(limits, "limits");
        long millis = heartbeat.toMillis();
        if (millis < 1) {
            throw new IllegalArgumentException("heartbeat is " + heartbeat + "; allowed: 1 ms or more");
        }
        timer = Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, "event-heartbeat");
            thread.setDaemon(true);
            return thread;
        });
        timer.scheduleWithFixedDelay(this::beat, millis, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Makes the response for a client that listens. Its body is the events, from those on that the client
     * missed. After {@link #close} its body is empty. Each response is for one request.
     *
     * @param request a GET; a HEAD gets the fields alone
     * @return a 200, to which a program may add fields; a 503 if too many clients listen
     */
    public synchronized Response response(Request request) {
        if (listeners.size() >= limits.maxClients()) {
            return TOO_MANY;
        }
        String last = request.header("Last-Event-ID");
        Flow.Publisher<ByteBuffer> events = subscriber -> listen(subscriber, last);
        return new Response(200, FIELDS, Body.of(events).withHeadAtOnce());
    }

    synchronized void listen(Flow.Subscriber<? super ByteBuffer> subscriber, String last) {
        // others may have begun to listen since the response was made
        boolean ended = closed || listeners.size() >= limits.maxClients();
        var listener = new Listener(this, subscriber, ended ? null : after(last));
        if (!ended) {
            listeners.add(listener);
        }
        try {
            subscriber.onSubscribe(listener);
        } catch (Throwable t) {
            remove(listener);
            throw t;
        }
        if (ended) {
            listener.complete();
        }
    }

    /** {@return the entry after the one with an id; the oldest if there is none} */
    private Entry after(String id) {
        for (Entry entry = oldest; id != null && entry != newest; entry = entry.next) {
            if (entry.id.equals(id)) {
                return entry.next;
            }
        }
        return oldest;
    }

    /**
     * Sends an event to all clients, and keeps it for those that come later. Clients get events in the order
     * in which they are published. After {@link #close} it does nothing.
     *
     * @param event what is sent
     * @throws IllegalArgumentException if the event has more bytes than {@code queuedBytes}
     * @throws NullPointerException     if the event is null
     */
    public synchronized void publish(ServerEvent event) {
        String id = event.id() == null ? "" + (newest.events + 1) : event.id();
        ByteBuffer text = EventText.of(event, id);
        if (text.remaining() > limits.queuedBytes()) {
            throw new IllegalArgumentException("an event has " + text.remaining() + " bytes; allowed: "
                    + limits.queuedBytes());
        }
        if (closed) {
            return;
        }
        newest = newest.fill(id, text);
        while (oldest.isFurtherThan(limits.replayEvents(), limits.replayBytes(), newest)) {
            oldest = oldest.next;
        }
        for (Listener listener : new ArrayList<>(listeners)) {
            listener.signal();
            if (listener.isBehind(limits, newest) && listeners.remove(listener)) {
                // its client connects again, and says what it has
                listener.fail(new CancellationException("a client does not read as fast as events come"));
            }
        }
    }

    private synchronized void beat() {
        try {
            new ArrayList<>(listeners).forEach(listener -> listener.beat(comment));
        } catch (OutOfMemoryError e) {
            // it would end the timer; the next heartbeat tries again
            return;
        }
    }

    /** Takes a request of a client that listens. */
    synchronized void request(Listener listener, long count) {
        if (!listeners.contains(listener)) {
            return;
        }
        if (count > 0) {
            listener.take(count);
        } else {
            // rule 3.9 of Reactive Streams
            listeners.remove(listener);
            listener.fail(new IllegalArgumentException("requested " + count + "; allowed: 1 or more"));
        }
    }

    /** Removes a client that does not listen any more. */
    synchronized void remove(Listener listener) {
        listeners.remove(listener);
        listener.drop();
    }

    /**
     * Ends the responses of all clients, after the events that the server has taken for them, and those of
     * clients that come later at once. Browsers connect again. Does not wait, may be called by any thread,
     * and does nothing the second time. A graceful stop waits for open streams until its grace period is
     * over, unless they are ended:
     * <pre>{@code
     *   options.withOnStopping(events::close)
     * }</pre>
     */
    @Override
    public synchronized void close() {
        closed = true;
        timer.shutdown();
        var all = new ArrayList<>(listeners);
        listeners.clear();
        all.forEach(Listener::complete);
    }
}
