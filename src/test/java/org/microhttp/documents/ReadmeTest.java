package org.microhttp.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
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
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/**
 * Does what the README says. Its programs are compiled as they stand, then once more with the port alone
 * rewritten: {@code withPort(8080)} to {@code withPort(0)}, and where a program takes default options, these
 * with port 0. A process runs them and says its port itself, in the event {@code listen} or in a line of its
 * own. The request that the README shows is sent, and all of the answer compared but for the time in Date.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReadmeTest {

    /** A program and what is shown below it: a request by curl, and its answer. */
    record Program(String name, String source, String shown) {
        @Override public String toString() { return name; }
    }

    private static final Pattern CLASS = Pattern.compile("public class (\\w+) \\{");
    private static final Pattern CURL =
            Pattern.compile("\\$ curl( -i)?(?: -d (\\w+))? http://localhost:8080(/\\S*)\n");
    private static final Pattern PORT = Pattern.compile(
            ".*(?: event=listen local_address=\\S*:|listening on port |listening on localhost:)(\\d+)");
    private static final Pattern DATE =
            Pattern.compile("Date: \\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");

    @TempDir
    private Path folder;
    private Process process;

    @AfterEach
    void endProcess() throws InterruptedException {
        if (process != null) process.destroyForcibly().waitFor();
    }

    static List<Program> programs() {
        Pattern pair = Pattern.compile("(?ms)^```java\n(.*?)^```\n\n```console\n(.*?)^```$");
        return pair.matcher(Readme.text()).results().map(ReadmeTest::program).toList();
    }

    private static Program program(MatchResult pair) {
        Matcher name = CLASS.matcher(pair.group(1));
        assertTrue(name.find(), pair.group(1));
        return new Program(name.group(1), pair.group(1), pair.group(2));
    }

    @Test
    void everyJavaBlockIsAProgramWithAnAnswerShown() {
        assertEquals(Readme.blocks("java"), programs().stream().map(Program::source).toList());
        assertEquals(List.of("Minimal", "AllOptions", "Asynchronous", "SeparateThread", "AllProcessors"),
                programs().stream().map(Program::name).toList());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programAnswersAsShown(Program program) throws Exception {
        compile(program.name, program.source);
        String freePort = program.source
                .replace("withPort(8080)", "withPort(0)")
                .replaceAll("new EventLoop\\((?!options)",
                        "new EventLoop(new org.microhttp.Options().withPort(0), ");
        assertFalse(freePort.equals(program.source), "takes a fixed port");
        compile(program.name, freePort);
        assertAnswers(run(folder.toString(), program.name), program.shown);
    }

    @Test
    void theLoopOnItsOwnThreadStopsAtALine() throws Exception {
        Program program = programs().get(3);
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
        assertAnswers(run(testClasses, "HelloServer", "--port", "0"), Readme.blocks("console").get(0));
    }

    @Test
    void consumersHaveTheMinimalProgram() {
        String minimal = programs().get(0).source;
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
    void commandsAreOfThisProject() throws Exception {
        List<String> commands = Readme.blocks("bash");
        assertEquals(7, commands.size());
        assertEquals("examples/run HelloServer\n", commands.get(0));
        assertTrue(Files.isExecutable(Readme.ROOT.resolve("examples/run")));
        assertEquals("mvn verify\n", commands.get(1));
        assertTrue(Readme.read(Readme.ROOT.resolve(".ci/run")).contains("mvn verify"));
        assertEquals("java -cp target/classes:target/test-classes HelloServer\n", commands.get(2));
        assertEquals("src/jmh/bench Parser -f 1\n", commands.get(4));
        for (String load : commands.get(5).split("\n")) {
            assertTrue(Files.isExecutable(Readme.ROOT.resolve(load.split(" ")[0])), load);
        }
        String chaos = "java -cp target/classes:target/test-classes org.microhttp.faults.chaos.Chaos ";
        assertTrue(commands.get(6).startsWith(chaos));
        assertEquals("test-classes", location(Class.forName("HelloServer")).getFileName().toString());
    }

    @Test
    void shellAcceptsTheCommands() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        for (String command : Readme.blocks("bash")) {
            process = new ProcessBuilder("/bin/bash", "-n", "-c", command).redirectErrorStream(true).start();
            assertEquals("", new String(process.getInputStream().readAllBytes(), ISO_8859_1));
            assertEquals(0, process.waitFor());
        }
    }

    @Test
    void everyBlockIsOfAKindThatIsTested() {
        Set<String> tested = Set.of("java", "console", "xml", "groovy", "bash");
        for (Readme.Block b : Readme.blocks()) assertTrue(tested.contains(b.language()), b.text());
        long fences = Readme.text().lines().filter(line -> line.startsWith("```")).count();
        assertEquals(fences, 2 * Readme.blocks().size());
    }

    @Test
    void linksLeadSomewhere() {
        List<String> headings = Readme.text().lines().filter(line -> line.matches("#+ .*"))
                .map(line -> "#" + line.replaceFirst("#+ ", "").toLowerCase().replace(' ', '-')).toList();
        List<String> links = Pattern.compile("\\]\\(([^)]+)\\)").matcher(Readme.text()).results()
                .map(m -> m.group(1)).toList();
        for (String link : links) {
            assertTrue(headings.contains(link) || Files.exists(Readme.ROOT.resolve(link)), link);
        }
    }

    private void compile(String name, String source) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        String library = location(EventLoop.class).toString();
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-Xlint:all", "-Werror",
                "--release", "17", "-cp", library, "-d", folder.toString(), file.toString()), source);
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
