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
 * Sets what a {@link FileHandler} serves, and how. Setters change this builder and return it; null arguments
 * throw a {@link NullPointerException}. For one thread. By default, the handler serves files and the index
 * files of folders, lists no folder, and sends no {@code Cache-Control}. For a single-page application whose
 * other files have a hash in their names:
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

    /** Threads that find, open and check files; the loop itself sends cached files. */
    private static final int THREADS = 8;

    /** Either the root or the resources are null. */
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

    /** @param resources null to serve the root */
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
     * none, and nothing is sent compressed. In this folder, {@code css/main.css.br} is the brotli variant of
     * {@code css/main.css}; {@code .gz} is gzip, {@code .zst} zstd. A variant is used only if it has its
     * file's time of modification.
     *
     * @param folder must not be the root or contain it. If it is below the root, its files cannot be
     *               requested by their own paths
     * @return this builder
     * @throws IllegalStateException for resources, whose variants are beside them
     */
    public FileHandlerBuilder withVariants(Path folder) {
        checkFolder("withVariants", "the variants of a resource are beside it, as app.js.gz of app.js");
        variants = Objects.requireNonNull(folder, "variants");
        return this;
    }

    /**
     * Sets how much content is kept in memory. Default: 64 MiB, or a quarter of the heap if that is less. A
     * file is kept if it and its variants, with 1,000 bytes more for each, take up to 64 KiB, or an eighth of
     * the limit if that is less. Resources are all kept, also with 1,000 bytes more for each; {@link #build}
     * fails if they need more memory. Contents above 16 KiB are outside the heap.
     *
     * @param bytes 0 to 1 TiB; 0 keeps none
     * @return this builder
     * @throws IllegalArgumentException if the number is out of this range
     */
    public FileHandlerBuilder withMemory(long bytes) {
        if (bytes < 0 || bytes > MOST_MEMORY) {
            throw new IllegalArgumentException("memory is " + bytes + "; allowed: 0 to " + MOST_MEMORY);
        }
        memory = bytes;
        return this;
    }

    /**
     * Lists folders that have no index file; default: they get a 404. A page shows up to 10,000 names, and no
     * hidden ones; two pages are made at a time.
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
     * Sets the names of index files, of which the first that exists is served for a folder; default: {@code
     * index.html}, then {@code index.htm}.
     *
     * @param names in the order of preference; none if empty
     * @return this builder
     * @throws IllegalArgumentException if a name cannot be that of a file
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
     * @param all for example {@link MediaTypes#of(Path)}
     * @return this builder
     */
    public FileHandlerBuilder withMediaTypes(MediaTypes all) {
        types = Objects.requireNonNull(all, "mediaTypes");
        return this;
    }

    /**
     * Adds a rule for the Cache-Control of files; the first rule that matches applies. Default: files have
     * none.
     *
     * @param pattern a name in any folder, such as {@code *.css}, or with a slash a path from the root, such
     *                as {@code /css/**}: {@code *} is any text without a slash, {@code **} any text, and
     *                {@code ?} a character except a slash
     * @param value   directives, such as {@code public, max-age=60} (RFC 9111 §5.2)
     * @return this builder
     * @throws IllegalArgumentException if the value does not have this form
     */
    public FileHandlerBuilder withCacheControl(String pattern, String value) {
        rules = rules.with(pattern, value);
        return this;
    }

    /**
     * Sets the page of a single-page application, whose script shows pages such as {@code /users/7}; default:
     * none. The page is sent with a 200, and with its own validators and {@code Cache-Control}, for a path
     * without a file, if
     * <ul>
     * <li>the path's last segment has no dot; so a missing {@code /app.js} still gets a 404, but so does
     *     {@code /users/j.doe}</li>
     * <li>the request's {@code Accept} names {@code text/html}, with a weight other than 0, as browsers do to
     *     show a page; {@code *}{@code /*} is not enough, since scripts that ask for data send it</li>
     * </ul>
     * Names that are never served still get a 404, and {@link #withListing} still lists folders. Let caches
     * revalidate the page each time, by {@code no-cache} as shown {@linkplain FileHandlerBuilder above}: the
     * page names the other files.
     *
     * @param path the page's path from the root, decoded, such as {@code /index.html}. Resources must have
     *             the page; in a folder it may appear later
     * @return this builder
     * @throws IllegalArgumentException if no file with this path is ever served
     */
    public FileHandlerBuilder withFallback(String path) {
        fallback = Fallback.of(path);
        return this;
    }

    /**
     * Sets the function that receives the cause of a 500, of a 503 for lack of file descriptors, and of an
     * unreadable {@code /404.html}; default: the {@link System.Logger} with the name of {@link FileHandler},
     * as a warning. Each cause is reported once, up to a hundred.
     *
     * @param told gets the path of the request as sent, or an empty text if the cause concerns all paths; and
     *             the exception. Clients may have chosen text in both. The threads of the executor call this
     * @return this builder
     */
    public FileHandlerBuilder withFailures(BiConsumer<String, Exception> told) {
        failures = Objects.requireNonNull(told, "failures");
        return this;
    }

    /**
     * Sets the executor that finds, opens, checks and lists files; default: eight daemon threads, which end
     * when the handler is closed. At most two tasks list folders, so with three threads or more, files never
     * wait for listings. Limit the requests that wait for the executor by {@link
     * org.microhttp.Options#withMaxPendingRequests}.
     *
     * @param runs the executor, which the handler does not shut down
     * @return this builder
     * @throws IllegalStateException for resources, which need no executor
     */
    public FileHandlerBuilder withExecutor(Executor runs) {
        checkFolder("withExecutor", "resources are in memory, and answered by the loop");
        executor = Objects.requireNonNull(runs, "executor");
        return this;
    }

    /**
     * Makes the handler. Links in the paths of the root and the variants are followed only here: if such a
     * link later leads to another folder, the first folder is still served. Resources are read here, which
     * may take a while.
     * <p>
     * If {@code Files.newDirectoryStream(root)} is no {@link java.nio.file.SecureDirectoryStream}, the
     * handler promises less, see {@link FileHandler#of}. This is then logged, as a warning of the {@link
     * System.Logger} with the name of {@link FileHandler}.
     *
     * @return the handler, which the program closes after the server
     * @throws IOException              if the root, the variants or a resource cannot be read, or there is no
     *                                  resource
     * @throws IllegalArgumentException if the folder of variants is the root or contains it, resources need
     *                                  more memory than is allowed, or the fallback is no resource
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
