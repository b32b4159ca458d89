package org.microhttp.services;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/**
 * Runs {@code examples/run} in a project of its own: the real script, sources that are older than the real
 * classes, and a Maven that only puts those classes in place and writes down that it was called.
 */
@Tier.Program
final class ExamplesRunTest {

    private static final Path EXAMPLES = Path.of("examples");
    private static final String LIBRARY_SOURCE = "src/main/java/org/microhttp/EventLoop.java";

    /** Said before, since nothing else is for a while. */
    private static final String COMPILES = "compiles first; on a new machine that takes a minute or more";

    private static final String USAGE =
            "usage: examples/run NAME [ARGS]; NAME is one of\n  HelloServer\n  ResponseServer";

    @TempDir
    private Path temporary;
    private Path project;
    private Path maven;
    private ExampleProcess program;

    @BeforeEach
    void makeProject() throws Exception {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        assumeTrue(Files.exists(EXAMPLES.resolve("run")), "not run in the folder of the project");
        // with a space, which the script must not stumble over
        project = temporary.resolve("a project");
        maven = Files.createDirectories(temporary.resolve("maven"));
        copy(EXAMPLES.resolve("run"), "examples/run");
        copy(EXAMPLES.resolve("pack"), "examples/pack");
        copy(EXAMPLES.resolve("site"), "examples/site");
        copy(EXAMPLES.resolve("services/edge/demo"), "examples/services/edge/demo");
        copy(EXAMPLES.resolve("services/src/main/java/HelloServer.java"),
                "examples/services/src/main/java/HelloServer.java");
        for (String file : List.of(
                "tools/src/main/java/org/microhttp/tools/responseserver/ResponseServer.java",
                "extras/src/main/java/org/microhttp/extras/files/FileHandler.java")) {
            copy(EXAMPLES.resolve(file), "examples/" + file);
        }
        Files.createDirectories(project.resolve(LIBRARY_SOURCE).getParent());
        touch(Files.createFile(project.resolve(LIBRARY_SOURCE)), Instant.EPOCH);
        Path mvn = Files.writeString(maven.resolve("mvn"), """
                #!/usr/bin/env bash
                echo "building"
                echo "$PWD: $*" >> "$0.calls"
                for module in . examples/extras examples/tools examples/services; do
                    mkdir -p $module/target
                    ln -sfn "%s/$module/target/classes" $module/target/classes
                done
                """.formatted(Readme.ROOT));
        assertTrue(mvn.toFile().setExecutable(true));
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
        assertEquals(List.of(), builds());
    }

    @Test
    void noNameEndsWithTheListOfPrograms() throws Exception {
        run().expectEnd(2, "", USAGE);
    }

    /** As {@code sh} is on Debian and on Alpine. */
    @ParameterizedTest
    @ValueSource(strings = {"dash", "busybox"})
    void anotherShellIsToldThatItNeedsBash(String shell) throws Exception {
        assumeTrue(Programs.isInstalled(shell), "no " + shell);
        List<String> command = shell.equals("busybox") ? List.of(shell, "sh") : List.of(shell);
        for (String script : List.of("examples/run", "examples/pack", "examples/site",
                "examples/services/edge/demo")) {
            String path = project.resolve(script).toString();
            String message = path + " needs bash: type bash " + path;
            run(command, script, "HelloServer", "0").expectEnd(2, "", message);
        }
        assertEquals(List.of(), builds());
    }

    /** Debian's Maven takes every output for a terminal, and resets its colours even where it has none. */
    @Test
    void mavenWritesNoEscapeSequences() throws Exception {
        assumeTrue(Programs.isInstalled("mvn"), "no mvn");
        var builder = new ProcessBuilder("mvn", "-q", "-B", "-o", "validate").directory(Readme.ROOT.toFile());
        // an outer Maven hands its own on
        builder.environment().remove("MAVEN_OPTS");
        program = new ExampleProcess(builder.redirectErrorStream(true));
        String output = program.output();
        assertFalse(output.contains("\u001b"), output);
    }

    @Test
    void packedItStartsFromAnyDirectoryThoughAPathHasABlank() throws Exception {
        build();
        run(List.of("bash"), "examples/pack", "HelloServer");
        String command = program.output();
        assertEquals(0, program.process.waitFor(), program.errors());
        program = start(List.of("bash", "-c", "exec " + command + " 0")).listening();
        assertServes();
    }

