package org.microhttp.tools.sitearchive.making;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.microhttp.extras.representation.TargetPath;
import org.microhttp.tools.sitearchive.format.Metadata;

/**
 * Reads {@code _redirects}, a line each: {@code FROM TO STATUS}, or {@code FROM 410} for what is gone. A line
 * that is empty or begins with {@code #} is none.
 */
final class RedirectLines {

    private static final String FORM = "FROM TO STATUS, as in /old /new 301, or FROM 410";

    // the characters of a URI reference (RFC 3986 §2), which may have escapes
    private static final Pattern REFERENCE =
            Pattern.compile("(?:[!#$&-;=?-Z\\[\\]_a-z~]|%[0-9A-Fa-f]{2})+");

    /** With what a reference begins that names a scheme or a host (RFC 3986 §4.2). */
    private static final Pattern ELSEWHERE = Pattern.compile("(?://|[A-Za-z][A-Za-z0-9+.-]*:).*");

    /** What other servers take for any text: a star, or a name with a colon in front of it. */
    private static final Pattern WITH_PATTERN = Pattern.compile(".*(?:\\*|/:[A-Za-z_]).*");

    private RedirectLines() {
    }

    /**
     * {@return those of a list}
     *
     * @throws IllegalArgumentException with a message that says what is wrong in which line
     */
    static List<Redirect> read(SourceFile source, byte[] bytes) {
        List<Redirect> redirects = new ArrayList<>();
        for (SettingLine line : SettingLine.all(ArchiveFlags.SOURCES + " has " + source.name(), bytes)) {
            redirects.add(redirect(source.host(), line));
        }
        return redirects;
    }

    private static Redirect redirect(String host, SettingLine line) {
        String[] words = line.text().strip().split("[ \t]+");
        boolean gone = words.length == 2 && words[1].equals("" + Metadata.GONE);
        line.check(gone || words.length == 3, "\"" + line.text() + "\"", FORM);
        String path = path(words[0]);
        String from = "FROM \"" + words[0] + "\"";
        line.check(path != null, from, "a path from the root, as a client sends it: ASCII, with what"
                + " else is needed percent-encoded, without . and .. and a query");
        line.check(!WITH_PATTERN.matcher(words[0]).matches(), from,
                "one path, and no pattern; a * in its name is written %2A, a : %3A");
        if (gone) {
            return new Redirect(host, path, Metadata.GONE, null, null, line);
        }
        String to = "TO \"" + words[1] + "\"";
        line.check(REFERENCE.matcher(words[1]).matches(), to,
                "a URI reference: ASCII, with what else is needed percent-encoded");
        boolean known = words[2].matches("[0-9]{3}")
                && Metadata.REDIRECTS.contains(Integer.valueOf(words[2]));
        line.check(known, "STATUS \"" + words[2] + "\"", "301, 302, 303, 307, 308; 410 is without TO");
        String target = target(words[0], words[1]);
        line.check(!path.equals(target), to,
                "another path than FROM, or a client never comes to an end");
        return new Redirect(host, path, Integer.parseInt(words[2]), words[1], target, line);
    }

    /** Null if no client can ask for it. */
    private static String path(String word) {
        String path = word.startsWith("/") && word.matches("[^?#]+") ? TargetPath.keyOf(word) : null;
        if (path == null || path.chars().anyMatch(Character::isISOControl)) {
            return null;
        }
        List<String> segments = Arrays.asList(path.substring(1).split("/", -1));
        boolean inner = segments.subList(0, segments.size() - 1).stream().noneMatch(String::isEmpty);
        return inner && !segments.contains(".") && !segments.contains("..") ? path : null;
    }

    /** The path that a reference leads to (RFC 3986 §5.2); null if it may be that of another host. */
    private static String target(String from, String reference) {
        if (ELSEWHERE.matcher(reference).matches()) {
            return null;
        }
        String path = reference.replaceFirst("[?#].*", "");
        if (path.isEmpty()) {
            return TargetPath.keyOf(from);
        }
        String whole = path.startsWith("/") ? path : from.substring(0, from.lastIndexOf('/') + 1) + path;
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : whole.substring(1).split("/", -1)) {
            if (segment.equals("..")) {
                segments.pollLast();
            } else if (!segment.equals(".")) {
                segments.add(segment);
            }
        }
        if (whole.endsWith("/.") || whole.endsWith("/..")) {
            segments.add("");
        }
        return TargetPath.keyOf("/" + String.join("/", segments));
    }
}
