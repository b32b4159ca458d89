import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Server-sent events: a page shows what anybody has posted, as it is posted. A browser that reconnects says
 * which event it had last, and gets those that it missed. A comment each ten seconds shows proxies, and us,
 * that the connection lives. On Ctrl-C or SIGTERM the streams end first, and then the server.
 */
public final class EventsServer {

    private static final String PAGE = """
            <!doctype html><meta charset="utf-8"><title>events</title>
            <form><input name="text" autofocus><button>post</button></form><ol id="list"></ol>
            <script>
              new EventSource('/events').onmessage = event => {
                const item = document.createElement('li')
                item.value = event.lastEventId
                item.textContent = event.data
                list.append(item)
              }
              document.forms[0].onsubmit = event => {
                event.preventDefault()
                fetch('/events', {method: 'POST', body: event.target.text.value})
                event.target.reset()
              }
            </script>
            """;

    /** All listeners, and the last events. Signals are given under its lock, so each has them in order. */
    static final class Feed {

        /** How many events are kept, and how many bytes: with those of all listeners, twice as many. */
        private static final int KEPT = 1000;
        private static final int KEPT_BYTES = 4 << 20;

        private final Deque<ByteBuffer> last = new ArrayDeque<>();
        private int bytes;
        private final Set<Listener> listeners = new HashSet<>();
        private long number;
        private boolean ended;

        /** A body for somebody who has the events up to a number. */
        Body after(long known) {
            Flow.Publisher<ByteBuffer> events = subscriber -> listen(subscriber, known);
            return Body.of(events).withHeadAtOnce();
        }

        private synchronized void listen(Flow.Subscriber<? super ByteBuffer> subscriber, long known) {
            var listener = new Listener(this, subscriber);
            // a million events ago, or before this server was started: all that are kept
            long missed = known < 0 || known > number ? last.size() : Math.min(number - known, last.size());
            last.stream().skip(last.size() - missed).forEach(listener::keep);
            listeners.add(listener);
            subscriber.onSubscribe(listener);
            if (ended) {
                listener.end();
            }
        }

        synchronized void publish(String text) {
            number++;
            var lines = new StringBuilder("id: " + number + "\n");
            text.lines().forEach(line -> lines.append("data: ").append(line).append('\n'));
            // encode() would make a buffer with room for more
            byte[] octets = lines.append('\n').toString().getBytes(StandardCharsets.UTF_8);
            ByteBuffer event = ByteBuffer.wrap(octets);
            last.add(event);
            bytes += event.capacity();
            while (last.size() > KEPT || bytes > KEPT_BYTES) {
                bytes -= last.remove().capacity();
            }
            new ArrayList<>(listeners).forEach(listener -> listener.add(event));
        }

        /** A line that means nothing, for those to whom nothing else is on its way. */
        synchronized void beat() {
            ByteBuffer comment = StandardCharsets.UTF_8.encode(":\n\n");
            listeners.stream().filter(listener -> listener.waiting.isEmpty()).toList()
                    .forEach(listener -> listener.add(comment));
        }

        synchronized void end() {
            ended = true;
            new ArrayList<>(listeners).forEach(Listener::end);
        }
    }

    /** One open stream. What its client has not requested yet waits here, but no more than some. */
    static final class Listener implements Flow.Subscription {

        private static final int MOST = 2 * Feed.KEPT;
        private static final int MOST_BYTES = 2 * Feed.KEPT_BYTES;

        private final Feed feed;
        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
        private int bytes;
        private long requested;

        Listener(Feed feed, Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.feed = feed;
            this.subscriber = subscriber;
        }

        private void keep(ByteBuffer event) {
            waiting.add(event);
            bytes += event.capacity();
        }

        private void add(ByteBuffer event) {
            keep(event);
            signal();
            boolean behind = waiting.size() > MOST || bytes > MOST_BYTES;
            if (behind && feed.listeners.remove(this)) {
                // its client connects again, and says what it has
                subscriber.onError(new IOException("a client does not keep up"));
            }
        }

        private void signal() {
            while (requested > 0 && !waiting.isEmpty()) {
                requested--;
                ByteBuffer next = waiting.remove();
                bytes -= next.capacity();
                subscriber.onNext(next);
            }
        }

        private void end() {
            if (feed.listeners.remove(this)) {
                subscriber.onComplete();
            }
        }

        @Override
        public void request(long count) {
            synchronized (feed) {
                requested += count;
                signal();
            }
        }

        @Override
        public void cancel() {
            synchronized (feed) {
                feed.listeners.remove(this);
            }
        }
    }

    /** A text of empty lines takes seven times as much. */
    private static final int MAX_REQUEST = 64 << 10;

    private final Feed feed = new Feed();

    private void handle(Request request, Consumer<Response> callback) {
        boolean events = request.path().equals("/events");
        if (events && request.method().equals("POST")) {
            feed.publish(new String(request.body(), StandardCharsets.UTF_8));
            callback.accept(new Response(204, List.of(), new byte[0]));
        } else if (events) {
            var fields = List.of(new Header("Content-Type", "text/event-stream"),
                    new Header("Cache-Control", "no-store"), new Header("X-Accel-Buffering", "no"));
            callback.accept(new Response(200, fields, feed.after(known(request))));
        } else {
            callback.accept(new Response(200, List.of(new Header("Content-Type", "text/html")),
                    PAGE.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** The number of the last event that the client has had; below 0 for none. */
    private static long known(Request request) {
        String id = request.header("Last-Event-ID");
        return id == null || !id.matches("[0-9]{1,18}") ? -1 : Long.parseLong(id);
    }

    public static void main(String[] args) {
        var server = new EventsServer();
        var timer = Executors.newSingleThreadScheduledExecutor(work -> {
            var thread = new Thread(work, "heartbeat");
            thread.setDaemon(true);
            return thread;
        });
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            Options options = new Options().withPort(port).withStreamTimeout(Duration.ofMinutes(1))
                    .withMaxRequestSize(MAX_REQUEST);
            var loop = new EventLoop(options, new NoopLogger(), server::handle);
            timer.scheduleAtFixedRate(server.feed::beat, 10, 10, TimeUnit.SECONDS);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                server.feed.end();
                loop.stop(Duration.ofSeconds(5));
            }));
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("EventsServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }
}
