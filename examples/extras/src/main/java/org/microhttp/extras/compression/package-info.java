/**
 * Compresses responses while they are sent: {@link org.microhttp.extras.compression.CompressionHandler} wraps
 * another handler, and {@link org.microhttp.extras.compression.CompressionOptions} say which of its responses
 * are compressed.
 * <pre>{@code
 * import org.microhttp.*;
 * import org.microhttp.extras.compression.*;
 *
 * public class Report {
 *     public static void main(String[] args) throws Exception {
 *         String numbers = "0,1,2,3,4,5,6,7,8,9\n".repeat(10_000);
 *         Handler report = Handler.of(request -> Response.of(200, "text/csv", numbers));
 *         var options = CompressionOptions.DEFAULT.withMinSize(500).withLevel(5);
 *         new EventLoop(new Options().withPort(8080), new CompressionHandler(report, options)).start();
 *     }
 * }
 * }</pre>
 * <b>Limits.</b> By default, 256 streams are compressed at a time, by as many threads as there are
 * processors; further responses are sent as they are. The coding is gzip; for files that are compressed in
 * advance, also with brotli, use {@link org.microhttp.extras.files.FileHandler}.
 * <p>
 * <b>Refused.</b> No client is refused: a client that does not accept gzip, or sends a malformed field, gets
 * the response as it is. Options out of their ranges get an {@link IllegalArgumentException}. Responses with
 * a secret <em>and</em> a text that the client has chosen must be excluded, by {@code Cache-Control:
 * no-transform}; {@code CompressionHandler} says why.
 * <p>
 * <b>Inside.</b> {@code GzipPublisher} compresses a body, by a {@code GzipStream} for each sending.
 */
package org.microhttp.extras.compression;
