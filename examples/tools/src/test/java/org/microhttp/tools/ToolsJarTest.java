package org.microhttp.tools;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.jar.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** The jar of the tools, which {@code mvn package} makes: it needs Java and nothing else. */
@Tier.Gate
final class ToolsJarTest {

    private static final Path JAR = Path.of(System.getProperty("tools.jar", "no such jar"));

    @RegisterExtension
    final ToolProcesses processes = new ToolProcesses();

    /** Where it is started: there is nothing else here. */
    @TempDir
    private Path folder;

    @BeforeAll
    static void hasTheJar() {
        assumeTrue(Files.exists(JAR), "the jar is not made yet: mvn -f examples package");
    }

    /** Runs it with these flags of Java, and arguments. */
    private ServerProcess java(List<String> flags, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Programs.JAVA));
        command.addAll(flags);
        command.addAll(List.of("-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        return processes.add(new ServerProcess(new ProcessBuilder(command).directory(folder.toFile())));
    }

    private void assertAnswers(int status) throws Exception {
        try (var client = processes.connect()) {
            assertEquals(status, client.get("/").response().status());
        }
    }

    @Test
    void eachToolRuns() throws Exception {
        java(List.of(), "respond", "--port", "0", "--status", "201").listening();
        assertAnswers(201);
        java(List.of(), "files", "--port", "0", "--root", ".", "--list").listening();
        assertAnswers(200);
        java(List.of(), "access-log", "--port", "0").listening();
        assertAnswers(200);
        java(List.of(), "archive", "serve", "--port", "0", "--dummy").listening();
        assertAnswers(200);
        assertEquals(2, java(List.of(), "respond", "--status", "1").process.waitFor());
    }

    /** Those processes are started from the jar, too. */
    @Test
    void anArchiveIsServedBySeveralProcesses() throws Exception {
        java(List.of(), "archive", "serve", "--port", "0", "--dummy", "--processes", "2").listening();
        assertAnswers(200);
    }

    /** With Java 17 it is an archive of class data; the JDK calls what follows it from Java 25 on a cache. */
    @Test
    void itsClassesComeFromAnArchive() throws Exception {
        boolean cache = Runtime.version().feature() >= 25;
        String make = cache ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=";
        String use = cache ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=";
        String file = folder.resolve("classes").toString();
        ServerProcess first = java(List.of(make + file), "respond", "--port", "0").listening();
        assertAnswers(200);
        first.end();
        assertTrue(Files.exists(Path.of(file)), first::errors);
        String loaded = java(List.of(use + file, "-Xlog:class+load"), "respond", "--version").output();
        assertTrue(loaded.contains("org.microhttp.tools.Tools source: shared objects file"), loaded);
    }

    /** Where there are several descriptions of modules, the jar is none. */
    @Test
    void hasTheLicenceAndNoClassTwiceAndIsNoModule() throws Exception {
        try (var jar = new JarFile(JAR.toFile())) {
            List<String> names = jar.stream().map(JarEntry::getName).toList();
            assertEquals(names.size(), Set.copyOf(names).size());
            assertFalse(names.contains("module-info.class"));
            assertEquals("org.microhttp.tools.Tools",
                    jar.getManifest().getMainAttributes().get(Attributes.Name.MAIN_CLASS));
            assertEquals(Readme.read(Readme.ROOT.resolve("LICENSE")),
                    new String(jar.getInputStream(jar.getEntry("META-INF/LICENSE")).readAllBytes()));
            Stream.of("org/microhttp/EventLoop.class", "org/microhttp/extras/files/FileHandler.class")
                    .forEach(name -> assertTrue(names.contains(name), name));
        }
    }
}
