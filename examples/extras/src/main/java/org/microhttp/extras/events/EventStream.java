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
 * Sends events to all clients that listen. Any thread may call {@link #publish}, which does not wait for
 * clients, and takes longer the more clients listen. A handler responds to a client with {@link #response};
 * the response continues until the client disconnects or the stream is closed.
 * <p>
 * A client that connects gets the kept events, see {@link EventLimits}. A client that reconnects names its
 * last event in {@code Last-Event-ID}, and gets the events after that. If that event is no longer kept, the
 * client gets all kept events: some may be missing, and others come twice. To show only new events, set
 * {@code replayEvents} to 0.
 * <p>
 * The id of an event without one is its number in the stream, from 1 on. If clients must miss nothing when a
 * process is replaced, give events your own ids.
 * <p>
 * A client that does not read as fast as events come is disconnected when more waits for it than {@link
 * EventLimits} allow. A browser connects again, and continues after its last event. At each heartbeat a
 * client for which nothing else is unsent gets a comment: so proxies do not close the connection, and the
 * server notices that a client has gone.
 * <p>
 * When as many clients listen as {@link EventLimits} allow, others get a 503 with {@code Retry-After}. After
 * that a browser does not connect again by itself: its page must make a new {@code EventSource}.
 * <p>
 * Safe for any number of loops.
 */
public final class EventStream implements AutoCloseable {

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    /** No cache stores events, and nginx does not delay them until its buffer is full. */
    private static final List<Header> FIELDS = List.of(new Header("Content-Type", "text/event-stream"),
            new Header("Cache-Control", "no-store"), new Header("X-Accel-Buffering", "no"));

    private static final Response TOO_MANY = Response.text(503, "too many clients listen\n")
            .withHeader("Cache-Control", "no-store").withHeader("Retry-After", "10");

    private final EventLimits limits;
    private final ByteBuffer comment = EventText.comment();
    /** The clients that listen; each is signalled under the lock of this stream. */
    final Set<Listener> listeners = new HashSet<>();
    private final ScheduledExecutorService timer;

    /** The first event to replay, and the empty entry for the next event. */
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
     * @param heartbeat the time between comments, 1 ms or more; make it shorter than the server's {@code
     *                  streamTimeout} and the idle timeouts of proxies
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
     * Makes the response for a client that listens. Its body is the stream of events, beginning with those
     * that the client missed. After {@link #close} the body is empty. Each response is for one request. Any
     * thread may call this.
     *
     * @param request a GET; a HEAD gets only the fields
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

    /** {@return the entry after the one with this id; the oldest if no kept event has it} */
    private Entry after(String id) {
        for (Entry entry = oldest; id != null && entry != newest; entry = entry.next) {
            if (entry.id.equals(id)) {
                return entry.next;
            }
        }
        return oldest;
    }

    /**
     * Sends an event to all clients, and keeps it for later clients. Clients get events in the order in which
     * they are published. After {@link #close} this does nothing.
     *
     * @param event the event
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
                // the client connects again, and names its last event
                listener.fail(new CancellationException("a client does not read as fast as events come"));
            }
        }
    }

    private synchronized void beat() {
        try {
            new ArrayList<>(listeners).forEach(listener -> listener.beat(comment));
        } catch (OutOfMemoryError e) {
            // the error would end the timer; the next heartbeat tries again
            return;
        }
    }

    /** Handles a request for more events. */
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
     * Ends the responses of all clients, after the events that the server has already; responses to later
     * clients end at once. Browsers connect again. Does not block, and any thread may call it; a second call
     * does nothing. A graceful stop waits for open streams until its grace period is over, so end them when
     * it begins:
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
