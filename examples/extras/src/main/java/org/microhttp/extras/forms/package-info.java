/**
 * Forms with files: bodies of the type {@code multipart/form-data} (RFC 7578), received as they arrive.
 * {@link org.microhttp.extras.forms.FormHandler} gives a {@link org.microhttp.extras.forms.FormResponder} a
 * {@link org.microhttp.extras.forms.Form} with its {@link org.microhttp.extras.forms.FormFile}s, within
 * {@link org.microhttp.extras.forms.FormLimits}.
 * <pre>{@code
 * import java.nio.file.*;
 * import org.microhttp.*;
 * import org.microhttp.extras.forms.*;
 *
 * public class Photos {
 *     public static void main(String[] args) throws Exception {
 *         Path folder = Files.createDirectories(Path.of("photos"));
 *         Handler forms = new FormHandler(folder, FormLimits.DEFAULT, (request, form) ->
 *                 Response.text(200, form.get("title", "") + ": " + form.files().size() + " files\n"));
 *         new EventLoop(new Options().withPort(8080).withMaxPendingRequests(500), forms).start();
 *     }
 * }
 * }</pre>
 * <b>Files.</b> A file is deleted when its form has been answered or abandoned: move files that are to stay.
 * To use no disk, have a {@link org.microhttp.extras.forms.FileReceiver} choose a subscriber for each file,
 * such as a {@code BodySubscriber} of {@code java.net.http}. A subscriber receives a file as it arrives, as
 * fast as the subscriber requests it. A receiver can also refuse media types:
 * <pre>{@code
 *   Handler photos = new FormHandler(null, FormLimits.DEFAULT, (request, form) -> {
 *       var photo = (BodySubscriber<?>) form.file("photo").receiver();
 *       return Response.text(201, "kept in " + photo.getBody().toCompletableFuture().get());
 *   }).withReceiver((request, head) -> {
 *       if (!"image/png".equals(head.type())) throw new RequestException(415, "only image/png");
 *       return BodySubscribers.ofFile(Files.createTempFile("photo", ".png"));
 *   });
 * }</pre>
 * <b>Limits.</b> Fields are in memory, files in a folder; {@code FormLimits} limits both, also by the name of
 * a part. Each form that is being received has one file open, so {@code withMaxPendingRequests} limits the
 * open files. Forms of the type {@code application/x-www-form-urlencoded} are for {@link
 * org.microhttp.extras.routing.Parameters}.
 * <p>
 * <b>Refused.</b> A body of another type gets a 415, one above a limit a 413, and a malformed one a 400, each
 * with the reason and the part. A name of a file is as the client sent it: never make a path of it. A name
 * that is only in {@code filename*} is refused (RFC 7578 section 4.2), as is a transfer encoding.
 * <p>
 * <b>Inside.</b>
 * <ul>
 * <li>{@code FormReceiver} receives a body, has an executor parse it, and answers the request
 * <li>{@code FormParts} keeps what the parser finds: fields in memory, files at their subscribers
 * <li>{@code PartStream} passes a file on to its subscriber, which is a {@code DiskFile} for the folder;
 *     {@code OpenFiles} closes the subscribers when the form is over
 * <li>{@code MultipartParser} splits a body into its parts, also for {@code Parts} of your own; {@code
 *     PartHead} and {@code FieldValue} read the fields of a part
 * <li>{@code FormRefusal} refuses a form
 * </ul>
 */
package org.microhttp.extras.forms;
