package org.microhttp.extras.files;

import java.util.regex.Pattern;
import org.microhttp.Request;
import org.microhttp.extras.representation.TargetPath;

/**
 * The page that a browser gets for a path without a file: a script in the page knows what the path means.
 *
 * @param page the path of its file
 */
record Fallback(TargetPath page) {

    private static final String HTML = "text/html";

    // weight = OWS ";" OWS "q=" qvalue, of which 0 means "not acceptable" (RFC 9110 §12.4.2)
    private static final Pattern REFUSED = Pattern.compile("[qQ]=0(?:\\.0{0,3})?");

    /** @throws IllegalArgumentException if no file can have the path */
    static Fallback of(String path) {
        TargetPath page = TargetPath.of(path.startsWith("/") ? TargetPath.escaped(path) : "/");
        if (page == null || page.isFolder()) {
            throw new IllegalArgumentException("the fallback is \"" + path
                    + "\"; allowed: the path of a file that may be served, as in /index.html");
        }
        return new Fallback(page);
    }

    /** Whether a path may be that of a page: a last segment with a dot is the name of a missing file. */
    boolean isFor(TargetPath path) {
        return path.key().indexOf('.', path.key().lastIndexOf('/')) < 0;
    }

    /**
     * Whether Accept names HTML, as browsers do to show a page (RFC 9110 §12.5.1). {@code *}{@code /*} is not
     * enough: scripts that ask for data send it, and would get a page instead of an error.
     */
    static boolean isAccepted(Request request) {
        for (String field : request.values("Accept")) {
            int from = 0;
            while (from < field.length()) {
                int end = end(field, from);
                if (isHtml(field, from, end)) {
                    return true;
                }
                from = end + 1;
            }
        }
        return false;
    }

    /** Where an element of a list ends: at a comma that is not in a quoted string (RFC 9110 §5.6.1). */
    private static int end(String field, int from) {
        boolean quoted = false;
        int at = from;
        while (at < field.length() && (quoted || field.charAt(at) != ',')) {
            char c = field.charAt(at);
            quoted ^= c == '"';
            // quoted-pair = "\" and a character (RFC 9110 §5.6.4)
            at += quoted && c == '\\' ? 2 : 1;
        }
        return Math.min(at, field.length());
    }

    // media-range [ weight ], media-range = type "/" subtype parameters (RFC 9110 §12.5.1)
    private static boolean isHtml(String field, int from, int end) {
        int first = from;
        while (first < end && (field.charAt(first) == ' ' || field.charAt(first) == '\t')) {
            first++;
        }
        if (!field.regionMatches(true, first, HTML, 0, HTML.length())) {
            return false;
        }
        String[] parts = field.substring(first, end).split(";");
        boolean refused = false;
        for (int i = 1; i < parts.length; i++) {
            refused |= REFUSED.matcher(parts[i].strip()).matches();
        }
        return parts[0].strip().length() == HTML.length() && !refused;
    }
}
