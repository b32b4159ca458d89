/**
 * Readiness, metrics and the graceful stop of a server: {@link org.microhttp.extras.metrics.ServerMonitor}
 * answers balancers and Prometheus, and stops the server after balancers have noticed.
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
 * service on Kubernetes</a> has this example with all that a pod needs.
 * <p>
 * <b>Limits.</b> Counters are those of one server, and start at 0 with each process. Ready means that the
 * loop runs and that the server is not about to stop; databases are not checked. For metrics of your own, use
 * a metrics library: {@link org.microhttp.Stats#numbers} gives it those of the server.
 * <p>
 * <b>Refused.</b> A second server, and times out of their range. The monitor does not check who may see its
 * responses: do so in the handler, or use another port.
 * <p>
 * <b>Inside.</b> {@code PrometheusText} writes the text format 0.0.4.
 */
package org.microhttp.extras.metrics;
