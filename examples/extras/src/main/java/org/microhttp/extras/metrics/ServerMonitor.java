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
 * Watches one server: says whether it is ready for requests, exports its statistics, and stops it so that
 * balancers notice before it refuses a connection. Make the monitor before the handler, which uses it; then
 * the monitor makes the server:
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
 * A monitor without a server is never ready, so a forgotten {@link #watch} shows at the first check. The
 * handler of another server may use the monitor, at a port that only operators reach. Safe for all threads.
 */
public final class ServerMonitor {

    private static final Header TYPE = new Header("Content-Type", PrometheusText.MEDIA_TYPE);
    private static final Response READY = answer(200, "ready");
    private static final Response NOT_READY = answer(503, "not ready");
    private static final Response NOT_YET = answer(503, "there is no server yet");
    private static final Duration LONGEST = Duration.ofDays(365);

    /** {@code ended()} is called once, because the server keeps each of its futures. */
    private record Watched(Server server, CompletableFuture<Void> end) { }

    /** Null before there is a server. */
    private volatile Watched watched;

    /** Completes, with the time in nanoseconds, at the first {@link #leave}. */
    private final CompletableFuture<Long> left = new CompletableFuture<>();

    /** Makes a server with options, such as {@code options -> new EventLoop(options, logger, handler)}. */
    @FunctionalInterface
    public interface Maker {

        /**
         * Makes a server and binds its port.
         *
         * @param options those given to {@link #watch}, with what the monitor adds
         * @return the server, not yet started
         * @throws IOException if the port cannot be bound
         */
        Server make(Options options) throws IOException;
    }

    /** Makes a monitor without a server. */
    public ServerMonitor() {
    }

    /**
     * Makes the server that is watched, and changes its options: a graceful stop calls {@link #leave} before
     * the {@code onStopping} action of the options, and {@link Stats#durations} are counted.
     *
     * @param options of the server
     * @param maker   makes the server with the options that it is given, not with the original ones
     * @return the server, as the maker has made it
     * @throws IOException           if the maker throws it; then this may be called again
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
     * Says whether the server should get requests. That it answers also shows that its loop runs; nothing
     * else is checked. Do not add checks of other services: with a failed database, all servers would be
     * unready at once.
     *
     * @return a 200; a 503 before {@link #watch}, after {@link #leave}, after a graceful stop has begun, and
     *         after the server has ended. Caches do not store the response
     */
    public Response ready() {
        Watched now = watched;
        return now == null || left.isDone() || now.end.isDone() ? NOT_READY : READY;
    }

    /**
     * Writes the statistics of the server in Prometheus' text format, version 0.0.4. Counters start at 0 with
     * each server. The statistics show how busy the service is, so restrict who can reach them.
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
     * Makes {@link #ready} answer 503 from now on, while the server serves as before. Call this yourself only
     * to take a server out of service and stop it later; {@link #stop} calls it, too.
     */
    public void leave() {
        left.complete(System.nanoTime());
    }

    /**
     * Stops the server in three steps, as Kubernetes needs it: {@link #leave}; a wait in which balancers
     * notice and all requests are served as before; {@link Server#stop(Duration)}. Call this in a shutdown
     * hook: the JVM waits for the hook, even if {@code main} has returned, and a second signal changes
     * nothing. {@link Options#withOnStopping} informs streams and WebSockets after the wait. In total, this
     * takes at most drain, grace and a second; set the supervisor's kill timeout above that.
     * <p>
     * The wait counts from the first {@link #leave}, also in a second call, and ends early if the server has
     * ended or failed. If the calling thread is interrupted, the graceful stop begins at once, and this
     * returns without waiting for its end. Do not call this on a thread of the server, whose clients would
     * all wait.
     *
     * @param drain how long requests are served as before, 0 to 365 days
     * @param grace how long pending requests may take after that, 0 to 365 days
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
            // the drain is over, or the server has failed and start() throws the cause
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return now.server.stop(grace);
    }

    /** {@return the rest of the drain in nanoseconds; called after {@link #leave}} */
    long drainLeft(Duration drain, long now) {
        return drain.toNanos() - (now - left.join());
    }

    private static void check(String name, Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + time + "; allowed: PT0S to " + LONGEST);
        }
    }

    /** A cache must not repeat an old answer (RFC 9111 §5.2.2.5). */
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
