package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.EventLoop;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceCompiler;
import org.microhttp.testing.Tier;

/**
 * The programs of all documents do what is shown. They are compiled as they stand, then once more with the
 * port alone rewritten: {@code withPort(8080)} to {@code withPort(0)}, and where a program takes default
 * options, these with port 0. A process runs them and says its port itself, in the event {@code listen} or in
 * a line of its own. The request that is shown is sent, and all of the answer compared but the time in Date.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ReadmeTest {

    /** A program and what is shown below it: a request by curl, and its answer. */
    record Program(String name, String source, String shown) {
        @Override public String toString() { return name; }
    }

    private static final String ENDS = "$ java -cp target/classes ";
    private static final Pattern CLASS =
            Pattern.compile("public (?:final )?class (\\w+) (?:implements \\w+ )?\\{");
    private static final Pattern CURL =
            Pattern.compile("\\$ curl( -i)?(?: -d (\\w+))? '?http://localhost:8080(/[^\\s']*)'?\n");
    private static final Pattern DATE =
            Pattern.compile("Date: \\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");

    /** A page for users whose program needs the extras; a test beside the services runs it. */
    private static final Path KUBERNETES = Readme.PAGES.resolve("kubernetes.md");

    @TempDir
    private static Path folder;
    private Process process;

    @BeforeAll
    static void compileWithFreePorts() throws Exception {
        compile("free", folder, programs().stream().collect(toMap(Program::name, program -> {
            String free = program.source.replace("withPort(8080)", "withPort(0)").replaceAll(
                    "new EventLoop\\((?!options)", "new EventLoop(new org.microhttp.Options().withPort(0), ");
            assertFalse(free.equals(program.source), program + " takes a port that tests cannot change.");
            return free;
        })));
    }

    @AfterEach
    void endProcess() throws InterruptedException {
        if (process != null) process.destroyForcibly().waitFor();
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
        return Readme.documents().stream().flatMap(document -> programs(document).stream());
    }

    /** Those whose programs need no other library: examples/checks/recipes/check compiles the others. */
    private static List<Path> documents() {
        Path recipes = Readme.PAGES.resolve("recipes.md");
        return Readme.documents().stream().filter(document -> !document.equals(recipes)).toList();
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

    /** Whether a document is one of the library's own, whose programs need the library alone. */
    private static boolean isOfTheLibrary(Path document) {
        boolean page = document.startsWith(Readme.PAGES) && !document.equals(KUBERNETES);
        return document.equals(Readme.README) || page;
    }

    @Test
    void whatTheLibrarysPagesShowIsShownWithItsAnswer() {
        for (Path document : documents()) {
            if (!isOfTheLibrary(document)) continue;
            assertEquals(Readme.blocks(Readme.read(document), "java"),
                    programs(document).stream().map(Program::source).toList(), "A program of " + document
                    + " shows no answer, so no test runs it. Put a console block below it.");
        }
    }

    /** Those of the README and its pages with the library alone, others with the programs beside it. */
    @Test
    void everyJavaBlockIsCompiled() throws Exception {
        Map<Boolean, Map<String, String>> sources = Map.of(true, new HashMap<>(), false, new HashMap<>());
        for (Path document : documents()) {
            for (String source : Readme.blocks(Readme.read(document), "java")) {
                String name = className(source);
                assertNull(sources.get(isOfTheLibrary(document)).put(name, source), "two programs " + name);
            }
        }
        compile("shown", folder, sources.get(true));
        compile("beside", Path.of(System.getProperty("java.class.path")), sources.get(false));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programAnswersAsShown(Program program) throws Exception {
        assertAnswers(run(folder.resolve("free"), program.name), program.shown);
    }

    @ParameterizedTest
    @MethodSource("programsThatEnd")
    void programPrintsWhatIsShown(Program program) throws Exception {
        Path file = Files.writeString(folder.resolve(program.name + ".java"), program.source);
        String said = Programs.run(0, Programs.JAVA, "-cp", Programs.location(EventLoop.class).toString(),
                file.toString());
        assertEquals(program.shown, ENDS + program.name + ".java\n" + said);
    }

    @Test
    void theFirstExchangeIsThatOfHelloServer() throws Exception {
        assertAnswers(run(Readme.ROOT.resolve("examples/services/target/classes"), "HelloServer", "0"),
                program("Minimal").shown);
    }

    @Test
    void consumersHaveTheMinimalProgram() {
        String minimal = program("Minimal").source;
        Path consumers = Readme.ROOT.resolve("examples/checks/consumer");
        String copy =
                "examples/checks/consumer shows that the README's program works with Maven: copy it there.";
        assertEquals(minimal, Readme.read(consumers.resolve("classpath/src/main/java/Minimal.java")), copy);
        assertEquals("package consumer;\n\n" + minimal,
                Readme.read(consumers.resolve("module/src/main/java/consumer/Minimal.java")), copy);
    }

    /** In the project that is shown, and in the line for Gradle. */
    @Test
    void coordinatesAreThoseOfThePom() {
        List<String> ours = coordinates(Readme.read(Readme.ROOT.resolve("pom.xml")));
        String project = Readme.blocks("xml").get(0);
        assertEquals(ours, coordinates(project.substring(
                project.indexOf("<dependency>"), project.indexOf("</dependencies>"))));
        assertTrue(Readme.text().contains("'" + String.join(":", ours) + "'"));
    }

    private static List<String> coordinates(String xml) {
        return Stream.of("groupId", "artifactId", "version")
                .map(name -> Readme.elements(xml, name).get(0).getTextContent()).toList();
    }

    /** Into a folder of that name. */
    private static void compile(String name, Path others, Map<String, String> sources) throws Exception {
        String path = Programs.location(EventLoop.class) + File.pathSeparator + others;
        Path classes = Files.createDirectories(folder.resolve(name));
        assertEquals("", SourceCompiler.compile(classes, path, 17, sources),
                "A program of a document does not compile as it is shown. Correct it there.");
    }

    /** Starts a program with the library, and reads where it listens. */
    private int run(Path classes, String... nameAndArguments) throws Exception {
        var builder = new ProcessBuilder(Programs.JAVA, "-cp",
                Programs.location(EventLoop.class) + File.pathSeparator + classes);
        builder.command().addAll(List.of(nameAndArguments));
        process = Programs.withoutJavaOptions(builder).redirectErrorStream(true).start();
        return Programs.port(process);
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
}
