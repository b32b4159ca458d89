/**
 * Serves a folder of files, or resources of a program: with validators, ranges, compressed variants, cache
 * rules, listings, and a page for single-page applications. {@link org.microhttp.extras.files.FileHandler} is
 * the handler, {@link org.microhttp.extras.files.FileHandlerBuilder} has its settings.
 * <pre>{@code
 * import java.nio.file.Path;
 * import org.microhttp.*;
 * import org.microhttp.extras.files.FileHandler;
 *
 * public class Site {
 *     public static void main(String[] args) throws Exception {
 *         try (FileHandler files = FileHandler.of(Path.of("site")).withListing()
 *                 .withCacheControl("*.css", "public, max-age=3600").build()) {
 *             new EventLoop(new Options().withPort(8080), files).start();
 *         }
 *     }
 * }
 * }</pre>
 * <b>Limits.</b> A change of a file is noticed within a second. Write a file under another name and rename
 * it: a file that is written in place may be sent half old, half new. The builder limits the content in
 * memory. Up to 1,000 other files are kept open, and metadata takes an eighth of the heap at most. Two
 * listings are made at a time and 100 wait; listings that are being sent take 32 MiB together, or a sixteenth
 * of the heap if that is less. Resources are read once, all into memory. Nothing is compressed here.
 * <p>
 * <b>Not promised.</b> On Windows, a user who may write below the root can have a file from outside served,
 * by swapping a folder for a link; and a change that keeps a file's length and time of modification is not
 * noticed. On macOS before Java 24, only the times of folders prevent the first. On both systems, a new
 * handler logs a warning.
 * <p>
 * <b>Refused.</b> Methods other than GET and HEAD get a 405. Files outside the root, even if links lead
 * there, get a 404; so do names that begin with a dot (except {@code .well-known} of the root), and paths
 * with {@code ..}, {@code //} or an encoded slash. The body of a 404 is {@code /404.html} if that exists.
 * Unreadable files get a 403, other failures a 500, and overload a 503. The builder refuses the root of a
 * program's resources, and resources that need more memory than is allowed.
 * <p>
 * <b>Inside.</b>
 * <ul>
 * <li>responses: {@code FileHandler} sends cached files, {@code FileAnswers} checks files for all other
 *     requests, as {@code FileSettings} say, with a {@code Fallback}; {@code FolderPages} makes a {@code
 *     FolderPage} when the {@code ListingQueue} runs its task; {@code FailureReport} reports causes</li>
 * <li>files: a {@code FileSource} is a {@code FolderSource}, whose files may change, or a {@code
 *     ResourceSource} of {@code ClassResources}</li>
 * <li>the cache: {@code FileLoader} makes a {@code ServedFile} from a {@code StoredFile}, and {@code
 *     FileCache} keeps it, with a {@code FileContent} for each variant, in memory or as an {@code OpenFile};
 *     {@code CacheRules} give its Cache-Control</li>
 * </ul>
 * {@link org.microhttp.extras.representation} decides the response to a request. The package {@code
 * filesystem}, which is not exported, finds the file of a name.
 */
package org.microhttp.extras.files;
