package org.microhttp.extras.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import org.microhttp.extras.filesystem.FileTree;
import org.microhttp.extras.representation.MediaTypes;
import org.microhttp.extras.representation.UrlDecoding;

/**
 * What a {@link FileHandler} serves, and how. Setters change this builder and return it. Without them it
 * serves files and the index files of folders, lists no folder, and sends no {@code Cache-Control}. An
 * application of one page, whose other files have a hash in their names, wants:
 * <pre>{@code
 *   FileHandler.ofResources(Main.class, "/static")
 *           .withFallback("/index.html")
 *           .withCacheControl("/assets/**", "public, max-age=31536000, immutable")
 *           .withCacheControl("*.html", "no-cache")
 * }</pre>
 */
public final class FileHandlerBuilder {

    private static final long MEMORY = 64L << 20;
    private static final long MOST_MEMORY = 1L << 40;

    /** Threads that look at files; what is in memory, or open and looked at, needs none. */
    private static final int THREADS = 8;

    /** One of these is null. */
    private final Path root;
    private final ClassResources resources;
    private Path variants;
    private long memory = Math.min(MEMORY, Runtime.getRuntime().maxMemory() / 4);
    private boolean listing;
    private List<String> indexes = List.of("index.html", "index.htm");
    private MediaTypes types = MediaTypes.builtIn();
    private CacheRules rules = CacheRules.none();
    private BiConsumer<String, Exception> failures = FailureReport::log;
    private Fallback fallback;
    private Executor executor;

    /** @param resources null for a folder, which is the root */
    FileHandlerBuilder(Path root, ClassResources resources) {
        this.root = resources == null ? Objects.requireNonNull(root, "root") : null;
        this.resources = resources;
    }

    private void checkFolder(String setter, String instead) {
        if (resources != null) {
            throw new IllegalStateException(setter + " is for folders; " + instead);
        }
    }

    /**
     * Sets the folder of compressed variants, which {@code FileServer compress} of the tools makes; default:
     * none, and nothing is sent compressed. The variant of {@code css/main.css} in brotli is {@code
     * css/main.css.br} in it, with the same time of modification; {@code .gz} is gzip, {@code .zst} zstd. A
     * variant of another time is not used.
     *
     * @param folder which neither is nor has the root. If it is below the root, nothing in it is served
     * @return this builder
     * @throws IllegalStateException for resources, which have theirs beside them
     */
    public FileHandlerBuilder withVariants(Path folder) {
        checkFolder("withVariants", "the variants of a resource are beside it, as app.js.gz of app.js");
        variants = Objects.requireNonNull(folder, "variants");
        return this;
    }

    /**
     * Sets how much content is kept in memory: files that have, with their variants, up to 64 KiB, or an
     * eighth of this if that is less. Resources are kept there all, and are refused if they are larger, with
     * 1,000 bytes more for each. Some of it is not heap. Default: 64 MiB, or a quarter of the heap if that is
     * less.
     *
     * @param bytes 0 to 1 TiB; 0 keeps none
     * @return this builder
     * @throws IllegalArgumentException if it is another number
     */
    public FileHandlerBuilder withMemory(long bytes) {
        if (bytes < 0 || bytes > MOST_MEMORY) {
            throw new IllegalArgumentException("memory is " + bytes + "; allowed: 0 to " + MOST_MEMORY);
        }
        memory = bytes;
        return this;
    }

    /**
     * Lists folders that have no index file; default: they get a 404. A page shows up to 10,000 names, and
     * none that is hidden; two are made at a time.
     *
     * @return this builder
     * @throws IllegalStateException for resources
     */
    public FileHandlerBuilder withListing() {
        checkFolder("withListing", "resources are not listed");
        listing = true;
        return this;
    }

    /**
     * Sets which file of a folder a folder is answered with; default: {@code index.html}, and if there is
     * none {@code index.htm}.
     *
     * @param names the first that is there is taken; none if empty
     * @return this builder
     * @throws IllegalArgumentException if one cannot be the name of a file
     */
    public FileHandlerBuilder withIndexes(String... names) {
        for (String name : names) {
            if (!UrlDecoding.isName(name)) {
                throw new IllegalArgumentException("an index is \"" + name + "\"; allowed: names of files");
            }
        }
        indexes = List.of(names);
        return this;
    }

    /**
     * Sets the Content-Type of each file name; default: {@link MediaTypes#builtIn}.
     *
     * @param all for example those of a file
     * @return this builder
     */
    public FileHandlerBuilder withMediaTypes(MediaTypes all) {
        types = Objects.requireNonNull(all, "mediaTypes");
        return this;
    }

    /**
     * Sets the Cache-Control of files, behind rules that were set before; the first that fits is taken.
     * Default: files have none.
     *
     * @param pattern a name in any folder, as {@code *.css}, or with a slash a path from the root, as
     *                {@code /css/**}: {@code *} is any text without a slash, {@code **} any text, and
     *                {@code ?} a character that is no slash
     * @param value   directives, as {@code public, max-age=60} (RFC 9111 §5.2)
     * @return this builder
     * @throws IllegalArgumentException if the value has not that form
     */
    public FileHandlerBuilder withCacheControl(String pattern, String value) {
        rules = rules.with(pattern, value);
        return this;
    }

