package org.microhttp.extras.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.microhttp.Header;
import org.microhttp.Options;
import org.microhttp.Response;
import org.microhttp.Server;
import org.microhttp.Stats;

/**
 * Watches one server: says whether it is ready for requests, and what it has counted, and stops it so that
 * balancers notice before it refuses a connection. The monitor is made before the handler, which uses it, and
 * makes the server:
 * <pre>{@code
 *   var monitor = new ServerMonitor();
 *   Handler handler = new Router()
 *           .on("GET", "/ready", request -> monitor.ready())
 *           .on("GET", "/metrics", request -> monitor.metrics());
 *   Server server = monitor.watch(new Options(), options -> new EventLoop(options, logger, handler));
 *   Runtime.getRuntime().addShutdownHook(new Thread(() ->
 *           monitor.stop(Duration.ofSeconds(10), Duration.ofSeconds(15))));
 *   server.start();
 * }</pre>
 * A monitor without a server is never ready, so a forgotten {@link #watch} shows at the first check. Another
 * server may answer for this one, at a port that only operators reach. Safe for all threads.
 */
public final class ServerMonitor {

    private static final Header TYPE = new Header("Content-Type", PrometheusText.MEDIA_TYPE);
    private static final Response READY = answer(200, "ready");
    private static final Response NOT_READY = answer(503, "not ready");
    private static final Response NOT_YET = answer(503, "there is no server yet");
    private static final Duration LONGEST = Duration.ofDays(365);

    /** The end is asked for once, because each future of it stays with the server. */
    private record Watched(Server server, CompletableFuture<Void> end) { }

    /** Null before there is a server. */
    private volatile Watched watched;

    /** Completes, with the time, when the server is to get no more requests. */
    private final CompletableFuture<Long> left = new CompletableFuture<>();

    /** Makes a server of options, such as {@code options -> new EventLoop(options, logger, handler)}. */
    @FunctionalInterface
    public interface Maker {

        /**
         * Makes a server and binds its port.
         *
         * @param options those given to {@link #watch}, with what the monitor adds
         * @return the server, which is not started
         * @throws IOException if the port cannot be bound
         */
        Server make(Options options) throws IOException;
    }

    /** Makes a monitor without a server. */
    public ServerMonitor() {
    }

    /**
     * Makes the server that is watched. Adds to its options that {@link #leave} is called when a graceful
     * stop begins, before the action of the options, and that {@link Stats#durations} are counted.
     *
     * @param options of the server
     * @param maker   makes the server of the options that it is given, not of those before
     * @return the server, as the maker has made it
     * @throws IOException           if the maker throws it; then another server may be watched
     * @throws IllegalStateException if there is a server already
     * @throws NullPointerException  if an argument is null, or the maker returns null
     */
    public synchronized Server watch(Options options, Maker maker) throws IOException {
        if (watched != null) {
            throw new IllegalStateException("a monitor watches one server");
        }
        Server server = maker.make(prepare(options));
        watched = new Watched(server, server.ended());
        return server;
    }

    private Options prepare(Options options) {
        Runnable action = Objects.requireNonNullElse(options.onStopping(), () -> { });
        Options prepared = options.withOnStopping(() -> {
            leave();
            action.run();
        });
        boolean counts = options.exchangeListener() != null;
        return counts ? prepared : prepared.withExchangeListener(exchange -> { });
    }

    /**
     * Says whether the server is to get requests. Nothing is looked at, so the answer also shows that the
     * loop turns. What the service depends on does not belong here: with a failed database, all servers would
     * be unready at once.
     *
     * @return a 200; a 503 before {@link #watch}, after {@link #leave}, after a graceful stop has begun, and
     *         after the server has ended. Caches do not store it
     */
    public Response ready() {
        Watched now = watched;
        return now == null || left.isDone() || now.end.isDone() ? NOT_READY : READY;
    }

