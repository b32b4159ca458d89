package org.microhttp.services;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/**
 * Runs {@code examples/run} in a project of its own: the real script, and a few short sources in the places
 * of the real ones. The JDK compiles them.
 */
@Tier.Program
final class ExamplesRunTest {

    private static final Path EXAMPLES = Path.of("examples");
    private static final String LIBRARY_SOURCE = "src/main/java/org/microhttp/EventLoop.java";
    private static final String EXTRAS = "examples/extras/src/main/java/org/microhttp/extras/";
    private static final String TOOLS = "examples/tools/src/main/java/org/microhttp/tools/";
    private static final String SHORT = "examples/services/src/main/java/HelloServer.java";

    /** Said before, since nothing else is for a while. */
    private static final String COMPILES = "examples/run: compiles first, which takes some seconds";

    private static final String USAGE =
            "usage: examples/run NAME [ARGS]; NAME is one of\n  HelloServer\n  ResponseServer";

    @TempDir
    private Path temporary;
    private Path project;
    private ServerProcess program;
    private String home = System.getProperty("java.home");

    @BeforeEach
    void makeProject() throws Exception {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        assumeTrue(Files.exists(EXAMPLES.resolve("run")), "not run in the folder of the project");
        // with a space, which the script must not stumble over
        project = temporary.resolve("a project");
        for (String script : List.of("examples/run", "examples/site", "examples/services/edge/demo")) {
            copy(Path.of(script), script);
        }
        write("src/main/java/module-info.java", "module org.microhttp { exports org.microhttp; }");
        write(LIBRARY_SOURCE, "package org.microhttp; public class EventLoop {"
                + " public static int status = 3; }");
        write("src/main/java/org/microhttp/Unused.java", "package org.microhttp; broken");
        write(SHORT, """
                public class HelloServer {
                    public static void main(String[] args) {
                        System.out.println(String.join("|", args));
                        System.exit(org.microhttp.EventLoop.status);
                    }
                }
                """);
        write("examples/extras/src/main/java/module-info.java", "module extras { requires org.microhttp; }");
        write(EXTRAS + "commandline/Flag.java", "package org.microhttp.extras.commandline;"
                + " public class Flag { public static String name = \"a flag\"; }");
        write(TOOLS + "responseserver/ResponseServer.java", """
                package org.microhttp.tools.responseserver;
                public class ResponseServer {
                    public static void main(String[] args) {
                        System.out.println(org.microhttp.extras.commandline.Flag.name + Text.TEXT);
                    }
                }
                """);
        write(TOOLS + "responseserver/Text.java",
                "package org.microhttp.tools.responseserver; class Text { static String TEXT = \"!\"; }");
    }

    @AfterEach
    void endProcess() throws InterruptedException {
        if (program != null) {
            program.process.destroyForcibly().waitFor();
        }
    }

    @Test
    void anUnknownNameEndsWithTheListOfPrograms() throws Exception {
        for (String name : List.of("NoSuchServer", "", "run", "Hello.java", "../java/HelloServer", "Flag",
                "responseserver", "responseserver/ResponseServer", "java", "tools", "extras")) {
            run(name).expectEnd(2, "", USAGE);
        }
        assertTrue(Files.notExists(project.resolve("target")));
    }

    @Test
    void noNameEndsWithTheListOfPrograms() throws Exception {
        run().expectEnd(2, "", USAGE);
    }

    /** As {@code sh} is on Debian and on Alpine. */
    @ParameterizedTest
    @ValueSource(strings = {"dash", "busybox"})
    void otherShellsGetAHintToBash(String shell) throws Exception {
        assumeTrue(Programs.isInstalled(shell), "no " + shell);
        List<String> command = shell.equals("busybox") ? List.of(shell, "sh") : List.of(shell);
        for (String script : List.of("examples/run", "examples/site", "examples/services/edge/demo")) {
            String path = project.resolve(script).toString();
            String message = path + " needs bash: type bash " + path;
            run(command, script, "HelloServer", "0").expectEnd(2, "", message);
        }
        assertTrue(Files.notExists(project.resolve("target")));
    }

    /** Debian's Maven takes every output for a terminal, and resets its colours even where it has none. */
    @Test
    void mavenWritesNoEscapeSequences() throws Exception {
        assumeTrue(Programs.isInstalled("mvn"), "no mvn");
        var builder = new ProcessBuilder("mvn", "-q", "-B", "-o", "validate").directory(Readme.ROOT.toFile());
        // an outer Maven hands its own on
        builder.environment().remove("MAVEN_OPTS");
        program = new ServerProcess(builder.redirectErrorStream(true));
        String output = program.output();
        assertFalse(output.contains("\u001b"), output);
    }

    /** What has to be compiled is what the program uses: another source may not even compile. */
    @Test
    void compilesOnlyNeededSourcesOnce() throws Exception {
        run("HelloServer").expectEnd(3, "", COMPILES);
        run("HelloServer").expectEnd(3, "", "");
        try (Stream<Path> classes = Files.walk(project.resolve("target/run"))) {
            List<String> names = classes.map(file -> "" + file.getFileName())
                    .filter(name -> name.endsWith(".class")).sorted().toList();
            assertEquals(List.of("EventLoop.class", "HelloServer.class"), names);
        }
    }

