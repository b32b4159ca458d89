package representation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which paths are meant. A pattern without a slash is for the names of files in any folder, and one with a
 * slash for whole paths from the root, with a slash in front or without. In it {@code *} stands for any
 * characters but a slash, {@code **} for any, {@code ?} for one that is no slash.
 */
public final class PathPattern {

    private static final Pattern PIECE = Pattern.compile("\\*\\*|[*?]|[^*?]+");

    private final Pattern path;

    /** Takes any text: each is a pattern. */
    public PathPattern(String text) {
        boolean whole = text.contains("/");
        String front = whole ? "/?" : "(?:.*/)?";
        String expression = PIECE.matcher(text.startsWith("/") ? text.substring(1) : text)
                .replaceAll(piece -> Matcher.quoteReplacement(expression(piece.group())));
        path = Pattern.compile(front + expression, Pattern.DOTALL);
    }

    private static String expression(String piece) {
        return switch (piece) {
            case "**" -> ".*";
            case "*" -> "[^/]*";
            case "?" -> "[^/]";
            default -> Pattern.quote(piece);
        };
    }

    /** {@return whether a decoded path from the root, as {@code /a/b.css}, is meant} */
    public boolean matches(String decodedPath) {
        return path.matcher(decodedPath).matches();
    }
}
