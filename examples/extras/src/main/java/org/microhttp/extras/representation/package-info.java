/**
 * Decides the response to a request for content, wherever the content is stored. Begin with {@link
 * org.microhttp.extras.representation.Outcome}: for a request and a {@link
 * org.microhttp.extras.representation.Resource} with its {@link
 * org.microhttp.extras.representation.Variant}s, it says what is sent, and with which fields.
 * <pre>{@code
 * import java.util.*;
 * import org.microhttp.*;
 * import org.microhttp.extras.representation.*;
 *
 * public class Page {
 *     public static void main(String[] args) throws Exception {
 *         byte[] page = "hello\n".getBytes();
 *         var resource = new Resource("text/plain", null, "max-age=60",
 *                 List.of(new Variant(Coding.IDENTITY, page.length, "\"version 1\"")));
 *         new EventLoop(new Options().withPort(8080), (request, callback) -> {
 *             Outcome sent = Outcome.of(request, resource);
 *             int first = (int) sent.first();
 *             byte[] part = Arrays.copyOfRange(page, first, first + (int) sent.length());
 *             callback.accept(new Response(sent.status(), sent.reason(), sent.fields(resource), part));
 *         }).start(); } }
 * }</pre>
 * <b>Limits.</b> One range at a time: if a request has several, the whole content is sent. The decision is
 * for GET and HEAD; the program checks the method. Codings are gzip, brotli and zstd; nothing is compressed
 * here.
 * <p>
 * <b>Refused.</b> A client that accepts no variant gets a 406, one whose condition fails a 412, and a range
 * after the end a 416. Malformed fields are ignored, but a malformed If-Match gets a 412, and a malformed
 * If-Range all of the content.
 * <ul>
 * <li>the request: {@code RequestFields} finds its fields, {@code Negotiation} chooses a variant,
 *     {@code Preconditions} and {@code EntityTags} have the conditions, {@code ByteRange} the range,
 *     {@link org.microhttp.extras.representation.HttpDate} dates</li>
 * <li>types and codings of content: {@link org.microhttp.extras.representation.Coding} and {@link
 *     org.microhttp.extras.representation.MediaTypes}, with {@code MimeTypesFile}</li>
 * <li>responses without the content: {@link org.microhttp.extras.representation.PlainAnswers}, with the
 *     phrases of {@link org.microhttp.extras.representation.Reason}</li>
 * <li>what caches need: {@link org.microhttp.extras.representation.Vary}; and for downloads {@link
 *     org.microhttp.extras.representation.ContentDisposition}</li>
 * <li>paths and names: {@link org.microhttp.extras.representation.UrlDecoding} decodes them, {@link
 *     org.microhttp.extras.representation.TargetPath} is the path of a target, and {@link
 *     org.microhttp.extras.representation.PathPattern} matches paths</li>
 * </ul>
 * Nothing is kept between two requests, and all types are safe for all threads.
 */
package org.microhttp.extras.representation;
