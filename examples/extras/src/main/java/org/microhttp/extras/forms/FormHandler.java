package org.microhttp.extras.forms;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Responder;
import org.microhttp.Response;
import org.microhttp.extras.routing.RequestException;
import org.microhttp.extras.routing.Route;

/**
 * Has a responder answer forms of the type {@code multipart/form-data}, whose files are written to a folder
 * as they arrive, or go to {@linkplain #withReceiver subscribers} that you choose. For example:
 * <pre>{@code
 *   Handler upload = new FormHandler(folder, FormLimits.DEFAULT, (request, form) -> {
 *       FormFile photo = form.file("photo");
 *       return Response.text(200, form.get("title", "") + ": " + photo.size() + " bytes\n");
 *   });
 * }</pre>
 * A body that is no form, or above a limit, gets a 400, 413 or 415 that says why. If the responder throws,
 * the client gets a 500, or what a {@link RequestException} says. When the form is answered, files that the
 * responder has not moved elsewhere are deleted. They are deleted even while the responder runs if the client
 * disconnects, {@code handlerTimeout} passes or the server ends. The executor parses a body, a buffer at a
 * time; abandoned forms end on {@link Handler#blockingExecutor}.
 * <p>
 * Each form has one file open, and one buffer of the server in memory besides what {@link FormLimits} allow:
 * set {@link org.microhttp.Options#withMaxPendingRequests}. Safe for any number of loops.
 * <p>
 * A wrapping handler that answers a request itself must not call {@link #receiver} for the request.
 * Otherwise the files of the form are deleted only when the garbage collector finds them.
 */
public final class FormHandler implements Handler {

    // boundary := 0*69<bchars> bcharsnospace (RFC 2046 §5.1.1)
    private static final String BOUNDARY = "[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]";

    /** A route answers each {@link RequestException}, and refuses a body before it is received. */
    private final Handler route = Route.of(Handler.receiving(this::receive, this::answer));
    private final Path folder;
    private final FormLimits limits;
    private final Executor executor;
    private final FormResponder responder;
    private final FileReceiver receiver;

    /**
     * Makes a handler that parses, writes, and runs the responder on the threads of {@link
     * Handler#blocking(Responder)}.
     *
     * @param folder    where files are written; on the file system on which they are to stay, so that a move
     *                  needs no copy. Null is allowed if {@link #withReceiver} takes every file
     * @param limits    what a form may take, for example {@link FormLimits#DEFAULT}
     * @param responder makes the responses
     * @throws NullPointerException if an argument but the folder is null
     */
    public FormHandler(Path folder, FormLimits limits, FormResponder responder) {
        this(folder, limits, Handler.blockingExecutor(), responder);
    }

    /**
     * Makes a handler with your own executor.
     *
     * @param folder    where files are written; on the file system on which they are to stay, so that a move
     *                  needs no copy. Null is allowed if {@link #withReceiver} takes every file
     * @param limits    what a form may take, for example {@link FormLimits#DEFAULT}
     * @param executor  parses, writes, and runs the responder. It should have more than one thread if a disk
     *                  may be slow. If it rejects a task, the client gets a 500. The program shuts it down
     *                  after the server
     * @param responder makes the responses
     * @throws NullPointerException if an argument but the folder is null
     */
    public FormHandler(Path folder, FormLimits limits, Executor executor, FormResponder responder) {
        this(folder, limits, executor, responder, (request, head) -> null);
    }

    private FormHandler(Path folder, FormLimits limits, Executor executor, FormResponder responder,
            FileReceiver receiver) {
        this.folder = folder;
        this.limits = Objects.requireNonNull(limits, "limits");
        this.executor = Objects.requireNonNull(executor, "executor");
        this.responder = Objects.requireNonNull(responder, "responder");
        this.receiver = Objects.requireNonNull(receiver, "receiver");
    }

    /**
     * {@return a copy whose files go to subscribers that you choose} For example, with {@code java.net.http},
     * and refusing files that are no images:
     * <pre>{@code
     *   Handler upload = new FormHandler(null, limits, responder).withReceiver((request, head) -> {
     *       if (!("" + head.type()).startsWith("image/")) throw new RequestException(415, "only images");
     *       return BodySubscribers.ofByteArray();
     *   });
     * }</pre>
     *
     * @param other chooses a subscriber for each file; the responder finds it in
     *              {@link FormFile#receiver()}
     * @throws NullPointerException if the receiver is null
     */
    public FormHandler withReceiver(FileReceiver other) {
        return new FormHandler(folder, limits, executor, responder, other);
    }

    /**
     * Deletes files that a process has left in a folder. Call it before the server starts, because an earlier
     * process may have been killed. If the process ends with the server, call it also after the server has
     * ended, because threads that were deleting may end with the process.
     *
     * @param folder where forms were received, without other files whose names begin with {@code .form-}
     * @throws IOException if the folder cannot be listed, or a file cannot be deleted
     */
    public static void clean(Path folder) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, DiskFile.PREFIX + "*")) {
            for (Path path : left) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        route.handle(request, callback);
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return route.receiver(request);
    }

    private FormReceiver receive(Request request) {
        String length = request.header("Content-Length");
        // at most 18 digits, as the server has checked
        boolean kept = length == null || Long.parseLong(length) <= limits.total();
        FormRefusal.limit(kept, "a form", limits.total(), "bytes");
        return new FormReceiver(request, boundary(request), limits, this::receiver, executor);
    }

    private Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request, PartHead head)
            throws IOException {
        var chosen = receiver.receiver(request, head);
        if (chosen == null && folder == null) {
            throw new IllegalStateException("a file of a form has neither a receiver nor a folder");
        }
        return chosen == null ? new DiskFile(folder) : chosen;
    }

    private static String boundary(Request request) {
        String text = request.header("Content-Type");
        FieldValue type = FieldValue.of(text == null ? "" : text);
        if (!type.value().equals("multipart/form-data")) {
            throw new RequestException(415, "the type of a form is multipart/form-data");
        }
        String boundary = type.parameters().get("boundary");
        FormRefusal.check(boundary != null && boundary.matches(BOUNDARY),
                "the type of the form has no valid boundary (RFC 2046 section 5.1.1)");
        return boundary;
    }

    private void answer(Request request, FormReceiver receiver, Consumer<Response> callback) {
        if (receiver != null) {
            receiver.answer(request, responder, callback);
        } else {
            // even an empty form has a body
            throw new RequestException("a form has a body");
        }
    }
}
