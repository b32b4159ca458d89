package org.microhttp.documents;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.tools.Readme;
import org.microhttp.tools.Tier;

/**
 * The page for contributors leads to the places where something new goes: what it names is there, and the
 * example of each list stands in every place of it.
 */
@Tier.Gate
final class ContributingTest {

    private static final Path PAGE = Readme.ROOT.resolve(".github/CONTRIBUTING.md");

    /** The lists, and what is looked for in their places, in any case; where it is not called so, as what. */
    private static final Map<String, List<String>> EXAMPLES = Map.of(
            "A rule of HTTP", List.of("bad_connection", "name.equals(\"connection\")", "Connection: close;q"),
            "An option", List.of("maxPendingRequests"),
            "A log event", List.of("leave_timeout"),
            "A scenario of the simulation", List.of("Preface", "proxied", "PROXIES", "PROXY headers"));

    private static final Pattern ITEM = Pattern.compile("(?m)^\\d+\\. .*(?:\n   .*)*");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern TYPE = Pattern.compile("([A-Z]\\w+)(?:\\.(\\w+)(?:\\(.*\\))?)?");
    private static final Pattern FILE =
            Pattern.compile("((?:src|examples|\\.ci|\\.github)/[\\w./-]+)(?: .*)?");

    static Stream<String> lists() {
        return EXAMPLES.keySet().stream();
    }

    private static String page() {
        return Readme.read(PAGE);
    }

    private static String section(String title) {
        Matcher section = Pattern.compile("(?ms)^#+ " + title + "\n(.*?)(?=^#|\\z)").matcher(page());
        assertTrue(section.find(), title);
        return section.group(1);
    }

    private static List<String> items(String title) {
        return ITEM.matcher(section(title)).results().map(MatchResult::group).toList();
    }

    /** In the order of the text, whose numbers are those of an ordered list. */
    @ParameterizedTest
    @MethodSource("lists")
    void everyItemIsNumberedAndLeadsToAPlace(String title) {
        List<String> items = items(title);
        assertTrue(items.size() >= 7, title);
        for (int i = 0; i < items.size(); i++) {
            assertTrue(items.get(i).startsWith(i + 1 + ". ["), items.get(i));
        }
    }

    @ParameterizedTest
    @MethodSource("lists")
    void theExampleStandsInEveryPlace(String title) {
        List<String> words = EXAMPLES.get(title);
        assertTrue(section(title).contains("`" + words.get(0) + "`"), title);
        for (String item : items(title)) {
            LINK.matcher(item).results().map(link -> PAGE.resolveSibling(link.group(1)).normalize())
                    .forEach(place -> assertTrue(mentions(place, words), place + " has no " + words));
        }
    }

    private static boolean mentions(Path place, List<String> words) {
        String text = Readme.read(place).toLowerCase();
        return words.stream().anyMatch(word -> text.contains(word.toLowerCase()));
    }

    /** Classes, their members, files. */
    @Test
    void whatThePageNamesIsThere() {
        Map<String, String> sources = sources();
        var missing = new ArrayList<String>();
        String text = page().replaceAll("(?ms)^```.*?^```$", "");
        CODE.matcher(text).results().map(code -> code.group(1))
                .filter(name -> !isThere(name, sources)).forEach(missing::add);
        assertEquals(List.of(), missing);
    }

    /** Also what is neither type nor file: there is nothing to look for. */
    private static boolean isThere(String name, Map<String, String> sources) {
        Matcher file = FILE.matcher(name);
        if (file.matches()) return Files.exists(Readme.ROOT.resolve(file.group(1)));
        Matcher type = TYPE.matcher(name);
        if (!type.matches()) return true;
        String source = sources.get(type.group(1));
        return source != null && (type.group(2) == null || source.contains(" " + type.group(2) + "("));
    }

    private static Map<String, String> sources() {
        return Stream.of("src/main/java", "src/test/java", "src/jmh/java", "examples")
                .flatMap(folder -> Readme.sources(folder).stream())
                .collect(toMap(Readme::name, Readme::read, (a, b) -> a + b));
    }

    @Test
    void missesWhatIsNotThere() {
        Map<String, String> sources = Map.of("Options", "Options withPort(int port)");
        for (String name : List.of("Options", "Options.withPort", "Options.withPort(int)", "src/test/full X",
                ".ci/run", "mvn verify", "bad_connection")) {
            assertTrue(isThere(name, sources), name);
        }
        for (String name : List.of("Option", "Options.withPor", "Options.port(int)", "src/test/ful",
                ".ci/runs")) {
            assertFalse(isThere(name, sources), name);
        }
        assertFalse(mentions(PAGE, List.of("bad_conection", "no word of that page")));
    }

    /** The commands are held by {@code ReadmeTest}: here, that they are those of the list. */
    @Test
    void aReleaseHasTheListOfTheApiWritten() {
        assertEquals(6, items("Releasing").size());
        assertTrue(section("Releasing").contains("java -cp target/classes:target/test-classes "
                + ApiList.class.getName() + "\n"));
    }
}
