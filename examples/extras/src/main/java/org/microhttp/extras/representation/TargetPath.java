package org.microhttp.extras.representation;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * The path of a request's target below the root, in its only normal form: each segment decoded, once. Two
 * paths to the same name have the same key, and a path without an escape is its own key.
 *
 * @param key such as {@code /css/main.css}; the key of a folder ends in a slash
 */
public record TargetPath(String key) {

    /** RFC 8615 §3 puts this folder at the root; it is public, though its name begins with a dot. */
    private static final String WELL_KNOWN = ".well-known";

    /** Characters besides letters and digits that need no escape (RFC 3986 §2.3), and the slash. */
    private static final String PLAIN = "-._~/";

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /**
     * Reads a path as sent, also with names that are never served.
     *
     * @param path such as {@code /a%20b}, without its query
     * @return its key; null if the path is badly encoded, or has a slash in a segment, which no key can have
     */
    public static String keyOf(String path) {
        List<String> segments = segments(path);
        boolean valid = segments != null && segments.stream().noneMatch(segment -> segment.contains("/"));
        return valid ? "/" + String.join("/", segments) : null;
    }

    /** Null for a broken escape, or bytes that are not UTF-8. */
    private static List<String> segments(String path) {
        try {
            return UrlDecoding.segments(path);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Reads a path as sent.
     *
     * @param path such as {@code /a%20b}, without its query
     * @return null for a path that names nothing that is served
     */
    public static TargetPath of(String path) {
        List<String> segments = segments(path);
        if (segments == null) {
            return null;
        }
        var key = new StringBuilder(path.length());
        int last = segments.size() - 1;
        for (int i = 0; i <= last; i++) {
            String segment = segments.get(i);
            boolean end = i == last && segment.isEmpty();
            if (!end && !isServed(segment, i == 0)) {
                return null;
            }
            key.append('/').append(segment);
        }
        return new TargetPath(key.toString());
    }

    /**
     * Says whether a name may be served at all: it is not hidden, and a {@link UrlDecoding#isName name}.
     *
     * @param name a decoded segment of a path
     * @param atRoot whether it is the first segment, where {@code .well-known} is not hidden
     * @return whether it may
     */
    public static boolean isServed(String name, boolean atRoot) {
        boolean hidden = name.startsWith(".") && !(atRoot && name.equals(WELL_KNOWN));
        return !hidden && UrlDecoding.isName(name);
    }

    /** {@return whether it ends with a slash} */
    public boolean isFolder() {
        return key.endsWith("/");
    }

    /** {@return the name relative to the root, such as {@code css/main.css}; empty for the root} */
    public String name() {
        return key.substring(1, isFolder() ? Math.max(1, key.length() - 1) : key.length());
    }

    /**
     * {@return a text as part of a path: its UTF-8, escaped where necessary}
     *
     * @param text decoded; slashes stay
     */
    public static String escaped(String text) {
        var escaped = new StringBuilder(text.length());
        for (byte value : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (value & 0xFF);
            boolean plain = c < 0x80 && Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0;
            if (plain) {
                escaped.append(c);
            } else {
                escaped.append('%').append(HEX.toHexDigits(value));
            }
        }
        return escaped.toString();
    }
}
