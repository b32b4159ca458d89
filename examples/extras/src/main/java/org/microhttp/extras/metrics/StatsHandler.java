package org.microhttp.extras.metrics;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.Stats;

/**
 * Answers at one path with what a server has counted, as Prometheus reads it, and hands all other requests
 * on. Made anew for each request, of a snapshot. The server is made with its handler, so the handler learns
 * of the server after that:
 * <pre>{@code
 *   var counted = new StatsHandler("/metrics", handler);
 *   var server = new EventLoop(options, counted);
 *   counted.show(server::stats);
 *   server.start();
 * }</pre>
 */
public final class StatsHandler implements Handler {

    private static final Header TYPE = new Header("Content-Type", PrometheusText.MEDIA_TYPE);

    /** RFC 9110 §15.5.6 */
    private static final Response NOT_ALLOWED = new Response(405, "Method Not Allowed",
            List.of(new Header("Allow", "GET, HEAD")), new byte[0]);

    private static final Response NOT_YET = Response.text(503, "the numbers are not there yet\n");

    private final String path;
    private final Handler next;

    /** Null before there is a server. */
    private volatile Supplier<Stats> stats;

    /**
     * Makes one that answers with a 503 until {@link #show} is called.
     *
     * @param path as {@code /metrics}, compared as sent
     * @param next gets the requests for other paths
     */
    public StatsHandler(String path, Handler next) {
        this.path = path;
        this.next = next;
    }

    /**
     * Sets what is shown from now on; from any thread.
     *
     * @param source as {@code server::stats}; asked on the loop's thread at each request for the path
     */
    public void show(Supplier<Stats> source) {
        stats = Objects.requireNonNull(source, "source");
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return next.receiver(request);
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        if (!request.path().equals(path)) {
            next.handle(request, callback);
        } else if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            callback.accept(NOT_ALLOWED);
        } else if (stats == null) {
            callback.accept(NOT_YET);
        } else {
            byte[] text = text(stats.get()).getBytes(StandardCharsets.UTF_8);
            callback.accept(new Response(200, "OK", List.of(TYPE), text));
        }
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
