package org.microhttp.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.*;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The project's documents and sources as the tests read them: fenced blocks, tables, links, texts. */
public final class Readme {

    /** A fenced block: the word after the fence, and its lines, each with its line end. */
    public record Block(String language, String text) {
    }

    /** Where the build runs: the folder of pom.xml. */
    public static final Path ROOT = Path.of(System.getProperty("user.dir"));

    public static final Path README = ROOT.resolve("README.md");

    /** The page of the examples. */
    public static final Path EXAMPLES = ROOT.resolve("examples/README.md");

    /** The pages for users. */
    public static final Path PAGES = ROOT.resolve("src/site/markdown");

    private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");
    private static final Pattern LINK =
            Pattern.compile("\\]\\(([^)\\s]+)\\)|\\b(?:src|srcset|href)=\"([^\"]+)\"");

    private Readme() {
    }

    /** Every document: the README, the pages for users, and those beside what they are about. */
    public static List<Path> documents() {
        Stream<Path> beside = Stream.of(".github", "examples", "examples/extras",
                "examples/httpserver", "examples/tools", "examples/services", "examples/checks",
                "examples/services/edge", "examples/tools/sitearchive", "src/jmh", "src/jmh/entries",
                "src/jmh/services", "src/test")
                .map(ROOT::resolve);
        return Stream.of(Stream.of(README), pages(PAGES), beside.flatMap(Readme::pages))
                .flatMap(files -> files).toList();
    }

    /** The documents in a folder, and none where there is no such folder. */
    private static Stream<Path> pages(Path folder) {
        if (!Files.exists(folder)) return Stream.of();
        try (Stream<Path> files = Files.list(folder)) {
            // what GitHub puts before a request is no page to read
            return files.filter(file -> file.toString().endsWith(".md") && !name(file).endsWith("_template"))
                    .sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String text() {
        return read(README);
    }

    public static List<Block> blocksOf(String text) {
        return FENCED.matcher(text).results().map(m -> new Block(m.group(1), m.group(2))).toList();
    }

    public static List<String> blocks(String language) {
        return blocks(text(), language);
    }

    /** The blocks of a page other than the README. */
    public static List<String> blocks(String text, String language) {
        return blocksOf(text).stream().filter(b -> b.language.equals(language)).map(Block::text).toList();
    }

    /** Where a document leads, images included; not what only looks like a link, in code. */
    public static List<String> links(Path document) {
        String prose = withoutBlocks(document).replaceAll("`[^`]*`", "");
        return LINK.matcher(prose).results().map(m -> m.group(m.group(1) == null ? 2 : 1)).toList();
    }

    /** What {@code #...} may name in a document: its headings, as GitHub makes anchors of them. */
    public static Set<String> anchors(Path document) {
        return withoutBlocks(document).lines().filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static String withoutBlocks(Path document) {
        return read(document).replaceAll("(?ms)^```.*?^```$", "");
    }

    /**
     * The rows of the table whose first column has this title, in whichever document it is: its cells,
     * without the marks of code.
     */
    public static List<List<String>> table(String title) {
        return documents().stream().map(document -> table(read(document), title))
                .filter(rows -> !rows.isEmpty()).findFirst()
                .orElseThrow(() -> new AssertionError("no document has a table of " + title));
    }

    /** The rows of a table of one page; none if it has no such table. */
    public static List<List<String>> table(String text, String title) {
        List<List<String>> rows = tableWithTitles(text, title);
        return rows.isEmpty() ? rows : rows.subList(1, rows.size());
    }

    /** Likewise; its first row are the titles of the columns. */
    public static List<List<String>> tableWithTitles(String text, String title) {
        List<List<String>> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : text.split("\n")) {
            inside = line.startsWith("| " + title + " |") || inside && line.startsWith("|");
            if (inside) rows.add(cells(line));
        }
        // the line below the titles
        if (!rows.isEmpty()) rows.remove(1);
        return rows;
    }

    private static List<String> cells(String line) {
        String[] cells = line.substring(1).replace("`", "").split("(?<!\\\\)\\|", -1);
        return Arrays.stream(cells, 0, cells.length - 1).map(String::strip).toList();
    }

    /** Checks that a document names the same, in any order; the failure names only what differs. */
    public static void assertSame(Collection<String> expected, Collection<String> document, String rule) {
        List<String> missing = expected.stream().filter(each -> !document.contains(each)).toList();
        List<String> wrong = document.stream().filter(each -> !expected.contains(each)).toList();
        assertTrue(missing.isEmpty() && wrong.isEmpty() && expected.size() == document.size(),
                rule + "\nMissing there: " + missing + ". Wrong or twice there: " + wrong + ".");
    }

    /** The Java sources below a folder of the project, and none where there is no such folder. */
    public static List<Path> sources(String folder) {
        Path path = ROOT.resolve(folder);
        if (!Files.exists(path)) return List.of();
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The sources of the tests of all modules. */
    public static List<Path> tests() {
        return Stream.of("", "examples/extras/", "examples/httpserver/", "examples/tools/",
                "examples/services/", "examples/checks/")
                .flatMap(module -> sources(module + "src/test/java").stream()).toList();
    }

    /** The same by their simple names, without those that describe packages and modules. */
    public static Map<String, String> sourcesByName(String... folders) {
        return byName(Stream.of(folders).flatMap(folder -> sources(folder).stream()));
    }

    /** The sources of the tests of all modules by their simple names. */
    public static Map<String, String> testsByName() {
        return byName(tests().stream());
    }

    private static Map<String, String> byName(Stream<Path> sources) {
        return sources.filter(file -> !name(file).endsWith("-info"))
                .collect(Collectors.toMap(Readme::name, Readme::read, (a, b) -> a + b, TreeMap::new));
    }

    /** The elements of that name in a text of XML. */
    public static List<Element> elements(String xml, String name) {
        try {
            NodeList found = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                    .parse(new InputSource(new StringReader(xml))).getElementsByTagName(name);
            return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalArgumentException(xml, e);
        }
    }

    public static String read(Path file) {
        try {
            return Files.readString(file).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    /** A file's name without its ending. */
    public static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.\\w+$", "");
    }
}