    @Test
    void servesWhatIsBuiltAlready() throws Exception {
        build();
        run("HelloServer", "0").listening();
        assertServes();
        assertEquals(List.of(), builds());
    }

    @Test
    void buildsWhatIsMissingFirst() throws Exception {
        run("HelloServer", "0").listening();
        assertServes();
        assertEquals(List.of(project.toRealPath()
                + ": -q -B -f examples compile -am -pl extras,tools,services"), builds());
        program.terminate();
        assertEquals("examples/run: " + COMPILES + "\nbuilding", program.errors());
    }

    @Test
    void buildsWhatIsOlderThanASource() throws Exception {
        for (String source : List.of(LIBRARY_SOURCE, "examples/services/src/main/java/HelloServer.java")) {
            build();
            touch(project.resolve(source), Instant.now().plusSeconds(60));
            run("HelloServer", "x");
            assertTrue(program.errors().contains("HelloServer [PORT]: "));
            assertEquals(1, builds().size(), source);
            touch(project.resolve(source), Instant.EPOCH);
        }
    }

    @Test
    void handsArgumentsAndExitCodeOn() throws Exception {
        build();
        String message = "HelloServer [PORT]: For input string: \"1  2\"";
        run("HelloServer", "1  2").expectEnd(2, "", message);
    }

    @Test
    void runsAProgramOfSeveralFiles() throws Exception {
        build();
        run("ResponseServer", "-a", "127.0.0.1", "-p", "0", "-b", "hello world\n").listening();
        assertServes();
        program.terminate();
        program.errors();
        touch(project.resolve("examples/extras/src/main/java/org/microhttp/extras/files/FileHandler.java"),
                Instant.now().plusSeconds(60));
        run("ResponseServer", "--version");
        assertTrue(program.output().startsWith("ResponseServer of microhttp "));
        assertEquals(1, builds().size());
    }

    /** As cron or a container starts it: without one, a server at a Unix domain socket would be refused. */
    @Test
    void setsALocaleWhereThereIsNone() throws Exception {
        build();
        copy(EXAMPLES.resolve("services/src/main/java/edge/EdgeServer.java"),
                "examples/services/src/main/java/edge/EdgeServer.java");
        for (String locale : List.of("A=", "LC_ALL=C.UTF-8", "LC_ALL=C")) {
            Path socket = temporary.resolve("socket");
            run(List.of("env", "-i", "PATH=" + Programs.PATH, "JAVA_HOME=" + System.getProperty("java.home"),
                    locale, "bash"), "examples/run", "EdgeServer", "--unix-socket", socket.toString());
            if (locale.equals("LC_ALL=C")) {
                assertTrue(program.errors().contains("; allowed: a locale of UTF-8, as by LC_ALL=C.UTF-8"));
            } else {
                assertEquals("listening on " + socket, program.nextLine());
                program.terminate();
                program.errors();
            }
        }
    }

    @Test
    void aBuildThatFailsEndsIt() throws Exception {
        Files.writeString(maven.resolve("mvn"), "#!/usr/bin/env bash\necho broken\nexit 1\n");
        run("HelloServer", "0").expectEnd(1, "", "examples/run: " + COMPILES + "\nbroken");
    }

    /** Runs the script from a folder outside the project. */
    private ExampleProcess run(String... args) throws IOException {
        return run(List.of("bash"), "examples/run", args);
    }

    private ExampleProcess run(List<String> shell, String script, String... args) throws IOException {
        List<String> command = new ArrayList<>(shell);
        command.add(project.resolve(script).toString());
        Collections.addAll(command, args);
        return start(command);
    }

    private ExampleProcess start(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).directory(temporary.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PATH", maven + File.pathSeparator + Programs.PATH);
        program = new ExampleProcess(builder);
        return program;
    }

    private void assertServes() throws Exception {
        try (var client = new RawClient(program.port)) {
            assertEquals("hello world\n", client.get("/").response().text());
        }
    }

    /** Puts the classes in place, as an earlier build has. */
    private void build() throws Exception {
        var builder = new ProcessBuilder("bash", maven.resolve("mvn").toString());
        Process process = builder.directory(project.toFile()).start();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue());
        Files.delete(maven.resolve("mvn.calls"));
    }

    /** The builds that the script has asked for: where, and with which arguments. */
    private List<String> builds() throws IOException {
        Path calls = maven.resolve("mvn.calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
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
