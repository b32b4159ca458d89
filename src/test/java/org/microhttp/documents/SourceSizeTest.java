package org.microhttp.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.Programs;
import org.microhttp.tools.Readme;
import org.microhttp.tools.Tier;
import org.w3c.dom.Element;

/** Keeps the library small and its sources readable: counts what the README and the style promise. */
final class SourceSizeTest {

    /** Not lines, by which a source would be squeezed. */
    private static final int TOKENS = 34_489;
    private static final double TOKENS_A_LINE = 8.5;
    private static final int FILE_LINES = 400;
    private static final int METHOD_LINES = 30;

    private static final Set<String> GROUPS = Set.of("org.junit.jupiter", "org.openjdk.jmh");

    /** With these there would be more than the limit: a change that is in hand need not fight for each. */
    private static final int SLACK = 500;

    @Test
    void theLibraryIsSmall() {
        System.out.printf("The library has %,d tokens; its limit is %,d.%n", tokens(), TOKENS);
        assertTrue(tokens() <= TOKENS + SLACK, () -> "The library has " + tokens() + " tokens. Above "
                + (TOKENS + SLACK) + " it cannot be read in one sitting. Simplify some of it first.");
    }

    @Test
    void linesAreNotDense() {
        double density = (double) tokens() / codeLines();
        assertTrue(density <= TOKENS_A_LINE, density + " tokens a code line are hard to read: at most "
                + TOKENS_A_LINE + ". Give statements lines of their own.");
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
        assertEquals(List.of(), found, "A second statement of a line is overlooked. Give each its own line.");
    }

    /** Options is a list, which grows with each of them. */
    @Test
    void filesAreShort() throws IOException {
        assertEquals(List.of(), sources().stream().filter(file -> !file.endsWith("Options.java"))
                .filter(file -> Readme.read(file).lines().count() > FILE_LINES).toList(),
                "A file of more than " + FILE_LINES + " lines is hard to find one's way in. Split it.");
    }

    @Test
    void methodsAreShort() {
        List<String> found = new ArrayList<>();
        for (Path file : Readme.sources("src/main/java")) {
            for (String head : new SourceText(Readme.read(file)).blocksAbove(METHOD_LINES)) {
                found.add(file.getFileName() + ": " + head);
            }
        }
        assertEquals(List.of(), found, "A method has more than " + METHOD_LINES + " lines. Split it.");
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
    void nothingIsLeftToDo() throws IOException {
        Pattern mark = Pattern.compile("\\b(?:TO" + "DO|FIX" + "ME|X" + "XX)\\b");
        Stream<Path> texts = Stream.of("README.md", "pom.xml").map(Readme.ROOT::resolve);
        assertEquals(List.of(), Stream.concat(sources().stream(), texts)
                .filter(file -> mark.matcher(Readme.read(file)).find()).toList(), "Do it, or leave it out.");
    }

    @Test
    void nothingButTestsDependsOnAnything() {
        String pom = Readme.read(Readme.ROOT.resolve("pom.xml"));
        List<Element> all = Readme.elements(pom, "dependency");
        assertTrue(all.size() > 0);
        for (Element dependency : all) {
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
    void documentsClaimTheseLimits() {
        String limit = String.format(Locale.ROOT, "%,d", TOKENS);
        for (Path page : List.of(Readme.README, Readme.ROOT.resolve(".github/CONTRIBUTING.md"))) {
            assertTrue(Readme.read(page).contains(limit), page + " has another limit than " + limit
                    + " tokens, at which the build aims. Correct the one that is wrong.");
        }
    }

    @Test
    @Tier.Gate
    void theCommandOfTheSizeClaimCountsAsWeDo() throws Exception {
        String output = Programs.run(0, Programs.JAVA,
                Readme.ROOT.resolve("src/test/java/org/microhttp/documents/SourceText.java").toString(),
                "src/main/java");
        String counted = "src/main/java: " + tokens() + " tokens in " + codeLines() + " code lines, ";
        assertTrue(output.startsWith(counted), output);
        Matcher longest = Pattern.compile("longest method (\\d+)\n$").matcher(output);
        assertTrue(longest.find() && Integer.parseInt(longest.group(1)) <= METHOD_LINES, output);
    }

    private static int tokens() {
        return Readme.sources("src/main/java").stream()
                .mapToInt(file -> new SourceText(Readme.read(file)).tokens()).sum();
    }

    private static int codeLines() {
        return Readme.sources("src/main/java").stream()
                .mapToInt(file -> new SourceText(Readme.read(file)).codeLines()).sum();
    }

    /** Every Java source, and the scripts, which say so in their first line. */
    private static List<Path> sources() throws IOException {
        var all = new ArrayList<Path>();
        for (String folder : List.of("src", "examples", ".ci")) {
            try (Stream<Path> files = Files.walk(Readme.ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".java") || isScript(file)).forEach(all::add);
            }
        }
        return all;
    }

    private static boolean isScript(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file) && Readme.read(file).startsWith("#!")
                || file.toString().endsWith(".bash");
    }

    private static String child(Element element, String name) {
        return element.getElementsByTagName(name).item(0).getTextContent();
    }
}
