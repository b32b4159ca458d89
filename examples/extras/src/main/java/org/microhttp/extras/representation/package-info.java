/**
 * What is decided about content and a request for it, whatever the content is stored in. {@link
 * org.microhttp.extras.representation.Outcome} is where to begin: it says of a request and a {@link
 * org.microhttp.extras.representation.Resource} with its {@link org.microhttp.extras.representation.Variant}s
 * what is sent, and with which fields.
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
 * <b>Limits.</b> One range at a time: of several none is taken, and all is sent. It is for GET and HEAD,
 * whose methods the program checks. Codings are gzip, brotli and zstd; nothing is compressed here.
 * <p>
 * <b>Refused.</b> A client that accepts no variant gets a 406, one whose condition fails a 412, and a range
 * behind the end a 416. Fields that are against their grammar are as if they were not there.
 * <ul>
 * <li>the request: {@code RequestFields} finds its fields, {@code Negotiation} chooses a variant,
 *     {@code Preconditions} and {@code EntityTags} have the conditions, {@code ByteRange} the range,
 *     {@link org.microhttp.extras.representation.HttpDate} dates</li>
 * <li>what is known of content before: {@link org.microhttp.extras.representation.Coding} and {@link
 *     org.microhttp.extras.representation.MediaTypes}, with {@code MimeTypesFile}</li>
 * <li>answers that send nothing of it: {@link org.microhttp.extras.representation.PlainAnswers}, with the
 *     phrases of {@link org.microhttp.extras.representation.Reason}</li>
 * <li>what caches need: {@link org.microhttp.extras.representation.Vary}; and for downloads {@link
 *     org.microhttp.extras.representation.ContentDisposition}</li>
 * <li>paths and names: {@link org.microhttp.extras.representation.UrlDecoding} decodes them, {@link
 *     org.microhttp.extras.representation.TargetPath} is where a target leads, and {@link
 *     org.microhttp.extras.representation.PathPattern} which paths are meant</li>
 * </ul>
 * Nothing here keeps anything between two requests, and all is safe for all threads.
 */
package org.microhttp.extras.representation;
