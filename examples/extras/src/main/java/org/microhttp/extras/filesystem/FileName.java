package org.microhttp.extras.filesystem;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The names of files as text. A name is bytes, and what a locale makes of them may be another name. */
public final class FileName {

    private FileName() {
    }

    /**
     * Whether a path, as text, leads to the same file. It does not where its name has bytes that are no
     * character of the locale: as text they are a name of another file, or of none.
     */
    public static boolean isText(Path path) {
        try {
            return path.getFileSystem().getPath(path.toString()).equals(path);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /**
     * The last name of a path, percent-encoded as in a URI: its bytes are those of the file system whatever
     * the locale is.
     */
    public static String encoded(Path path) {
        URI uri = path.toUri();
        String text = uri.getRawPath();
        // a folder has a slash behind it
        int end = text.endsWith("/") ? text.length() - 1 : text.length();
        return text.substring(text.lastIndexOf('/', end - 1) + 1, end);
    }
}
