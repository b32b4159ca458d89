package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.tools.ExampleProcess;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.Readme;
import org.microhttp.tools.Tier;

/** Runs {@code examples/pack}, and what it says. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ExamplesPackTest {

    @ParameterizedTest
    @CsvSource({"HelloServer, HelloServer, 0, x",
        "ResponseServer, responseserver.ResponseServer, --port 0, --help",
        "FileServer, fileserver.FileServer, --port 0 --list --root /usr, --help",
        "SiteArchive, sitearchive.SiteArchive, serve --port 0 --dummy, --help"})
    void makesAJarWhoseClassesComeFromItsArchive(String name, String main, String port, String ending)
            throws Exception {
        ExampleProcess pack = bash("examples/pack " + name);
        String command = pack.output();
        assertEquals(0, pack.process.waitFor(), pack.errors());
        assertTrue(command.matches("\\S+/bin/java -XX:\\w+=/.*/target/" + name + "\\.jsa -XX:\\+UseSerialGC"
                + " -Xmx32m -jar /.*/target/" + name + "\\.jar"), command);
        ExampleProcess program = bash("cd / && exec " + command + " " + port);
        try {
            program.listening();
            try (var client = new RawClient(program.port)) {
                assertEquals(200, client.get("/").response().status());
            }
        } finally {
            program.process.destroyForcibly().waitFor();
        }
        String loaded = bash("cd / && exec " + command.replace(" -jar", " -Xlog:class+load -jar") + " "
                + ending).output();
        assertTrue(loaded.contains(main + " source: shared objects file"), loaded);
    }

    @Test
    void refusesANameThatIsNone() throws Exception {
        ExampleProcess pack = bash("examples/pack NoSuchServer");
        assertTrue(pack.errors().startsWith("usage: examples/pack NAME; NAME is one of\n"));
        assertEquals(2, pack.process.waitFor());
    }

    /** Runs a command in the project's folder, with the Java of this JVM. */
    private static ExampleProcess bash(String command) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        var builder = new ProcessBuilder("/bin/bash", "-c", command).directory(Readme.ROOT.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return new ExampleProcess(builder);
    }
}