    @Test
    void outdatedClassesAreCompiledAgain() throws Exception {
        run("HelloServer").expectEnd(3, "", COMPILES);
        write(LIBRARY_SOURCE, "package org.microhttp; public class EventLoop {"
                + " public static int status = 4; }");
        touch(project.resolve(LIBRARY_SOURCE), Instant.now().plusSeconds(60));
        run("HelloServer").expectEnd(4, "", COMPILES);
    }

    @Test
    void handsArgumentsAndExitCodeOn() throws Exception {
        run("HelloServer", "1  2", "", "*").expectEnd(3, "1  2||*", COMPILES);
    }

    @Test
    void runsAProgramOfSeveralFilesAndModules() throws Exception {
        run("ResponseServer").expectEnd(0, "a flag!", COMPILES);
    }

    @Test
    void brokenSourceIsNotRun() throws Exception {
        write(SHORT, "class HelloServer { void main() {} }  void main( broken");
        for (int time = 0; time < 2; time++) {
            run("HelloServer");
            assertEquals("", program.output());
            assertTrue(program.errors().startsWith(COMPILES));
            assertEquals(1, program.process.waitFor());
        }
        try (Stream<Path> left = Files.list(project.resolve("target/run"))) {
            assertEquals(List.of(), left.toList());
        }
    }

    /** With a JDK and nothing else on the path but what the script needs of a system. */
    @Test
    @Tier.Gate
    @Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theRealSourcesNeedNoMaven() throws Exception {
        for (String folder : List.of("src/main", "examples/extras/src/main", "examples/tools/src/main",
                "examples/services/src/main", "examples/httpserver/src/main")) {
            copyAll(Path.of(folder));
        }
        Path bin = Files.createDirectories(temporary.resolve("bin"));
        for (String name : "bash basename dirname find grep ln mkdir mv rm touch tr".split(" ")) {
            String where = Programs.run(0, "bash", "-c", "type -P " + name).strip();
            Files.createSymbolicLink(bin.resolve(name), Path.of(where));
        }
        for (String started : List.of("HelloServer 0", "ResponseServer -p 0", "HttpServer --port 0",
                "NotesServer -p 0 --data " + temporary)) {
            List<String> command = new ArrayList<>(List.of("env", "-i", "PATH=" + bin, "JAVA_HOME=" + home,
                    bin.resolve("bash").toString(), project.resolve("examples/run").toString()));
            Collections.addAll(command, started.split(" "));
            start(command).listening();
            try (var client = new RawClient(program.port)) {
                assertEquals(200, client.get("/").response().status());
            }
            program.terminate();
            assertEquals(COMPILES, program.errors());
        }
    }

    @Test
    void saysThatItNeedsAJdk() throws Exception {
        home = temporary.resolve("jre").toString();
        String message = "examples/run: needs a JDK, and there is no " + home + "/bin/javac";
        run("HelloServer").expectEnd(2, "", message);
    }

    /** As cron or a container starts it: without one, a server at a Unix domain socket would be refused. */
    @Test
    void setsALocaleWhereThereIsNone() throws Exception {
        write(SHORT, """
                public class HelloServer {
                    public static void main(String[] args) {
                        System.out.println(System.getenv("LC_ALL"));
                    }
                }
                """);
        for (String locale : List.of("A=", "LC_ALL=C.UTF-8", "LC_ALL=C")) {
            run(List.of("env", "-i", "PATH=" + Programs.PATH, "JAVA_HOME=" + home, locale, "bash"),
                    "examples/run", "HelloServer");
            assertEquals(locale.equals("LC_ALL=C") ? "C" : "C.UTF-8", program.output());
        }
    }

    /** Runs the script from a folder outside the project. */
    private ServerProcess run(String... args) throws IOException {
        return run(List.of("bash"), "examples/run", args);
    }

    private ServerProcess run(List<String> shell, String script, String... args) throws IOException {
        List<String> command = new ArrayList<>(shell);
        command.add(project.resolve(script).toString());
        Collections.addAll(command, args);
        return start(command);
    }

    private ServerProcess start(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).directory(temporary.toFile());
        builder.environment().put("JAVA_HOME", home);
        program = new ServerProcess(builder);
        return program;
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(project.resolve(file).getParent());
        touch(Files.writeString(project.resolve(file), text), Instant.EPOCH);
    }

    private void copyAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Files.deleteIfExists(project.resolve(file.toString()));
                copy(file, file.toString());
            }
        }
    }

    private void copy(Path source, String target) throws IOException {
        Path copy = project.resolve(target);
        Files.createDirectories(copy.getParent());
        Files.copy(source, copy);
        touch(copy, Instant.EPOCH);
    }

    private static void touch(Path file, Instant time) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(time));
    }
}
