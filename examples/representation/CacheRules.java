package representation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which Cache-Control the files of which paths have (RFC 9111 §5.2). A rule is {@code PATTERN=VALUE}. A
 * pattern without a slash is for the names of files in any folder, and one with a slash for whole paths from
 * the root, with a slash in front or without. In it {@code *} stands for any characters but a slash,
 * {@code **} for any, {@code ?} for one that is no slash. The first rule that fits is taken.
 */
public final class CacheRules {

    private static final String FLAG_FORM = "PATTERN=VALUE, as in '*.css=max-age=3600'";

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    // cache-directive = token [ "=" ( token / quoted-string ) ] (RFC 9111 §5.2)
    private static final String DIRECTIVE = TOKEN + "(?:=(?:" + TOKEN + "|\"[ -~&&[^\"\\\\]]*\"))?";
    private static final Pattern VALUE = Pattern.compile(DIRECTIVE + "(?:[ \t]*,[ \t]*" + DIRECTIVE + ")*");

    private static final Pattern PATTERN_PIECE = Pattern.compile("\\*\\*|[*?]|[^*?]+");

    private record Rule(Pattern path, String value) {
    }

    private final List<Rule> rules = new ArrayList<>();

    private CacheRules() {
    }

    /**
     * Reads rules.
     *
     * @throws IllegalArgumentException with a message for the user, if one of them is wrong
     */
    public static CacheRules of(List<String> rules) {
        var all = new CacheRules();
        for (String rule : rules) {
            int equals = rule.indexOf('=');
            check(equals > 0, rule, FLAG_FORM);
            String value = rule.substring(equals + 1);
            boolean valid = VALUE.matcher(value).matches();
            check(valid, rule, "directives of Cache-Control behind the first =, as in public, max-age=60");
            all.rules.add(new Rule(pattern(rule.substring(0, equals)), value));
        }
        return all;
    }

    private static Pattern pattern(String text) {
        boolean whole = text.contains("/");
        String front = whole ? "/?" : "(?:.*/)?";
        String path = PATTERN_PIECE.matcher(text.startsWith("/") ? text.substring(1) : text)
                .replaceAll(piece -> Matcher.quoteReplacement(expression(piece.group())));
        return Pattern.compile(front + path, Pattern.DOTALL);
    }

    private static String expression(String piece) {
        return switch (piece) {
            case "**" -> ".*";
            case "*" -> "[^/]*";
            case "?" -> "[^/]";
            default -> Pattern.quote(piece);
        };
    }

    private static void check(boolean valid, String given, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException("\"" + given + "\"; allowed: " + allowed);
        }
    }

    /** {@return the value for a decoded path from the root, as {@code /a/b.css}; null if no rule fits} */
    public String of(String path) {
        for (Rule rule : rules) {
            if (rule.path.matcher(path).matches()) {
                return rule.value;
            }
        }
        return null;
    }
}
