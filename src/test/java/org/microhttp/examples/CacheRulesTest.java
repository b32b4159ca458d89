package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.tools.Tier;
import representation.CacheRules;

/** Which Cache-Control a path has by rules. */
@Tier.Gate
final class CacheRulesTest {

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
    void patterns(String pattern, String path, boolean fits) {
        String value = CacheRules.of(List.of(pattern + "=no-cache")).of(path);
        assertEquals(fits ? "no-cache" : null, value);
    }

    @Test
    void namesWithLineBreaksAndOtherCharacters() {
        var rules = CacheRules.of(List.of("*.css=no-cache"));
        assertEquals("no-cache", rules.of("/a\nb/c.css"));
        assertEquals("no-cache", rules.of("/\uD83D\uDE00\u00E9.css"));
    }

    @Test
    void theFirstThatFits() {
        var rules = CacheRules.of(List.of("a.css=no-store", "*.css=max-age=60", "*=no-cache"));
        assertEquals("no-store", rules.of("/x/a.css"));
        assertEquals("max-age=60", rules.of("/b.css"));
        assertEquals("no-cache", rules.of("/c"));
        assertNull(CacheRules.of(List.of()).of("/c"));
        assertNull(CacheRules.of(List.of("a=no-store")).of("/c"));
    }

    @Test
    void valuesOfSeveralDirectives() {
        for (String value : List.of("public, max-age=31536000, immutable", "max-age=60,must-revalidate",
                "private=\"Set-Cookie, X\", no-cache", "x-own")) {
            assertEquals(value, CacheRules.of(List.of("*=" + value)).of("/a"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "*.css        | \"*.css\"; allowed: PATTERN=VALUE, as in '*.css=max-age=3600'",
        "=no-cache    | \"=no-cache\"; allowed: PATTERN=VALUE, as in '*.css=max-age=3600'",
        "a=           | \"a=\"; allowed: directives of Cache-Control behind the first =, as in"
                + " public, max-age=60",
        "a=max-age 60 | \"a=max-age 60\"; allowed: directives of Cache-Control behind the first =, as in"
                + " public, max-age=60",
        "a=max-age=   | \"a=max-age=\"; allowed: directives of Cache-Control behind the first =, as in"
                + " public, max-age=60",
        "a=public,    | \"a=public,\"; allowed: directives of Cache-Control behind the first =, as in"
                + " public, max-age=60",
        "a=x=\"\u010D\" | \"a=x=\"\u010D\"\"; allowed: directives of Cache-Control behind the first =, as in"
                + " public, max-age=60",
    })
    void whatIsWrongIsSaid(String rule, String message) {
        List<String> rules = List.of("*.js=no-cache", rule);
        assertEquals(message,
                assertThrows(IllegalArgumentException.class, () -> CacheRules.of(rules)).getMessage());
    }
}
