/**
 * Whether a server is ready, what it has counted, and how it ends: {@link
 * org.microhttp.extras.metrics.ServerMonitor} answers balancers and Prometheus, and stops the server after
 * balancers have noticed.
 * <pre>{@code
 * public class Watched {
 *     public static void main(String[] args) throws Exception {
 *         var monitor = new ServerMonitor();
 *         Handler handler = Handler.of(request -> switch (request.path()) {
 *             case "/ready" -> monitor.ready();
 *             case "/metrics" -> monitor.metrics();
 *             default -> Response.text(200, "hello\n");
 *         });
 *         Server server = monitor.watch(new Options(), o -> new EventLoop(o, new SystemLogger(), handler));
 *         Runtime.getRuntime().addShutdownHook(new Thread(() ->
 *                 monitor.stop(Duration.ofSeconds(10), Duration.ofSeconds(15))));
 *         server.start();
 *     }
 * }
 * }</pre>
 * The page <a href="https://github.com/microhttp/microhttp/blob/main/src/site/markdown/kubernetes.md">A
 * service on Kubernetes</a> has the same with all that is around it.
 * <p>
 * <b>Limits.</b> Counters start at 0 with each process, and are those of one server. Ready says that the loop
 * turns and that the server is not about to stop; it does not look at databases. Metrics of your own need a
 * library for that: {@link org.microhttp.Stats#numbers} gives it those of the server.
 * <p>
 * <b>Refused.</b> A second server, and times out of their range. Who may see the answers is not asked: the
 * handler decides, or another port.
 * <p>
 * <b>Inside</b> {@code PrometheusText} writes the text format 0.0.4.
 */
package org.microhttp.extras.metrics;
