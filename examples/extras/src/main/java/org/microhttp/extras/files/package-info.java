/**
 * A folder of files, or resources of a program, served: with validators, ranges, compressed variants, cache
 * rules, listings, and a page for applications that have pages of their own. {@link
 * org.microhttp.extras.files.FileHandler} is the handler, {@link
 * org.microhttp.extras.files.FileHandlerBuilder} has its settings.
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
 * it: one that is written in place may be sent half old, half new. What is kept in memory the builder says;
 * up to 1,000 other files are kept open, and what is known of files takes an eighth of the heap at most. Two
 * listings are made at a time, 100 wait, and those that are being sent have 32 MiB together, or a sixteenth
 * of the heap if that is less. Resources are read once, and all in memory. Nothing is compressed here.
 * <p>
 * <b>Not promised</b> on Windows: that no file outside is served while a user who may write below the root
 * swaps folders for links there, and that a change is noticed which keeps a file's length and time of
 * modification. On macOS before Java 24 the first hangs on the times of folders. A handler that is built on
 * one of them logs a warning.
 * <p>
 * <b>Refused.</b> Methods other than GET and HEAD get a 405. A 404 is for what is not below the root,
 * whatever links lead there, for names that begin with a dot ({@code .well-known} of the root is served), and
 * for paths with {@code ..}, {@code //} or an encoded slash; for it, {@code /404.html} is sent if there is
 * one. What may not be read gets a 403, other failures a 500, and more work than there is room for a 503. The
 * root of a program's resources is refused, as are resources that need more memory than is allowed.
 * <p>
 * <b>Inside.</b>
 * <ul>
 * <li>answers: {@code FileHandler} gives what is known at once, {@code FileAnswers} looks at files for the
 *     rest, as {@code FileSettings} say, with a {@code Fallback}; {@code FolderPages} makes a {@code
 *     FolderPage} of a folder when the {@code ListingQueue} has room for that; {@code FailureReport} tells
 *     why there is no answer</li>
 * <li>what is found: a {@code FileSource} is a {@code FolderSource}, whose files may change, or a {@code
 *     ResourceSource} of {@code ClassResources}</li>
 * <li>what is kept: {@code FileLoader} makes a {@code ServedFile} of a {@code StoredFile},
 *     {@code FileCache} keeps it; it has a {@code FileContent} for each variant, in memory or as an
 *     {@code OpenFile}; {@code CacheRules} are for its fields</li>
 * </ul>
 * What a request is answered with, {@link org.microhttp.extras.representation} decides. Names become files
 * in the package {@code filesystem}, which is not exported.
 */
package org.microhttp.extras.files;
