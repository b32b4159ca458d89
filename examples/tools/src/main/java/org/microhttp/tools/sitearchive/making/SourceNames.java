package org.microhttp.tools.sitearchive.making;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.extras.filesystem.FileName;
import org.microhttp.extras.representation.UrlDecoding;

/** What the names of files and folders say of them. */
final class SourceNames {

    /** What answers with 404 below its folder, and at the root the list of redirects. */
    static final String MISSING = "_404.html";
    static final String REDIRECTS = "_redirects";

    private static final String WILDCARD = "_wildcard.";

    private static final List<String> LEFT_OUT = List.of("Thumbs.db", ".DS_Store");
    private static final List<String> LEFT_OUT_ENDS = List.of("~", ".log", ".tmp", ".temp", ".lock");

    private SourceNames() {
    }

    /** Whether nothing of this name is archived: it is hidden, a remark, or what programs leave behind. */
    static boolean isLeftOut(String name) {
        return name.startsWith(".") || name.contains("#") || LEFT_OUT.contains(name)
                || LEFT_OUT_ENDS.stream().anyMatch(name::endsWith);
    }

    /** Whether it answers what nothing else answers below its folder. */
    static boolean isWildcard(String name) {
        return name.startsWith(WILDCARD) && name.length() > WILDCARD.length();
    }

    /**
     * The name of a file, the same in each locale.
     *
     * @throws IllegalArgumentException with a message that says why it can have no address
     */
    static String of(Path path) {
        String name = path.getFileName().toString();
        if (!StandardCharsets.US_ASCII.newEncoder().canEncode(name)) {
            try {
                name = UrlDecoding.decode(FileName.encoded(path));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("its name is not UTF-8", e);
            }
        }
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("its name has a control character");
        }
        return name;
    }
}
