package sitearchive.making;

import fileserver.TargetPath;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import shared.InputFile;
import sitearchive.format.ArchiveFormat;
import sitearchive.format.Metadata;

/**
 * Reads {@code _redirects}, a line each: {@code FROM TO STATUS}, or {@code FROM 410} for what is gone. A line
 * that is empty or begins with {@code #} is none.
 */
final class RedirectLines {

    private static final String FORM = "FROM TO STATUS, as in /old /new 301, or FROM 410";

    // the characters of a URI reference (RFC 3986 §2), which may have escapes
    private static final Pattern REFERENCE =
            Pattern.compile("(?:[!#$&-;=?-Z\\[\\]_a-z~]|%[0-9A-Fa-f]{2})+");

    private RedirectLines() {
    }

    /**
     * @throws IllegalArgumentException with a message that says what is wrong in which line
     */
    static List<Redirect> read(SourceFile source) throws IOException {
        String text;
        try {
            text = ArchiveFormat.text(Files.readAllBytes(source.file()));
        } catch (IOException e) {
            throw new IOException(source.name() + ": " + InputFile.reason(e), e);
        }
        List<Redirect> redirects = new ArrayList<>();
        int number = 0;
        for (String content : text.lines().toList()) {
            number++;
            if (!content.isBlank() && !content.startsWith("#")) {
                redirects.add(redirect(source, content, source.name() + ", line " + number));
            }
        }
        return redirects;
    }

    private static Redirect redirect(SourceFile source, String content, String where) {
        String[] words = content.strip().split("[ \t]+");
        boolean gone = words.length == 2 && words[1].equals("" + Metadata.GONE);
        check(gone || words.length == 3, where, content, FORM);
        String path = path(words[0]);
        check(path != null, where, words[0], "a path from the root, as a client sends it: ASCII, with what"
                + " else is needed percent-encoded, without . and .. and a query");
        if (gone) {
            return new Redirect(source.host(), path, Metadata.GONE, null, where);
        }
        check(REFERENCE.matcher(words[1]).matches(), where, words[1],
                "a URI reference: ASCII, with what else is needed percent-encoded");
        boolean known = words[2].matches("[0-9]{3}")
                && Metadata.REDIRECTS.contains(Integer.valueOf(words[2]));
        check(known, where, words[2], "301, 302, 303, 307, 308");
        return new Redirect(source.host(), path, Integer.parseInt(words[2]), words[1], where);
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

    private static void check(boolean valid, String where, String what, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException(where + ": \"" + what + "\"; allowed: " + allowed);
        }
    }
}
