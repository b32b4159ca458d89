/**
 * Forms with files: bodies of the type {@code multipart/form-data} (RFC 7578), received as they come. {@link
 * org.microhttp.extras.forms.FormHandler} gives a {@link org.microhttp.extras.forms.FormResponder} a {@link
 * org.microhttp.extras.forms.Form} with its {@link org.microhttp.extras.forms.FormFile}s, within {@link
 * org.microhttp.extras.forms.FormLimits}.
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
 * <b>Limits.</b> Fields are in memory, files in a folder; {@code FormLimits} says how much of each. Each form
 * that is being received has one file open, so {@code withMaxPendingRequests} bounds those. Files are deleted
 * when the form has been answered: move those that are to stay. Forms of the type {@code
 * application/x-www-form-urlencoded} are for {@link org.microhttp.extras.routing.Parameters}.
 * <p>
 * <b>Refused.</b> A body of another type gets a 415, one above a limit a 413, and one against the grammar a
 * 400, each with the reason; nothing of the form is repeated in it. A name of a file is as the client sent
 * it: never make a path of it.
 * <p>
 * <b>Inside.</b>
 * <ul>
 * <li>{@code FormReceiver} receives a body, has an executor parse it, and answers for it
 * <li>{@code FormParts} keeps what the parser finds: fields in memory, files in a folder
 * <li>{@code MultipartParser} takes a body apart, wherever it is cut, also for {@code Parts} of your own;
 *     {@code PartHead} and {@code FieldValue} read the fields of a part
 * <li>{@code FormException} is why a form is refused
 * </ul>
 */
package org.microhttp.extras.forms;
