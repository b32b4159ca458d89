package org.microhttp.extras.files;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.microhttp.extras.representation.PathPattern;

/** The Cache-Control of files by their paths (RFC 9111 §5.2). The first rule that matches applies. */
final class CacheRules {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    // cache-directive = token [ "=" ( token / quoted-string ) ] (RFC 9111 §5.2)
    private static final String DIRECTIVE = TOKEN + "(?:=(?:" + TOKEN + "|\"[ -~&&[^\"\\\\]]*\"))?";
    private static final Pattern VALUE = Pattern.compile(DIRECTIVE + "(?:[ \t]*,[ \t]*" + DIRECTIVE + ")*");

    private record Rule(PathPattern path, String value) {
    }

    private final List<Rule> rules;

    private CacheRules(List<Rule> rules) {
        this.rules = rules;
    }

    /** {@return no rules: files have no Cache-Control} */
    static CacheRules none() {
        return new CacheRules(List.of());
    }

    /**
     * {@return these rules, followed by a new one}
     *
     * @param pattern see {@link PathPattern}
     * @throws IllegalArgumentException if the value is no valid Cache-Control
     */
    CacheRules with(String pattern, String value) {
        if (!VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("the Cache-Control of \"" + pattern + "\" is \"" + value
                    + "\"; allowed: directives, as in public, max-age=60");
        }
        List<Rule> more = new ArrayList<>(rules);
        more.add(new Rule(new PathPattern(pattern), value));
        return new CacheRules(more);
    }

    /** {@return the value for a decoded path, such as {@code /a/b.css}; null if no rule matches} */
    String of(String path) {
        for (Rule rule : rules) {
            if (rule.path.matches(path)) {
                return rule.value;
            }
        }
        return null;
    }
}
