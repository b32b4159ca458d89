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
 * Serves the files of a folder: {@code FileHandler.of(Path.of("site")).build()}; or the resources of a
 * program: {@code FileHandler.ofResources(Main.class, "/static").build()}. For any number of loops.
 * <p>
 * The loop itself sends files that are cached and were checked within the last second. An executor finds,
 * opens and checks all others. Files in use are checked ahead of time, so that no request waits. Resources
 * are all in memory, and the loop sends them.
 */
public final class FileHandler implements Handler, AutoCloseable {

    private final FileSource files;
    private final FileAnswers answers;
    private final Executor executor;

    /** Null if the program gave an executor. */
    private final ExecutorService own;
    private final Handler later;
    private final Handler listings;

    /** @param own the executor if this handler shuts it down, else null */
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
     * Java cannot open files relative to a folder on Windows, on macOS before Java 24, and in some file
     * systems. There, only the times of folders show whether a folder was swapped for a link while a file was
     * opened; {@link FileHandlerBuilder#build} logs a warning. On Windows, or in a zip file system, programs
     * can set these times: a user who may write below the root can have a file from outside served, and a
     * change that keeps a file's length and time of modification is not noticed. Do not serve folders there
     * that others may write to.
     *
     * @param root the folder; links are followed if they lead to files below it
     * @return a builder with the default settings
     */
    public static FileHandlerBuilder of(Path root) {
        return new FileHandlerBuilder(root, null);
    }

    /**
     * Serves the resources below a folder of a program, from its jar or its folder of classes. All are read
     * into memory once, when the handler is built; {@link FileHandlerBuilder#withMemory} limits them. {@code
     * app.js.gz}, {@code app.js.br} and {@code app.js.zst} are variants of {@code app.js}, and are also
     * served under their own names. Make them anew whenever {@code app.js} changes: the handler does not
     * compare their contents. The {@code ETag} of a resource is a hash of its bytes, the same on all
     * machines. There is no {@code Last-Modified}: the times in a jar are those of a build, or none.
     * <p>
     * All resources come from one place. For a class in a named module, this is its module, which need not
     * open the package. For any other class, it is the jar (with or without entries for folders) or the
     * folder of classes that the class is from. If that place has no such resources, it is the first place in
     * which the class loader finds the folder: some builds keep resources apart from classes. In other jars,
     * class loaders find only folders with an entry; better name a class of that jar. Hidden names, names
     * that end in {@code .class}, empty folders, and links in a folder of classes are left out.
     *
     * @param type   a class of the program
     * @param folder a path from the root, such as {@code /static}; or, without the first slash, from the
     *               package of the class, as in {@link Class#getResource}. Not the root, which has the whole
     *               program
     * @return a builder with the default settings
     * @throws IllegalArgumentException if the folder is the root, or no valid path
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

    /** If the executor rejects the check, a later request makes it, and waits. */
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

    /** {@return how many open files are cached; files that are being sent may be open besides} */
    public int openFiles() {
        return files.openFiles();
    }

    /**
     * Closes the cached open files; a file that is being sent is closed after that. The handler's own threads
     * end: then a request that needs one of them gets a 503. If the program gave an executor, the handler may
     * be used further. For resources, this does nothing.
     */
    @Override
    public void close() {
        if (own != null) {
            own.shutdown();
        }
        files.closeAll();
    }

    /**
     * The cache key of a path: without an escape, the path itself; the key of an invalid path has no file.
     */
    private static String key(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        TargetPath decoded = TargetPath.of(path);
        return decoded == null ? "" : decoded.key();
    }
}
