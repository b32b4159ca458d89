/**
 * Raw uploads: bodies of requests that become files, of any size, never whole in memory. For example:
 * <pre>{@code
 * public class Uploads {
 *     public static Handler to(Path folder) {
 *         return Handler.receiving(request -> {
 *             String name = request.path().substring(1);
 *             return !request.method().equals("PUT") || !name.matches("[a-z0-9]{1,100}")
 *                     ? FileUpload.refused(Response.text(404, "PUT /NAME stores a file\n"))
 *                     : new FileUpload(request, folder.resolve(name), 1 << 30, Handler.blockingExecutor());
 *         }, (request, upload, callback) -> {
 *             if (upload == null) callback.accept(Response.text(400, "a file has a byte or more\n"));
 *             else upload.result().thenAccept(result -> callback.accept(result.response()));
 *         });
 *     }
 * }
 * }</pre>
 * <ul>
 * <li>{@link org.microhttp.extras.uploads.FileUpload} receives one body, and writes it to a file
 * <li>{@link org.microhttp.extras.uploads.UploadResult} is the result
 * </ul>
 * Limits: each upload has a maximum size; a larger body gets 413. The server's {@code maxStreamedSize}
 * applies, too. Set the server's {@code maxPendingRequests}, which limits the number of files that are open
 * at a time. The program decides who may upload, and under which names: a name that a client sends must not
 * become a path without a check.
 */
package org.microhttp.extras.uploads;
