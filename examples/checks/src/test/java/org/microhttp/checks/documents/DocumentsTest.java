package org.microhttp.checks.documents;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** What all documents name is there: where links lead, the files and programs of commands, classes. */
@Tier.Gate
final class DocumentsTest {

    private static final Set<String> TESTED =
            Set.of("java", "diff", "console", "xml", "groovy", "bash", "text", "dockerfile");
    private static final Pattern BARE_ADDRESS =
            Pattern.compile("\\bcurl\\b[^`\n]* http://[^\\s'\"`]*[?&*;\\[{(][^\\s`]*");

    /** What a command has of this project. */
    private static final Pattern FILE = Pattern.compile("(?m)(?<=^| )(?:src|examples|\\.ci)/[\\w./-]+");
    private static final Pattern PROGRAM =
            Pattern.compile("java -cp target/classes:target/test-classes(?: -\\S+)* ([\\w.]+)");

    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern TYPE = Pattern.compile("([A-Z]\\w+)(?:\\.(\\w+)(?:\\(.*\\))?)?");
    private static final Pattern PATH =
            Pattern.compile("((?:src|examples|\\.ci|\\.github)/[\\w./-]+)(?: .*)?");

    /** Fails with everything that is wrong in any document. */
    private static void assertNone(String rule, Function<Path, Stream<String>> wrong) {
        assertEquals("", Readme.documents().stream().flatMap(document -> wrong.apply(document)
                .map(what -> Readme.ROOT.relativize(document) + ": " + what)).collect(joining("\n")), rule);
    }

    @Test
    void linksLeadSomewhere() {
        assertNone("A link leads nowhere, and a reader would be lost. Correct it, or the heading it names.",
                document -> Readme.links(document).stream()
                        .filter(link -> !link.matches("https?:.*") && !leadsSomewhere(document, link)));
    }

    private static boolean leadsSomewhere(Path document, String link) {
        String[] parts = link.split("#");
        Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
        return target.startsWith(Readme.ROOT) && Files.exists(target)
                && (parts.length == 1 || Readme.anchors(target).contains(parts[1]));
    }

    /** The README and the guide, which is the index of all pages. */
    @Test
    void everyDocumentIsFound() {
        Path guide = Readme.PAGES.resolve("README.md");
        Set<Path> linked = Stream.of(Readme.README, guide).flatMap(index -> Readme.links(index).stream()
                .map(link -> index.resolveSibling(link.replaceFirst("#.*", "")).normalize()))
                .collect(toSet());
        assertNone("Nobody finds a page without a link in the README or the guide. Add one to the guide.",
                document -> Stream.of("no link").filter(no -> !document.equals(Readme.README)
                        && !linked.contains(document)));
    }

    @Test
    void everyBlockIsOfAKindThatIsTested() {
        assertNone("A block of another language would be tested by nothing. Use one of " + TESTED
                + ", or add a test of it.", document -> {
            List<Readme.Block> blocks = Readme.blocksOf(Readme.read(document));
            long fences = Readme.read(document).lines().filter(line -> line.startsWith("```")).count();
            return Stream.concat(Stream.of("a block has no language, or no end").filter(no ->
                    fences != 2L * blocks.size()), blocks.stream().map(Readme.Block::language)
                    .filter(language -> !TESTED.contains(language)));
        });
    }

    /** A shell may take these characters for a pattern, or for its own. */
    @Test
    void addressesWithAQueryAreQuotedForTheShell() {
        assertNone("A shell would change this address. Put it in single quotes.", document ->
                BARE_ADDRESS.matcher(Readme.read(document)).results().map(MatchResult::group));
    }

    @Test
    void shellAcceptsTheCommands() throws Exception {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        String all = Readme.documents().stream()
                .flatMap(document -> Readme.blocks(Readme.read(document), "bash").stream())
                .collect(joining());
        assertEquals("", Programs.run(0, "bash", "-n", "-c", all));
    }

    @Test
    void commandsAreOfThisProject() {
        assertNone("A command names a script, a file or a program that is not there. Name what is there now.",
                document -> Readme.blocks(Readme.read(document), "bash").stream().flatMap(String::lines)
                        .map(line -> line.replaceAll("#.*", "")).filter(line -> !canRun(line)));
    }

    private static boolean canRun(String line) {
        String first = line.replaceFirst("^(\\w+=\\S* )+", "").replaceFirst(" .*", "");
        boolean files = FILE.matcher(line).results().map(file -> Readme.ROOT.resolve(file.group()))
                .allMatch(file -> file.endsWith(first) ? Files.isExecutable(file) : Files.exists(file));
        return files && PROGRAM.matcher(line).results().allMatch(program -> isClass(program.group(1)));
    }

    private static boolean isClass(String name) {
        try {
            Class.forName(name, false, DocumentsTest.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Classes, their members and files, in the pages for those who change the project. */
    @Test
    void whatContributorsAreToldOfIsThere() {
        Map<String, String> sources =
                Readme.sourcesByName("src/main/java", "src/test/java", "src/jmh/java", "examples");
        assertNone("A page for contributors names a file, a class or a method that is not there. Correct it.",
                page -> !page.startsWith(Readme.ROOT.resolve(".github")) ? Stream.of()
                        : CODE.matcher(Readme.read(page).replaceAll("(?ms)^```.*?^```$", "")).results()
                        .map(code -> code.group(1)).filter(name -> !isThere(name, sources)));
    }

    /** Also what is neither type nor file: there is nothing to look for. */
    private static boolean isThere(String name, Map<String, String> sources) {
        Matcher file = PATH.matcher(name);
        if (file.matches()) return Files.exists(Readme.ROOT.resolve(file.group(1)));
        Matcher type = TYPE.matcher(name);
        if (!type.matches()) return true;
        String source = sources.get(type.group(1));
        return source != null && (type.group(2) == null || source.contains(" " + type.group(2) + "("));
    }
}