    /**
     * Sets the page of an application whose script has pages of its own, such as {@code /users/7}; default:
     * none. It is sent with a 200, and with its own validators and {@code Cache-Control}, for a path without
     * a file, if
     * <ul>
     * <li>the last segment has no dot, so a missing {@code /app.js} stays a 404, but so does {@code
     *     /users/j.doe}</li>
     * <li>the request's {@code Accept} names {@code text/html}, with a weight other than 0, as browsers do to
     *     show a page; {@code *}{@code /*} is not enough, for a script that asks for data sends that</li>
     * </ul>
     * Names that are never served stay a 404, and folders that are listed are listed. Let caches ask each
     * time for this page, as shown {@linkplain FileHandlerBuilder above}: it names the other files.
     *
     * @param path of the page from the root on, decoded, as {@code /index.html}. Resources must have it; in a
     *             folder it may appear later
     * @return this builder
     * @throws IllegalArgumentException if it cannot be the path of a file that is served
     */
    public FileHandlerBuilder withFallback(String path) {
        fallback = Fallback.of(path);
        return this;
    }

    /**
     * Sets who is told why a request got a 500 or 503, or the page {@code /404.html} cannot be read; default:
     * the {@link System.Logger} with the name of {@link FileHandler}, as a warning. Each cause is told once,
     * up to a hundred.
     *
     * @param told gets the path of the request as it was sent, or an empty text if it is the same for all
     *             paths, and why. A client may have chosen both; it is called by the threads of the executor
     * @return this builder
     */
    public FileHandlerBuilder withFailures(BiConsumer<String, Exception> told) {
        failures = Objects.requireNonNull(told, "failures");
        return this;
    }

    /**
     * Sets what runs all that looks at files; default: eight threads of the handler's own, which are daemons
     * and end when it is closed. At most two tasks list folders, so with three threads or more files never
     * wait for listings. Bound the requests that wait for it by {@link
     * org.microhttp.Options#withMaxPendingRequests}.
     *
     * @param runs is not closed with the handler
     * @return this builder
     * @throws IllegalStateException for resources, which need none
     */
    public FileHandlerBuilder withExecutor(Executor runs) {
        checkFolder("withExecutor", "resources are in memory, and answered by the loop");
        executor = Objects.requireNonNull(runs, "executor");
        return this;
    }

    /**
     * Makes the handler. Where links lead is looked at once, here: a root that is a link to another folder
     * tomorrow is served as it is today. Resources are read here, which may take a while.
     * <p>
     * If this system cannot promise all that is said of {@link FileHandler#of}, that is logged here, as a
     * warning of the {@link System.Logger} with the name of {@link FileHandler}. It is so if {@code
     * Files.newDirectoryStream(root)} is no {@link java.nio.file.SecureDirectoryStream}.
     *
     * @return the handler, which the program closes after the server
     * @throws IOException              if the root, the variants or a resource cannot be read, or there is no
     *                                  resource
     * @throws IllegalArgumentException if the folder of variants is or has the root, resources are larger
     *                                  than the memory, or the fallback is none of them
     */
    public FileHandler build() throws IOException {
        return resources == null ? ofFolder() : ofResources();
    }

    private FileHandler ofFolder() throws IOException {
        Path realRoot = root.toRealPath();
        Path realVariants = variants == null ? null : variants.toRealPath();
        if (realVariants != null && realRoot.startsWith(realVariants)) {
            throw new IllegalArgumentException(
                    "the folder of variants, " + realVariants + ", is or has the root, " + realRoot);
        }
        var tree = new FileTree(realRoot, realVariants);
        if (tree.gaps() != null) {
            System.getLogger(FileHandler.class.getName()).log(System.Logger.Level.WARNING, tree.gaps());
        }
        FileSettings settings = settings(realVariants);
        var source = new FolderSource(tree, settings);
        var answers = new FileAnswers(source, listing ? new FolderPages(tree) : null, settings);
        if (executor != null) {
            return new FileHandler(source, answers, executor, null);
        }
        ExecutorService own = Executors.newFixedThreadPool(THREADS, FileHandlerBuilder::thread);
        return new FileHandler(source, answers, own, own);
    }

    private FileHandler ofResources() throws IOException {
        FileSettings settings = settings(null);
        var source = new ResourceSource(resources.read(memory), settings);
        if (fallback != null && source.find(fallback.page()) == null) {
            throw new IllegalArgumentException("the fallback is \"" + fallback.page().key()
                    + "\"; allowed: the path of a resource, and there is none of that path");
        }
        return new FileHandler(source, new FileAnswers(source, null, settings), Runnable::run, null);
    }

    private FileSettings settings(Path realVariants) {
        return new FileSettings(realVariants, memory, indexes, types, rules, fallback, failures);
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "files");
        thread.setDaemon(true);
        return thread;
    }
}
