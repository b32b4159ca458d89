package org.microhttp.extras.filesystem;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Names of files as text. A name is bytes; decoded in some locale, they may be another name. */
public final class FileName {

    private FileName() {
    }

    /**
     * Whether a path, as text, leads to the same file. It does not if its name has bytes that are no
     * character of the locale: the text is then the name of another file, or of none.
     */
    public static boolean isText(Path path) {
        try {
            return path.getFileSystem().getPath(path.toString()).equals(path);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** The last name of a path, percent-encoded as in a URI: the bytes of the file system, in any locale. */
    public static String encoded(Path path) {
        URI uri = path.toUri();
        String text = uri.getRawPath();
        // the URI of a folder ends in a slash
        int end = text.endsWith("/") ? text.length() - 1 : text.length();
        return text.substring(text.lastIndexOf('/', end - 1) + 1, end);
    }
}
