package org.microhttp.extras.forms;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Responder;
import org.microhttp.Response;

/**
 * Has a responder answer forms of the type {@code multipart/form-data}, whose files are written to a folder
 * as they come. For example:
 * <pre>{@code
 *   Handler upload = new FormHandler(folder, FormLimits.DEFAULT, (request, form) -> {
 *       FormFile photo = form.file("photo");
 *       return Response.text(200, form.get("title", "") + ": " + photo.size() + " bytes\n");
 *   });
 * }</pre>
 * A responder that throws is answered with 500. What is no form, or above a limit, gets a 400, 413 or 415
 * that says why. When the form is answered, or its client has gone, what the responder has not moved
 * elsewhere is deleted. A body is parsed by the executor, a buffer at a time.
 * <p>
 * Each form has one file open, and one buffer of the server in memory besides what {@link FormLimits} allow:
 * set {@link org.microhttp.Options#withMaxPendingRequests}. Safe for any number of loops.
 */
public final class FormHandler implements Handler {

    // boundary := 0*69<bchars> bcharsnospace (RFC 2046 §5.1.1)
    private static final String BOUNDARY = "[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]";

    private final Handler receiving = Handler.receiving(this::receive, this::answer);
    private final Path folder;
    private final FormLimits limits;
    private final Executor executor;
    private final FormResponder responder;

    /**
     * Makes one that parses, writes, and runs the responder where {@link Handler#blocking(Responder)} runs
     * its functions.
     *
     * @param folder    where files are written; on the file system on which they are to stay, so that they
     *                  are moved at once
     * @param limits    what a form may take, for example {@link FormLimits#DEFAULT}
     * @param responder makes the responses
     */
    public FormHandler(Path folder, FormLimits limits, FormResponder responder) {
        this(folder, limits, Handler.blockingExecutor(), responder);
    }

    /**
     * Makes one with an executor of the program's own.
     *
     * @param folder    where files are written; on the file system on which they are to stay, so that they
     *                  are moved at once
     * @param limits    what a form may take, for example {@link FormLimits#DEFAULT}
     * @param executor  parses, writes, and runs the responder. It must take every task, and have more than
     *                  one thread if a disk may be slow; the program shuts it down after the server
     * @param responder makes the responses
     */
    public FormHandler(Path folder, FormLimits limits, Executor executor, FormResponder responder) {
        this.folder = folder;
        this.limits = limits;
        this.executor = executor;
        this.responder = responder;
    }

    /**
     * Deletes what a process that was killed has left in a folder; call it before the server starts.
     *
     * @param folder where forms were received, and nothing else of the same names is
     * @throws IOException if it cannot be listed, or a file not be deleted
     */
    public static void clean(Path folder) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, FormParts.PREFIX + "*")) {
            for (Path path : left) {
                Files.delete(path);
            }
        }
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        receiving.handle(request, callback);
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return receiving.receiver(request);
    }

    private FormReceiver receive(Request request) {
        var parts = new FormParts(folder, limits);
        try {
            String length = request.header("Content-Length");
            // at most 18 digits, as the server has checked
            boolean kept = length == null || Long.parseLong(length) <= limits.total();
            FormException.limit(kept, "a form", limits.total());
            var parser = new MultipartParser(boundary(request), limits.head(), parts);
            return new FormReceiver(parser, parts, executor, limits.total());
        } catch (FormException e) {
            return new FormReceiver(e, parts, executor);
        }
    }

    private static String boundary(Request request) throws FormException {
        String text = request.header("Content-Type");
        FieldValue type = FieldValue.of(text == null ? "" : text);
        if (!type.value().equals("multipart/form-data")) {
            throw new FormException(415, "the type of a form is multipart/form-data");
        }
        String boundary = type.parameters().get("boundary");
        FormException.check(boundary != null && boundary.matches(BOUNDARY),
                "the type of the form has no valid boundary (RFC 2046 section 5.1.1)");
        return boundary;
    }

    private void answer(Request request, FormReceiver receiver, Consumer<Response> callback) {
        if (receiver != null) {
            receiver.answer(request, responder, callback);
        } else {
            // not even an empty form is without a body
            callback.accept(Response.text(400, "a form has a body\n"));
        }
    }
}
