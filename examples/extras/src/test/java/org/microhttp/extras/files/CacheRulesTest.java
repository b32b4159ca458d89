package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.representation.PathPattern;
import org.microhttp.testing.Tier;

/** Which Cache-Control a path has by rules, and which paths fit a pattern. */
@Tier.Gate
final class CacheRulesTest {

    private static final String[] PIECES = {"a", "b", "*", "**", "?", "/", "\uD83D\uDE00"};

    @ParameterizedTest
    @CsvSource({
        "*.css,          /main.css,           true",
        "*.css,          /a/b/main.css,       true",
        "*.css,          main.css,            true",
        "*.css,          /main.css/x,         false",
        "*.css,          /main.CSS,           false",
        "*.css,          /mainxcss,           false",
        "*,              /a/b,                true",
        "robots.txt,     /a/robots.txt,       true",
        "robots.txt,     /a/xrobots.txt,      false",
        "/robots.txt,    /robots.txt,         true",
        "/robots.txt,    robots.txt,          true",
        "/robots.txt,    /a/robots.txt,       false",
        "/css/*,         /css/a.css,          true",
        "css/*,          /css/a.css,          true",
        "/css/*,         /css/b/a.css,        false",
        "/css/**,        /css/b/a.css,        true",
        "/**,            /a/b/c,              true",
        "/a/**/*.js,     /a/b/c/d.js,         true",
        "a?.js,          /ab.js,              true",
        "a?.js,          /a/.js,              false",
        "a?.js,          /a.js,               false",
        "(a|b).[c],      /(a|b).[c],          true",
        "\\Qa\\E,        /\\Qa\\E,            true",
        "'a b',          '/x/a b',            true",
    })
    void patternsMatchPaths(String pattern, String path, boolean fits) {
        String value = CacheRules.none().with(pattern, "no-cache").of(path);
        assertEquals(fits ? "no-cache" : null, value);
    }

    @Test
    void namesWithLineBreaksAndOtherCharacters() {
        var rules = CacheRules.none().with("*.css", "no-cache");
        assertEquals("no-cache", rules.of("/a\nb/c.css"));
        assertEquals("no-cache", rules.of("/\uD83D\uDE00\u00E9.css"));
    }

    @Test
    void firstMatchingRuleWins() {
        var rules = CacheRules.none().with("a.css", "no-store").with("*.css", "max-age=60")
                .with("*", "no-cache");
        assertEquals("no-store", rules.of("/x/a.css"));
        assertEquals("max-age=60", rules.of("/b.css"));
        assertEquals("no-cache", rules.of("/c"));
        assertNull(CacheRules.none().of("/c"));
        assertNull(CacheRules.none().with("a", "no-store").of("/c"));
    }

    @Test
    void severalDirectivesAreTaken() {
        for (String value : List.of("public, max-age=31536000, immutable", "max-age=60,must-revalidate",
                "private=\"Set-Cookie, X\", no-cache", "x-own")) {
            assertEquals(value, CacheRules.none().with("*", value).of("/a"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "max-age 60", "max-age=", "public,", "x=\"\u010D\"", "a\r\nb"})
    void invalidValuesAreRefused(String value) {
        CacheRules rules = CacheRules.none().with("*.js", "no-cache");
        assertEquals("the Cache-Control of \"a\" is \"" + value + "\"; allowed: directives, as in public,"
                        + " max-age=60",
                assertThrows(IllegalArgumentException.class, () -> rules.with("a", value)).getMessage());
    }

    /** Says the same as regular expressions, which would take for ever for some. */
    @Test
    void patternsAgreeWithRegularExpressions() {
        var random = new SplittableRandom(4);
        int fit = 0;
        for (int i = 0; i < 20_000; i++) {
            String pattern = text(random, PIECES.length, 6);
            String path = "/" + text(random, 2, 3) + (random.nextBoolean() ? "/" : "") + text(random, 2, 3)
                    + (random.nextInt(8) == 0 ? "/\uD83D\uDE00" : "");
            boolean expected = expression(pattern).matcher(path).matches();
            assertEquals(expected, new PathPattern(pattern).matches(path), pattern + " and " + path);
            fit += expected ? 1 : 0;
        }
        assertTrue(fit > 1_000 && fit < 19_000, "" + fit);
    }

    private static String text(SplittableRandom random, int pieces, int most) {
        return random.ints(random.nextInt(most + 1), 0, pieces).mapToObj(i -> PIECES[i])
                .collect(Collectors.joining());
    }

    private static Pattern expression(String text) {
        boolean whole = text.contains("/");
        String expression = Pattern.compile("\\*\\*|[*?]|[^*?]+")
                .matcher(text.startsWith("/") ? text.substring(1) : text)
                .replaceAll(piece -> Matcher.quoteReplacement(expressionOf(piece.group())));
        return Pattern.compile((whole ? "/" : "(?:.*/)?") + expression, Pattern.DOTALL);
    }

    private static String expressionOf(String piece) {
        return switch (piece) {
            case "**" -> ".*";
            case "*" -> "[^/]*";
            case "?" -> "[^/]";
            default -> Pattern.quote(piece);
        };
    }

    @Test
    @Timeout(30)
    void matchingTakesLinearTime() {
        String path = "/" + "a".repeat(2_000);
        assertFalse(new PathPattern("*a".repeat(500) + "b").matches(path));
        assertFalse(new PathPattern("**a".repeat(500) + "b").matches(path));
        assertFalse(new PathPattern("**a*".repeat(500) + "b").matches(path));
        assertTrue(new PathPattern("*a".repeat(500)).matches(path));
    }
}
