package org.microhttp.extras.files;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.TargetPath;

/**
 * Answers at once what is known and was looked at within the last second. All else goes to an executor: what
 * is not known, has to be opened, or to be looked at again. What is in use is looked at ahead of time, so
 * that nobody waits for it. For any number of loops.
 */
public final class FileHandler implements Handler, AutoCloseable {

    private final FileCache files;
    private final FileAnswers answers;
    private final Executor executor;
    private final Handler later;
    private final Handler listings;

    /**
     * Makes one.
     *
     * @param executor runs what looks at files, and lists at most two folders at a time, so with three
     *                 threads or more files never wait for listings; bound the requests that wait for it by
     *                 {@link org.microhttp.Options#withMaxPendingRequests}
     * @throws IOException if the root or the cache cannot be read, or this system cannot open files relative
     *                     to a folder
     */
    public FileHandler(FileSettings settings, Executor executor) throws IOException {
        // where links lead is looked at once, here
        FileSettings real = settings.real();
        var tree = new FileTree(real.root(), real.cache());
        files = new FileCache(real.memory());
        answers = new FileAnswers(tree, files, real);
        this.executor = executor;
        later = Handler.blocking(executor, answers::answer);
        listings = Handler.blocking(new ListingQueue(executor), answers::list);
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
            executor.execute(() -> answers.look(key));
        }
    }

    private void answerLater(Request request, Consumer<Response> callback) {
        later.handle(request, response -> {
            if (response == FileAnswers.LISTING) {
                list(request, callback);
            } else {
                callback.accept(response);
            }
        });
    }

    private void list(Request request, Consumer<Response> callback) {
        try {
            listings.handle(request, callback);
        } catch (RejectedExecutionException e) {
            callback.accept(PlainAnswers.UNAVAILABLE);
        }
    }

    /** {@return octets of memory that are used for content} */
    public long memory() {
        return files.kept();
    }

    /** {@return how many files are kept open; those that are being sent may be others} */
    public int openFiles() {
        return files.open();
    }

    /** Closes the files that are open; those that are being sent when they have been. May be used on. */
    @Override
    public void close() {
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
