package org.microhttp.extras.files;

import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.filesystem.FileTree;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.TargetPath;

/**
 * Serves a folder: {@code FileHandler.of(Path.of("site")).build()}.
 * <p>
 * It answers at once what is known and was looked at within the last second. All else goes to an executor:
 * what is not known, has to be opened, or to be looked at again. What is in use is looked at ahead of time,
 * so that nobody waits for it. For any number of loops.
 */
public final class FileHandler implements Handler, AutoCloseable {

    private final FileCache files;
    private final FileAnswers answers;
    private final Executor executor;

    /** Null if the executor is another's. */
    private final ExecutorService own;
    private final Handler later;
    private final Handler listings;

    /** @param own the executor if it ends with this handler, null if not */
    FileHandler(FileTree tree, FileSettings settings, Executor executor, ExecutorService own) {
        files = new FileCache(settings.memory());
        answers = new FileAnswers(tree, files, settings);
        this.executor = executor;
        this.own = own;
        later = Handler.blocking(executor, answers::answer);
        listings = Handler.blocking(new ListingQueue(executor), answers::list);
    }

    /**
     * Serves a folder.
     * <p>
     * Where Java cannot open files relative to a folder, as on Windows, and on macOS before Java 24, it
     * promises less, and {@link FileHandlerBuilder#build} logs a warning that says what: only the times of
     * folders show whether one was swapped for a link while a file was opened. On Windows, or in a zip file
     * system, programs can set these times, so a user who may write below the root can have a file from
     * outside served; and a change that keeps a file's length and time of modification is not noticed. Do not
     * serve what others may write to there.
     *
     * @param root links in it are followed, as far as they lead to what is in it
     * @return a builder, which is told how, and makes the handler
     */
    public static FileHandlerBuilder of(Path root) {
        return new FileHandlerBuilder(root);
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        String method = request.method();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            callback.accept(PlainAnswers.NOT_ALLOWED);
            return;
        }
        String key = key(request.path());
        ServedFile file = files.find(key);
        long now = System.nanoTime();
        Response response = file != null && file.isFresh(now) ? file.ready(request, now) : null;
        if (response == null) {
            answerLater(request, callback);
            return;
        }
        callback.accept(response);
        if (file.beginLook(now)) {
            look(key);
        }
    }

    /** If it cannot be done now, who asks for it when it is due waits for it. */
    private void look(String key) {
        try {
            executor.execute(() -> answers.look(key));
        } catch (RejectedExecutionException e) {
            return;
        }
    }

    private void answerLater(Request request, Consumer<Response> callback) {
        orUnavailable(later, request, callback, response -> {
            if (response == FileAnswers.LISTING) {
                orUnavailable(listings, request, callback, callback);
            } else {
                callback.accept(response);
            }
        });
    }

    private static void orUnavailable(Handler handler, Request request, Consumer<Response> callback,
            Consumer<Response> next) {
        try {
            handler.handle(request, next);
        } catch (RejectedExecutionException e) {
            callback.accept(PlainAnswers.UNAVAILABLE);
        }
    }

    /** {@return bytes of memory that are used for content} */
    public long memory() {
        return files.kept();
    }

    /** {@return how many files are kept open; those that are being sent may be others} */
    public int openFiles() {
        return files.open();
    }

    /**
     * Closes the files that are kept open; those that are being sent are closed when they have been. The
     * threads end if no executor was given: then a request gets a 503 as soon as a file has to be looked at.
     * With an executor the handler may be used on.
     */
    @Override
    public void close() {
        if (own != null) {
            own.shutdown();
        }
        files.closeAll();
    }

    /** Without an escape a path that is known is its own key; other paths are the key of nothing. */
    private static String key(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        TargetPath decoded = TargetPath.of(path);
        return decoded == null ? "" : decoded.key();
    }
}
