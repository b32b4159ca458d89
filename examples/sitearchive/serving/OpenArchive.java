package sitearchive.serving;

import cdb.CdbReader;
import fileserver.TargetPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.Request;
import representation.PlainAnswers;
import sitearchive.format.ArchiveBytes;
import sitearchive.format.ArchiveFormat;

/**
 * An archive that is open and was checked. Who uses it takes it first and releases it once, what is sent
 * of it on its own. For any thread.
 */
final class OpenArchive {

    private final ArchiveBytes bytes;
    private final List<Header> added;
    private final ArchiveIndex index;
    private final boolean hasHosts;
    private final String digest;
    private final PageIndex paths;
    private final PageIndex wildcards;
    private final PageIndex missing;

    private OpenArchive(ServeSettings settings, ArchiveBytes bytes) throws IOException {
        this.bytes = bytes;
        added = settings.added();
        var reader = new CdbReader(bytes);
        index = new ArchiveIndex(settings);
        var check = new ArchiveCheck(bytes, reader, index);
        check.run();
        hasHosts = check.hasHosts();
        digest = check.digest();
        var records = new ArchiveRecords(settings, bytes, check.contentsEnd(), index);
        paths = new PageIndex(records, ArchiveFormat.PATH, index.paths);
        wildcards = new PageIndex(records, ArchiveFormat.WILDCARD, index.wildcards);
        missing = new PageIndex(records, ArchiveFormat.MISSING, index.missing);
    }

    /**
     * Opens an archive, and looks at all of it.
     *
     * @throws IOException that says what is wrong with it
     */
    static OpenArchive open(Path file, ServeSettings settings) throws IOException {
        ArchiveBytes bytes = ArchiveBytes.open(file, settings.kind());
        boolean opened = false;
        try {
            if (settings.preload()) {
                bytes.preload();
            }
            var archive = new OpenArchive(settings, bytes);
            opened = true;
            return archive;
        } finally {
            if (!opened) {
                bytes.release();
            }
        }
    }

    /** Takes it; false if it is closed. */
    boolean take() {
        return bytes.take();
    }

    /** Undoes one take; the first without one is of who opened it. The last one closes it. */
    void release() {
        bytes.release();
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
        boolean folder = !path.endsWith("/") && paths.find(name + "/") != null;
        return folder ? redirect(request, path) : null;
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
