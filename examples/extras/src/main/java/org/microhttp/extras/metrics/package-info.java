/**
 * Whether a server is ready, and what it has counted: {@link org.microhttp.extras.metrics.HealthHandler}
 * tells balancers whether to send more, and {@link org.microhttp.extras.metrics.StatsHandler} tells
 * Prometheus what was counted.
 * <pre>{@code
 * import org.microhttp.*;
 * import org.microhttp.extras.metrics.*;
 *
 * public class Watched {
 *     public static void main(String[] args) throws Exception {
 *         Handler handler = Handler.of(request -> Response.text(200, "hello\n"));
 *         var counted = new StatsHandler("/metrics", handler);
 *         var watched = new HealthHandler("/health", counted);
 *         var group = new EventLoopGroup(new Options().withPort(8080), new SystemLogger(), watched);
 *         counted.show(group::stats);
 *         group.start();
 *     }
 * }
 * }</pre>
 * <b>Limits.</b> Counters start at 0 with each process, and are those of one server. Health says that the
 * loop turns and that nobody has called {@code leave}; it does not look at databases.
 * <p>
 * <b>Refused.</b> At these paths, methods other than GET and HEAD get a 405. Nothing asks who may see them:
 * put a check before them, or another port, if clients must not.
 * <p>
 * <b>Inside</b> {@code PrometheusText} writes the text format 0.0.4.
 */
package org.microhttp.extras.metrics;
