package org.microhttp.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.Readme;
import org.microhttp.tools.Tier;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** Keeps the library small and its sources readable: counts what the README and the style promise. */
@Tier.Gate
final class SourceSizeTest {

    /** Not lines, by which a source would be squeezed. */
    private static final int TOKENS = 26_000;
    private static final double TOKENS_A_LINE = 8.5;
    private static final int FILE_LINES = 400;
    private static final int METHOD_LINES = 30;
    private static final int COLUMNS = 110;

    private static final Set<String> GROUPS = Set.of("org.junit.jupiter", "org.openjdk.jmh");
    private static final List<String> SCRIPTS = List.of("examples/run", "examples/pack", "examples/site",
            "examples/tools/edge/demo", ".ci/run", "src/test/consumer/check", "src/test/reproducible",
            "src/test/release", "src/test/fresh", "src/test/simulate", "src/test/full", "src/test/mutants",
            "src/test/cost", "src/jmh/bench", "src/jmh/ab", "src/jmh/ab20000", "src/jmh/client",
            "src/jmh/connections", "src/jmh/delay", "src/jmh/compare", "src/jmh/files", "src/jmh/archive",
            "src/jmh/report", "src/jmh/common.bash");

    @Test
    void theLibraryIsSmall() {
        assertTrue(tokens() <= TOKENS, tokens() + " tokens, of " + TOKENS);
    }

    @Test
    void linesAreNotDense() {
        double density = (double) tokens() / codeLines();
        assertTrue(density <= TOKENS_A_LINE, density + " tokens a code line");
    }

    /** A body behind its head, or a second statement behind the first. */
    @Test
    void aLineHasOneStatement() {
        Pattern two = Pattern.compile("^\\s*(?:for|while) \\(.*\\) [^{]*;$|^\\s*(?:else|do|try) [^{i].*;"
                + "|;\\s+\\w.*;(?!.*\\{$)|\\{ .*;.*; \\}");
        List<String> found = new ArrayList<>();
        for (Path file : Readme.sources("src/main/java")) {
            new SourceText(Readme.read(file)).withoutText().lines().filter(line -> two.matcher(line).find())
                    .forEach(line -> found.add(file.getFileName() + ": " + line.strip()));
        }
        assertEquals(List.of(), found);
    }

    @Test
    void filesAreShort() {
        assertEquals(List.of(), sources().filter(file -> Readme.read(file).lines().count() > FILE_LINES)
                .map(file -> file + ": " + Readme.read(file).lines().count()).toList());
    }

    @Test
    void linesAreShort() {
        List<String> found = new ArrayList<>();
        sources().forEach(file -> Readme.read(file).lines()
                .filter(line -> line.codePointCount(0, line.length()) > COLUMNS)
                .forEach(line -> found.add(file.getFileName() + ": " + line.strip())));
        assertEquals(List.of(), found);
    }

    @Test
    void linesAreOfSpacesAndEndInCode() {
        assertEquals(List.of(), sources().filter(file -> Readme.read(file).contains("\t")
                || Readme.read(file).contains(" \n")).toList());
    }

    @Test
    void methodsAreShort() {
        List<String> found = new ArrayList<>();
        for (Path file : Readme.sources("src/main/java")) {
            for (String head : new SourceText(Readme.read(file)).blocksAbove(METHOD_LINES)) {
                found.add(file.getFileName() + ": " + head);
            }
        }
        assertEquals(List.of(), found);
    }

    @Test
    void measuresWhatItShould() {
        String body = "/* } */ a('}', \"}\\\"\"); // }\n".repeat(3);
        String source = "/**\n * {\n */\nclass A {\n\n    // {\n    void m() {\n" + body + "    }\n}\n";
        assertEquals(7, new SourceText(source).codeLines());
        // class A { void m ( ) {, three times a ( '}' , "}\"" ) ;, and } }
        assertEquals(8 + 3 * 7 + 2, new SourceText(source).tokens());
        assertEquals(1, new SourceText("\"// no comment, /* nor this */\" // but this").tokens());
        assertEquals(List.of("void m() {"), new SourceText(source).blocksAbove(4));
        assertEquals(List.of(), new SourceText(source).blocksAbove(5));
    }

    @Test
    void nothingIsLeftToDo() {
        Pattern mark = Pattern.compile("\\b(?:TO" + "DO|FIX" + "ME|X" + "XX)\\b");
        Stream<Path> texts = Stream.of("README.md", "pom.xml").map(Readme.ROOT::resolve);
        assertEquals(List.of(), Stream.concat(sources(), texts)
                .filter(file -> mark.matcher(Readme.read(file)).find()).toList());
    }

    @Test
    void nothingButTestsDependsOnAnything() throws Exception {
        NodeList all = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(Readme.ROOT.resolve("pom.xml").toFile()).getElementsByTagName("dependency");
        assertTrue(all.getLength() > 0);
        for (int i = 0; i < all.getLength(); i++) {
            Element dependency = (Element) all.item(i);
            assertTrue(GROUPS.contains(child(dependency, "groupId")), child(dependency, "groupId"));
            boolean ofThePlugin = "plugin".equals(dependency.getParentNode().getParentNode().getNodeName());
            assertTrue(ofThePlugin || "test".equals(child(dependency, "scope")), "not of scope test");
        }
    }

    @Test
    void theModuleRequiresNothing() {
        String module = Readme.read(Readme.ROOT.resolve("src/main/java/module-info.java"));
        assertEquals(-1, module.indexOf("requires"));
    }

    @Test
    void theSizeClaimHolds() throws Exception {
        Matcher claim = Pattern.compile("at most ([0-9,]+)\\s+tokens,\\s+in\\s+files\\s+of\\s+at\\s+most\\s+"
                + "([0-9]+)\\s+lines").matcher(Readme.text());
        assertTrue(claim.find());
        assertEquals(TOKENS, Integer.parseInt(claim.group(1).replace(",", "")));
        assertEquals(FILE_LINES, Integer.parseInt(claim.group(2)));
    }

    @Test
    void theCommandOfTheSizeClaimCountsAsWeDo() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        String command = Readme.blocks("bash").get(3);
        Process process = new ProcessBuilder("/bin/bash", "-c", command)
                .directory(Readme.ROOT.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        String counted = "src/main/java: " + tokens() + " tokens in " + codeLines() + " code lines, ";
        assertTrue(output.startsWith(counted), output);
        Matcher longest = Pattern.compile("longest file (\\d+) lines, longest method (\\d+)\n$")
                .matcher(output);
        assertTrue(longest.find(), output);
        assertTrue(Integer.parseInt(longest.group(1)) <= FILE_LINES, output);
        assertTrue(Integer.parseInt(longest.group(2)) <= METHOD_LINES, output);
    }

    private static int tokens() {
        return Readme.sources("src/main/java").stream()
                .mapToInt(file -> new SourceText(Readme.read(file)).tokens()).sum();
    }

    private static int codeLines() {
        return Readme.sources("src/main/java").stream()
                .mapToInt(file -> new SourceText(Readme.read(file)).codeLines()).sum();
    }

    /** Every Java source, and the scripts. */
    private static Stream<Path> sources() {
        Stream<Path> java = Stream.of("src/main", "src/test", "src/jmh", "examples")
                .flatMap(folder -> Readme.sources(folder).stream());
        return Stream.concat(java, SCRIPTS.stream().map(Readme.ROOT::resolve));
    }

    private static String child(Element element, String name) {
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node.getNodeName().equals(name)) return node.getTextContent();
        }
        return null;
    }
}
