/**
 * An access log that any server may take: {@link org.microhttp.extras.accesslog.AccessLogger} writes a line
 * for each exchange, in an {@link org.microhttp.extras.accesslog.AccessFormat}, to a {@link
 * org.microhttp.extras.accesslog.LogFile} for example.
 * <pre>{@code
 * import java.nio.file.Path;
 * import org.microhttp.*;
 * import org.microhttp.extras.accesslog.*;
 *
 * public class Logged {
 *     public static void main(String[] args) throws Exception {
 *         Handler handler = Handler.of(request -> Response.text(200, "hello\n"));
 *         try (var log = new AccessLogger(new LogFile(Path.of("access.log")), AccessFormat.COMBINED,
 *                 Trust.nobody())) {
 *             Options options = new Options().withPort(8080).withExchangeListener(log);
 *             new EventLoop(options, new SystemLogger(), handler).start();
 *         }
 *     }
 * }
 * }</pre>
 * <b>Limits.</b> Lines are written within some 50 ms, by one thread. Queued lines take up to 16 MiB of heap.
 * A loop never waits, so lines beyond that, or while the disk is full, are dropped and counted. A line is
 * shorter than 4,096 characters: longer values of clients are cut, a target at 1,000. Close the log after the
 * loops, or the last lines are lost.
 * <p>
 * <b>Refused.</b> Nothing that a client sends ends a value or a line: quotes, backslashes, control characters
 * and all that is not ASCII are written as numbers. {@code Forwarded} and {@code X-Forwarded-For} are
 * believed only from peers in {@link org.microhttp.extras.accesslog.Trust}, and not if they disagree.
 * <p>
 * <b>Inside.</b>
 * <ul>
 * <li>from exchange to line: {@code AccessLogger} takes the exchanges, {@code LineWriter} has the queue and
 *     the thread; {@code AccessRecord} is an exchange</li>
 * <li>the client: {@code Trust} finds it behind proxies, in the fields that {@code Forwarded} reads, with
 *     {@code Address} and {@code Network}</li>
 * </ul>
 */
package org.microhttp.extras.accesslog;
