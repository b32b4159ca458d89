package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.*;

import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.tools.Tier;
import representation.PathPattern;

/** Patterns of paths, beside what {@code CacheRulesTest} has of them. */
@Timeout(30)
@Tier.Gate
final class PathPatternTest {

    private static final String[] PIECES = {"a", "b", "*", "**", "?", "/", "\uD83D\uDE00"};

    /** Says the same as regular expressions, which would take for ever for some. */
    @Test
    void meansWhatIsSaid() {
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
    void takesItsTimeAndNoMore() {
        String path = "/" + "a".repeat(2_000);
        assertFalse(new PathPattern("*a".repeat(500) + "b").matches(path));
        assertFalse(new PathPattern("**a".repeat(500) + "b").matches(path));
        assertFalse(new PathPattern("**a*".repeat(500) + "b").matches(path));
        assertTrue(new PathPattern("*a".repeat(500)).matches(path));
    }
}
