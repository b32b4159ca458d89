package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
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
import java.util.Set;
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
import org.microhttp.extras.routing.Router;
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
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>.*?</dependency>");
    private static final Pattern GRADLE = Pattern.compile("'(org\\.microhttp:[\\w-]+:[\\d.]+)'");
    private static final Pattern DATE =
            Pattern.compile("Date: \\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");

    /** A page for users whose program a test beside the services runs. */
    private static final Path KUBERNETES = Readme.PAGES.resolve("kubernetes.md");
    private static final String WITH_EXTRAS = System.getProperty("java.class.path");

    @TempDir
    private static Path folder;
    private Process process;

    @BeforeAll
    static void compileWithFreePorts() throws Exception {
        compile("free", WITH_EXTRAS, programs().stream().collect(toMap(Program::name, program -> {
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

    /** Whether a document is one for users of the library: a test here runs each program. */
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

    /** With the library alone, unless a program names the extras or what else is beside it. */
    @Test
    void everyJavaBlockIsCompiled() throws Exception {
        Map<Boolean, Map<String, String>> sources = Map.of(true, new HashMap<>(), false, new HashMap<>());
        for (Path document : documents()) {
            for (String source : Readme.blocks(Readme.read(document), "java")) {
                String name = className(source);
                boolean alone = !source.matches("(?s).*\\borg\\.microhttp\\.[a-z].*");
                assertNull(sources.get(alone).put(name, source), "two programs " + name);
            }
        }
        compile("shown", "" + folder, sources.get(true));
        compile("beside", WITH_EXTRAS, sources.get(false));
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

    /** In every project and dependency that is shown, and in the lines for Gradle. */
    @Test
    void coordinatesAreThoseOfThePoms() {
        Set<String> ours = Stream.of("", "examples/extras/", "examples/httpserver/", "examples/tools/")
                .map(module -> Readme.read(Readme.ROOT.resolve(module + "pom.xml")))
                .map(ReadmeTest::coordinates).collect(toSet());
        for (Path document : Readme.documents()) {
            String page = Readme.read(document);
            Stream<String> shown = Stream.concat(
                    Readme.blocks(page, "xml").stream().flatMap(xml -> DEPENDENCY.matcher(xml).results())
                            .map(dependency -> coordinates(dependency.group())),
                    GRADLE.matcher(page).results().map(line -> line.group(1)));
            assertEquals(List.of(), shown.filter(each -> !ours.contains(each)).toList(), "" + document);
        }
        assertTrue(DEPENDENCY.matcher(Readme.text()).find());
    }

    /** The first group, artifact and version: in the pom of a module the first group is its parent's. */
    private static String coordinates(String xml) {
        String artifact = Readme.elements(xml.replaceAll("(?s)<parent>.*?</parent>", ""), "artifactId").get(0)
                .getTextContent();
        return Readme.elements(xml, "groupId").get(0).getTextContent() + ":" + artifact + ":"
                + Readme.elements(xml, "version").get(0).getTextContent();
    }

    /** Figures of the README that are found in files: of a page, of vectors, and of a result. */
    @Test
    void theReadmesFiguresAreThoseOfTheProject() {
        String vectors = Readme.read(Readme.ROOT.resolve("src/test/resources/vectors.txt"));
        String soak = Readme.read(Readme.ROOT.resolve("src/jmh/results/soak.md"));
        List<String> hour = Readme.table(soak, "minute").get(5);
        assertEquals(List.of("60", "0"), List.of(hour.get(0), hour.get(2)));
        long kept = Requirement.all().stream().filter(each -> each.kind() == Requirement.Kind.KEPT).count();
        List.of("" + Requirement.all().size(), "" + kept, vectors(vectors, "attacks that were published"),
                vectors(vectors, "cases that other servers"), hour.get(1)).forEach(figure ->
                assertTrue(Pattern.compile("(?<![\\d,.])" + figure + "(?![\\d,.])").matcher(Readme.text())
                        .find(), () -> "The README has another figure than " + figure));
    }

    /** How many vectors stand under a heading. */
    private static String vectors(String text, String heading) {
        String section = text.substring(text.indexOf("\n## " + heading)).substring(1).split("\n## ")[0];
        return "" + Stream.of(section.split("\n\n")).filter(each -> each.contains("\n>")).count();
    }

    /** Into a folder of that name. */
    private static void compile(String name, String others, Map<String, String> sources) throws Exception {
        String path = Programs.location(EventLoop.class) + File.pathSeparator + others;
        Path classes = Files.createDirectories(folder.resolve(name));
        assertEquals("", SourceCompiler.compile(classes, path, 17, sources),
                "A program of a document does not compile as it is shown. Correct it there.");
    }

    /** Starts a program with the library and the extras, and reads where it listens. */
    private int run(Path classes, String... nameAndArguments) throws Exception {
        var builder = new ProcessBuilder(Programs.JAVA, "-cp", Programs.location(EventLoop.class)
                + File.pathSeparator + Programs.location(Router.class) + File.pathSeparator + classes);
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
