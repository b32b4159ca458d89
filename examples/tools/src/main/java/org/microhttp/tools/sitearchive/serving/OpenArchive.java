package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.TargetPath;
import org.microhttp.tools.cdb.CdbReader;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/**
 * An archive that is open and was checked. Who uses it takes it first and releases it once, what is sent
 * of it on its own. For any thread.
 */
final class OpenArchive {

    /** Another may take the name of a file as often while it is opened. */
    private static final int TRIES = 10;

    private final ArchiveBytes bytes;
    private final UnchangedFile file;
    private final boolean inMemory;
    private final List<Header> added;
    private final ArchiveIndex index;
    private final boolean hasHosts;
    private final String digest;
    private final PageIndex paths;
    private final PageIndex wildcards;
    private final PageIndex missing;

    private OpenArchive(ServeSettings settings, ArchiveBytes bytes, UnchangedFile file) throws IOException {
        this.bytes = bytes;
        this.file = file;
        inMemory = settings.kind() == ArchiveBytes.Kind.MEMORY;
        added = settings.added();
        if (settings.preload()) {
            bytes.preload();
        }
        index = new ArchiveIndex(settings);
        ArchiveCheck check = check(bytes, index);
        hasHosts = check.hasHosts();
        if (hasHosts && settings.archives() != null) {
            throw new BrokenArchiveException(
                    "it has hosts of its own; allowed in a folder of archives: those of one host");
        }
        digest = check.digest();
        var records = new ArchiveRecords(settings, bytes, file, check.contentsEnd(), index);
        paths = new PageIndex(records, ArchiveFormat.PATH, index.paths);
        wildcards = new PageIndex(records, ArchiveFormat.WILDCARD, index.wildcards);
        missing = new PageIndex(records, ArchiveFormat.MISSING, index.missing);
    }

    private static ArchiveCheck check(ArchiveBytes bytes, ArchiveIndex index) throws IOException {
        try {
            var check = new ArchiveCheck(bytes, new CdbReader(bytes), index);
            check.run();
            return check;
        } catch (IOException e) {
            throw new BrokenArchiveException(e);
        }
    }

    /**
     * Opens an archive, and looks at all of it.
     *
     * @throws BrokenArchiveException that says what is wrong with it
     * @throws IOException            if it cannot be opened
     */
    static OpenArchive open(Path file, ServeSettings settings) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            FileVersion version = FileVersion.followed(file);
            ArchiveBytes bytes = ArchiveBytes.open(file, settings.kind());
            boolean opened = false;
            try {
                if (FileVersion.followed(file).key().equals(version.key())) {
                    var archive = new OpenArchive(settings, bytes, new UnchangedFile(file, version));
                    opened = true;
                    return archive;
                }
            } finally {
                if (!opened) {
                    bytes.release();
                }
            }
        }
        throw new IOException("another file takes its place all the time");
    }

    /**
     * Looks at all of it again, where it is, after its file was changed: maybe it has only another name, or
     * others may read it.
     *
     * @param version of its file before this look
     * @return false if it is not what it was
     */
    boolean isStillWhole(FileVersion version) {
        try {
            boolean same = check(bytes, new ArchiveIndex()).digest().equals(digest) && bytes.isWhole();
            if (same) {
                file.accept(version);
            }
            return same;
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return the version of its file that was checked} */
    FileVersion version() {
        return file.version();
    }

    /** Takes it; false if it is closed. */
    boolean take() {
        return bytes.take();
    }

    /** Undoes one take; the first without one is of who opened it. The last one closes it. */
    void release() {
        bytes.release();
    }

    /** Ends what is still sent of it. */
    void cut() {
        bytes.cut();
    }

    /** {@return how many have taken it} */
    int users() {
        return bytes.users();
    }

    /** {@return the id of all that is in it} */
    String digest() {
        return digest;
    }

    boolean hasHosts() {
        return hasHosts;
    }

    /**
     * {@return what a path is answered with, or, if it is that of a folder without its slash, where that is;
     * null for neither}
     */
    SiteAnswer path(Request request, String host, String path) throws IOException {
        requireUnchanged();
        String prefix = prefix(host);
        if (prefix == null) {
            return null;
        }
        // without a prefix it is the very text
        String name = prefix.concat(path);
        SitePage page = paths.find(name);
        if (page != null) {
            return page.answer(request);
        }
        return path.endsWith("/") || !isFolder(name + "/") ? null : redirect(request, path);
    }

    private boolean isFolder(String name) throws IOException {
        return paths.find(name) != null || index.wildcards.containsKey(name);
    }

    private void requireUnchanged() throws IOException {
        if (!inMemory && !file.isUnchanged()) {
            throw new IOException(UnchangedFile.CHANGED);
        }
    }

    /** What relates to a path of a folder without its slash leads elsewhere, so that is told. */
    private SiteAnswer redirect(Request request, String path) {
        String query = request.query() == null ? "" : "?" + request.query();
        return SiteAnswer.of(PlainAnswers.moved(TargetPath.escaped(path) + "/" + query, added));
    }

    /**
     * {@return what the deepest folder that a path is below has for what is not there; null for nothing. As
     * many folders are looked for as the deepest of those is deep, at most}
     */
    SiteAnswer folder(Request request, String host, String path) throws IOException {
        String prefix = prefix(host);
        if (prefix == null) {
            return null;
        }
        String name = prefix.concat(path);
        int slash = name.lastIndexOf('/', index.longestFolder - 1);
        while (slash >= prefix.length()) {
            String folder = name.substring(0, slash + 1);
            SitePage wildcard = wildcards.find(folder);
            SitePage page = wildcard == null ? missing.find(folder) : wildcard;
            if (page != null) {
                return page.answer(request);
            }
            slash = name.lastIndexOf('/', slash - 1);
        }
        return null;
    }

    /** What the paths of a host begin with; null if there is nothing for it. */
    private String prefix(String host) {
        if (!hasHosts) {
            return "";
        }
        String own = index.hosts.contains(host) ? host : ArchiveFormat.DEFAULT_HOST;
        return index.hosts.contains(own) ? ArchiveFormat.path(own, "") : null;
    }
}
