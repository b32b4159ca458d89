package org.microhttp.extras.files;

import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.TargetPath;

/**
 * Serves a folder: {@code FileHandler.of(Path.of("site")).build()}; or resources of a program: {@code
 * FileHandler.ofResources(Main.class, "/static").build()}. For any number of loops.
 * <p>
 * Of a folder it answers at once what is known and was looked at within the last second. All else goes to an
 * executor: what is not known, has to be opened, or to be looked at again. What is in use is looked at ahead
 * of time, so that nobody waits for it. Resources are all in memory, and answered at once.
 */
public final class FileHandler implements Handler, AutoCloseable {

    private final FileSource files;
    private final FileAnswers answers;
    private final Executor executor;

    /** Null if the executor is another's. */
    private final ExecutorService own;
    private final Handler later;
    private final Handler listings;

    /** @param own the executor if it ends with this handler, null if not */
    FileHandler(FileSource files, FileAnswers answers, Executor executor, ExecutorService own) {
        this.files = files;
        this.answers = answers;
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
        return new FileHandlerBuilder(root, null);
    }

    /**
     * Serves the resources below a folder of a program, from its jar or its folder of classes. All are read
     * into memory when the handler is built, so nothing is looked at later, and {@link
     * FileHandlerBuilder#withMemory} limits them. {@code app.js.gz}, {@code app.js.br} and {@code app.js.zst}
     * are variants of {@code app.js}. Make them anew whenever it changes: nothing here checks that they have
     * its content. They are served under their own names, too. A resource has a tag made of its bytes, the
     * same on all machines, and no {@code Last-Modified}: the times in a jar are those of a build, or none.
     * <p>
     * They are looked for in one place. A class of a named module has the resources of its module, which need
     * not be opened to anybody. Any other has those of the jar that it is from, with or without entries for
     * folders, or of its folder of classes; if there are none, those of the first place in which its class
     * loader finds the folder, as where a build keeps resources apart from classes. In another jar it finds
     * only a folder with an entry; better name a class of that jar. Hidden names, names that end in {@code
     * .class}, empty folders, and links in a folder of classes are left out.
     *
     * @param type   a class of the program
     * @param folder with a slash in front, from the root on, as {@code /static}; else relative to the package
     *               of the class, as in {@link Class#getResource}. Not the root: all of the program is there
     * @return a builder, which is told how, and makes the handler
     * @throws IllegalArgumentException if that cannot be the name of such a folder
     */
    public static FileHandlerBuilder ofResources(Class<?> type, String folder) {
        return new FileHandlerBuilder(null, new ClassResources(type, folder));
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        String method = request.method();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            callback.accept(PlainAnswers.NOT_ALLOWED);
            return;
        }
        String key = key(request.path());
        ServedFile file = files.known(key);
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
        return files.memory();
    }

    /** {@return how many files are kept open; those that are being sent may be others} */
    public int openFiles() {
        return files.openFiles();
    }

    /**
     * Closes the files that are kept open; those that are being sent are closed when they have been. The
     * threads end if no executor was given: then a request gets a 503 as soon as a file has to be looked at.
     * With an executor the handler may be used on. For resources it does nothing.
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
