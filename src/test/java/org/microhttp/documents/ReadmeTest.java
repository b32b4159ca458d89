package org.microhttp.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.EventLoop;
import org.microhttp.tools.Programs;
import org.microhttp.tools.Readme;
import org.microhttp.tools.SourceCompiler;
import org.microhttp.tools.Tier;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/**
 * Does what the documents say. Their programs are compiled as they stand, then once more with the port alone
 * rewritten: {@code withPort(8080)} to {@code withPort(0)}, and where a program takes default options, these
 * with port 0. A process runs them and says its port itself, in the event {@code listen} or in a line of its
 * own. The request that is shown is sent, and all of the answer compared but for the time in Date. Links and
 * commands lead somewhere, and the README stays short.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ReadmeTest {

    /** A program and what is shown below it: a request by curl, and its answer. */
    record Program(String name, String source, String shown) {
        @Override public String toString() { return name; }
    }

    private static final int README_LINES = 250;
    private static final String ENDS = "$ java -cp target/classes ";
    private static final Pattern CLASS =
            Pattern.compile("public (?:final )?class (\\w+) (?:implements \\w+ )?\\{");
    private static final Pattern CURL =
            Pattern.compile("\\$ curl( -i)?(?: -d (\\w+))? '?http://localhost:8080(/[^\\s']*)'?\n");
    private static final Pattern BARE_ADDRESS =
            Pattern.compile("\\bcurl\\b[^`\n]* http://[^\\s'\"`]*[?&*;\\[{(][^\\s`]*");
    private static final Pattern PORT = Pattern.compile(
            ".*(?: event=listen local_address=\\S*:|listening on port |listening on localhost:)(\\d+)");
    private static final Pattern DATE =
            Pattern.compile("Date: \\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");

    /** What a command has of this project. */
    private static final Pattern OURS = Pattern.compile("(?m)(?<=^| )(?:src|examples|\\.ci)/[\\w./-]+");
    private static final Pattern OUR_PROGRAM =
            Pattern.compile("java -cp target/classes:target/test-classes(?: -\\S+)* ([\\w.]+)");

    @TempDir
    private Path folder;
    private Process process;

    @AfterEach
    void endProcess() throws InterruptedException {
        if (process != null) process.destroyForcibly().waitFor();
    }

    static List<Path> documents() {
        return Readme.documents();
    }

    /** Those that serve. */
    static List<Program> programs() {
        return all().filter(program -> !program.shown.startsWith(ENDS)).toList();
    }

    /** Those that end by themselves. */
    static List<Program> programsThatEnd() {
        return all().filter(program -> program.shown.startsWith(ENDS)).toList();
    }

    private static Stream<Program> all() {
        return documents().stream().flatMap(document -> programs(document).stream());
    }

    private static List<Program> programs(Path document) {
        Pattern pair = Pattern.compile("(?ms)^```java\n(.*?)^```\n\n```console\n(.*?)^```$");
        return pair.matcher(Readme.read(document)).results()
                .map(m -> new Program(className(m.group(1)), m.group(1), m.group(2))).toList();
    }

    private static Program program(String name) {
        return programs().stream().filter(program -> program.name.equals(name)).findFirst().orElseThrow();
    }

    private static String className(String source) {
        Matcher name = CLASS.matcher(source);
        assertTrue(name.find(), source);
        return name.group(1);
    }

    @Test
    void theReadmeIsShort() {
        long lines = Readme.text().lines().count();
        assertTrue(lines <= README_LINES, lines + " lines");
    }

    @Test
    void theReadmeAndItsPagesShowProgramsWithTheirAnswers() {
        assertEquals(List.of("Minimal", "Asynchronous", "AllProcessors"),
                programs(Readme.README).stream().map(Program::name).toList());
        assertEquals(List.of("Minimal", "Asynchronous", "AllProcessors", "ExchangePrinter", "SeparateThread",
                "InATest", "OneFile", "AllOptions"), all().map(Program::name).toList());
        for (Path document : documents()) {
            if (!document.equals(Readme.README) && !document.startsWith(Readme.PAGES)) continue;
            assertEquals(Readme.blocks(Readme.read(document), "java"),
                    programs(document).stream().map(Program::source).toList());
        }
    }

    /** Those of the README and its pages with the library alone, others with the programs beside it. */
    @ParameterizedTest
    @MethodSource("documents")
    void everyJavaBlockIsCompiled(Path document) throws Exception {
        boolean alone = document.equals(Readme.README) || document.startsWith(Readme.PAGES);
        Path others = alone ? folder : location(Class.forName("HelloServer"));
        for (String source : Readme.blocks(Readme.read(document), "java")) {
            compile(className(source), source, others);
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programAnswersAsShown(Program program) throws Exception {
        String freePort = program.source
                .replace("withPort(8080)", "withPort(0)")
                .replaceAll("new EventLoop\\((?!options)",
                        "new EventLoop(new org.microhttp.Options().withPort(0), ");
        assertFalse(freePort.equals(program.source), "takes a fixed port");
        compile(program.name, freePort);
        assertAnswers(run(folder.toString(), program.name), program.shown);
    }

    @ParameterizedTest
    @MethodSource("programsThatEnd")
    void programPrintsWhatIsShown(Program program) throws Exception {
        Path file = Files.writeString(folder.resolve(program.name + ".java"), program.source);
        var builder = new ProcessBuilder(Programs.JAVA, "-cp", location(EventLoop.class).toString(),
                file.toString());
        process = Programs.withoutJavaOptions(builder).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
        assertEquals(program.shown, ENDS + program.name + ".java\n" + said);
        assertEquals(0, process.waitFor());
    }

    @Test
    void theLoopOnItsOwnThreadStopsAtALine() throws Exception {
        Program program = program("SeparateThread");
        compile(program.name, program.source.replace("new EventLoop(",
                "new EventLoop(new org.microhttp.Options().withPort(0), "));
        run(folder.toString(), program.name);
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        List<String> rest = process.inputReader(ISO_8859_1).lines().toList();
        assertEquals("stopped", rest.get(rest.size() - 1));
        assertEquals(0, process.waitFor());
    }

    @Test
    void theFirstExchangeIsThatOfHelloServer() throws Exception {
        String testClasses = location(Class.forName("HelloServer")).toString();
        assertAnswers(run(testClasses, "HelloServer", "0"), Readme.blocks("console").get(0));
    }

    @Test
    void consumersHaveTheMinimalProgram() {
        String minimal = program("Minimal").source;
        Path consumers = Readme.ROOT.resolve("src/test/consumer");
        assertEquals(minimal, Readme.read(consumers.resolve("classpath/src/main/java/Minimal.java")));
        assertEquals("package consumer;\n\n" + minimal,
                Readme.read(consumers.resolve("module/src/main/java/consumer/Minimal.java")));
    }

    @Test
    void coordinatesAreThoseOfThePom() throws Exception {
        Document pom = xml(Readme.read(Readme.ROOT.resolve("pom.xml")));
        List<String> names = List.of("groupId", "artifactId", "version");
        List<String> ours = names.stream().map(name -> text(pom, name)).toList();
        for (String block : Readme.blocks("xml")) {
            Document dependency = xml(block);
            assertEquals("dependency", dependency.getDocumentElement().getTagName());
            assertEquals(ours, names.stream().map(name -> text(dependency, name)).toList());
        }
        assertEquals(1, Readme.blocks("xml").size());
        assertEquals(List.of("implementation '" + String.join(":", ours) + "'\n"), Readme.blocks("groovy"));
    }

    @Test
    void theReadmesCommandsAreKnown() throws Exception {
        List<String> commands = Readme.blocks("bash");
        assertEquals("examples/run HelloServer\n", commands.get(0));
        assertEquals("mvn verify\n", commands.get(1));
        assertTrue(Readme.read(Readme.ROOT.resolve(".ci/run")).contains("mvn verify"));
        assertEquals("""
                java -cp target/classes:target/test-classes HelloServer
                java -cp target/classes:target/test-classes responseserver.ResponseServer --help
                """, commands.get(2));
        assertEquals("test-classes", location(Class.forName("HelloServer")).getFileName().toString());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void commandsAreOfThisProject(Path document) throws Exception {
        for (String command : Readme.blocks(Readme.read(document), "bash")) {
            for (String line : command.replaceAll("#.*", "").split("\n")) {
                String first = line.replaceFirst("^(\\w+=\\S* )+", "").replaceFirst(" .*", "");
                for (MatchResult ours : OURS.matcher(line).results().toList()) {
                    Path file = Readme.ROOT.resolve(ours.group());
                    assertTrue(file.endsWith(first) ? Files.isExecutable(file) : Files.exists(file), line);
                }
            }
            Matcher program = OUR_PROGRAM.matcher(command);
            while (program.find()) Class.forName(program.group(1), false, ReadmeTest.class.getClassLoader());
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void shellAcceptsTheCommands(Path document) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        for (String command : Readme.blocks(Readme.read(document), "bash")) {
            process = new ProcessBuilder("/bin/bash", "-n", "-c", command).redirectErrorStream(true).start();
            assertEquals("", new String(process.getInputStream().readAllBytes(), ISO_8859_1));
            assertEquals(0, process.waitFor());
        }
    }

    /** A shell may take these characters for a pattern, or for its own. */
    @ParameterizedTest
    @MethodSource("documents")
    void addressesWithAQueryAreQuotedForTheShell(Path document) {
        Matcher bare = BARE_ADDRESS.matcher(Readme.read(document));
        assertFalse(bare.find(), () -> bare.group());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyBlockIsOfAKindThatIsTested(Path document) {
        Set<String> tested = Set.of("java", "diff", "console", "xml", "groovy", "bash");
        List<Readme.Block> blocks = Readme.blocksOf(Readme.read(document));
        for (Readme.Block b : blocks) assertTrue(tested.contains(b.language()), b.text());
        long fences = Readme.read(document).lines().filter(line -> line.startsWith("```")).count();
        assertEquals(fences, 2 * blocks.size());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksLeadSomewhere(Path document) {
        for (String link : Readme.links(document)) {
            if (link.matches("https?:.*")) continue;
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
            assertTrue(target.startsWith(Readme.ROOT) && Files.exists(target), link);
            boolean anchored = parts.length == 1 || Readme.anchors(target).contains(parts[1]);
            assertTrue(anchored, link);
        }
    }

    @Test
    void theReadmeLeadsToEveryDocument() {
        Set<Path> linked = Readme.links(Readme.README).stream().map(link -> link.replaceFirst("#.*", ""))
                .map(link -> Readme.ROOT.resolve(link).normalize()).collect(toSet());
        for (Path document : documents()) {
            assertTrue(document.equals(Readme.README) || linked.contains(document), document.toString());
        }
    }

    /** A title, and below it a paragraph whose first sentence is on what the page is for. */
    @ParameterizedTest
    @MethodSource("documents")
    void everyDocumentBeginsWithWhatItIsFor(Path document) {
        assertTrue(Readme.read(document).matches("(?s)# [^\n]+\n\n[A-Z][^.]*\\..*"), document.toString());
    }

    private void compile(String name, String source, Path... others) throws Exception {
        Stream<Path> paths = Stream.concat(Stream.of(location(EventLoop.class)), Stream.of(others));
        String path = paths.map(Path::toString).collect(joining(System.getProperty("path.separator")));
        assertEquals("", SourceCompiler.compile(folder, path, 17, Map.of(name, source)), source);
    }

    /** Starts a program with the library, and reads where it listens. */
    private int run(String classes, String... nameAndArguments) throws Exception {
        String path = location(EventLoop.class) + System.getProperty("path.separator") + classes;
        var builder = new ProcessBuilder(Programs.JAVA, "-cp", path);
        builder.command().addAll(List.of(nameAndArguments));
        process = Programs.withoutJavaOptions(builder).redirectErrorStream(true).start();
        BufferedReader output = process.inputReader(ISO_8859_1);
        var said = new StringBuilder();
        for (String line; (line = output.readLine()) != null; said.append(line).append('\n')) {
            Matcher port = PORT.matcher(line);
            if (port.matches()) return Integer.parseInt(port.group(1));
        }
        throw new AssertionError("it ended: " + said);
    }

    /** Sends the request that a console block shows, and compares the answer with the one it shows. */
    private static void assertAnswers(int port, String console) throws IOException {
        Matcher curl = CURL.matcher(console);
        assertTrue(curl.lookingAt(), console);
        String body = curl.group(2) == null ? "" : curl.group(2);
        String method = curl.group(2) == null ? "GET" : "POST";
        String request = method + " " + curl.group(3) + " HTTP/1.1\r\nHost: localhost:" + port
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        String answer;
        try (Socket socket = new Socket("localhost", port)) {
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            // the server answers a client that has ended its side, and then closes
            socket.shutdownOutput();
            answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1).replace("\r\n", "\n");
        }
        assertTrue(DATE.matcher(answer).find(), answer);
        if (curl.group(1) == null) answer = answer.substring(answer.indexOf("\n\n") + 2);
        String shown = console.substring(curl.end());
        assertEquals(DATE.matcher(shown).replaceAll("Date"), DATE.matcher(answer).replaceAll("Date"));
    }

    private static Document xml(String text) throws Exception {
        var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        return builder.parse(new InputSource(new StringReader(text)));
    }

    /** The text of the first element of this name. */
    private static String text(Document document, String name) {
        return document.getElementsByTagName(name).item(0).getTextContent();
    }

    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