    /**
     * Writes what the server has counted, in Prometheus' text format, version 0.0.4. Counters start at 0 with
     * each server. It tells how busy the service is: whoever may not know that must not reach it.
     *
     * @return a 200 with some 6 KB; a 503 before {@link #watch}
     */
    public Response metrics() {
        Watched now = watched;
        if (now == null) {
            return NOT_YET;
        }
        byte[] text = text(now.server.stats()).getBytes(StandardCharsets.UTF_8);
        return new Response(200, List.of(TYPE), text);
    }

    /**
     * Makes {@link #ready} answer 503 from now on, while the server serves as before. Call it alone only to
     * take a server out of service and stop it later; {@link #stop} does it, too.
     */
    public void leave() {
        left.complete(System.nanoTime());
    }

    /**
     * Ends the server in three steps, as for a pod that is deleted: {@link #leave}; wait while balancers
     * notice and all requests are served as before; {@link Server#stop(Duration)}. Call it in a shutdown
     * hook: the JVM waits for that, even if {@code main} has returned, and a second signal changes nothing.
     * Streams and WebSockets are told by {@link Options#withOnStopping}, after the wait. It takes at most
     * drain, grace and a second together; the supervisor must wait longer before it kills the process.
     * <p>
     * The wait begins at the first {@link #leave}, also for a second call, and is over when the server has
     * ended, or has failed. If the calling thread is interrupted, the graceful stop begins at once, and this
     * returns without waiting for its end. On a thread of the server this would block all its clients.
     *
     * @param drain how long requests are served as before, 0 to 365 days
     * @param grace how long those that are there then may take, 0 to 365 days
     * @return how many requests were dropped, see {@link Server#stop(Duration)}; 0 before {@link #watch}
     * @throws IllegalArgumentException if a time is out of its range; then nothing has happened
     */
    public int stop(Duration drain, Duration grace) {
        check("drain", drain);
        check("grace", grace);
        leave();
        Watched now = watched;
        if (now == null) {
            return 0;
        }
        try {
            now.end.get(drainLeft(drain, System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // balancers had their time, or start() throws what has failed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return now.server.stop(grace);
    }

    /** {@return how long the server still serves as before, in nanoseconds, after it has left} */
    long drainLeft(Duration drain, long now) {
        return drain.toNanos() - (now - left.join());
    }

    private static void check(String name, Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + time + "; allowed: PT0S to " + LONGEST);
        }
    }

    /** A cache in between would tell of yesterday (RFC 9111 §5.2.2.5). */
    private static Response answer(int status, String text) {
        return Response.text(status, text + "\n").withHeader("Cache-Control", "no-store");
    }

    /** {@return a snapshot in Prometheus' text format} */
    static String text(Stats stats) {
        Map<String, Long> responses = new TreeMap<>();
        stats.responses().forEach((digit, count) -> responses.put(digit + "xx", count));
        return new PrometheusText("microhttp_")
                .gauge("connections", "Connections that are open now.", stats.connections())
                .counter("connections_accepted", "Connections accepted.", stats.accepted())
                .counter("connections_closed", "Connections closed.", stats.closed())
                .counter("requests", "Requests, served or refused.", "outcome",
                        new TreeMap<>(Map.of("served", stats.served(), "refused", stats.refused())))
                .counter("upgrades", "Connections that switched to another protocol.", stats.upgrades())
                .counter("responses", "Responses, refusals too, by class of status.", "class", responses)
                .histogram("response_duration_seconds", "From a request to the end of its response.",
                        stats.durations(), stats.totalDuration())
                .counter("received_bytes", "Bytes read from sockets.", stats.bytesIn())
                .counter("sent_bytes", "Bytes written to sockets.", stats.bytesOut())
                .counter("timeouts", "Deadlines that passed.", stats.timeouts())
                .counter("refusals", "Requests refused, by code.", "code", stats.refusals())
                .gauge("longest_turn_seconds", "Longest time between two looks at the sockets.",
                        stats.longestTurn())
                .toString();
    }
}
