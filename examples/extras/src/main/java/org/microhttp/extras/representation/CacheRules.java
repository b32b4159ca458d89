package org.microhttp.extras.representation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which Cache-Control the files of which paths have (RFC 9111 §5.2). A rule is {@code PATTERN=VALUE}, with a
 * {@link PathPattern}. The first rule that fits is taken.
 */
public final class CacheRules {

    private static final String FLAG_FORM = "PATTERN=VALUE, as in '*.css=max-age=3600'";

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    // cache-directive = token [ "=" ( token / quoted-string ) ] (RFC 9111 §5.2)
    private static final String DIRECTIVE = TOKEN + "(?:=(?:" + TOKEN + "|\"[ -~&&[^\"\\\\]]*\"))?";
    private static final Pattern VALUE = Pattern.compile(DIRECTIVE + "(?:[ \t]*,[ \t]*" + DIRECTIVE + ")*");

    private record Rule(PathPattern path, String value) {
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
            all.rules.add(new Rule(new PathPattern(rule.substring(0, equals)), value));
        }
        return all;
    }

    private static void check(boolean valid, String given, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException("\"" + given + "\"; allowed: " + allowed);
        }
    }

    /** {@return the value for a decoded path from the root, as {@code /a/b.css}; null if no rule fits} */
    public String of(String path) {
        for (Rule rule : rules) {
            if (rule.path.matches(path)) {
                return rule.value;
            }
        }
        return null;
    }
}
