package org.microhttp.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.ExampleProcess;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.ResponseServerProcesses;

/** Runs {@code examples/pack}, and what it says. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ExamplesPackTest {

    @RegisterExtension
    final ResponseServerProcesses processes = new ResponseServerProcesses();

    @ParameterizedTest
    @CsvSource({"HelloServer, HelloServer, 0, x",
        "ResponseServer, org.microhttp.tools.responseserver.ResponseServer, --port 0, --help",
        "FileServer, org.microhttp.tools.fileserver.FileServer, --port 0 --list --root /usr, --help",
        "HttpServer, org.microhttp.httpserver.HttpServer, --port 0, --help",
        "SiteArchive, org.microhttp.tools.sitearchive.SiteArchive, serve --port 0 --dummy, --help"})
    void makesAJarWhoseClassesComeFromItsArchive(String name, String main, String port, String ending)
            throws Exception {
        ExampleProcess pack = processes.bash("examples/pack", name);
        String command = pack.output();
        assertEquals(0, pack.process.waitFor(), pack.errors());
        assertTrue(command.matches("\\S+/bin/java -XX:\\w+=/.*/target/" + name + "\\.jsa -XX:\\+UseSerialGC"
                + " -Xmx32m -jar /.*/target/" + name + "\\.jar"), command);
        processes.bash("-c", "cd / && exec " + command + " " + port).listening();
        try (var client = processes.connect()) {
            assertEquals(200, client.get("/").response().status());
        }
        String logging = command.replace(" -jar", " -Xlog:class+load -jar");
        String loaded = processes.bash("-c", "cd / && exec " + logging + " " + ending).output();
        assertTrue(loaded.contains(main + " source: shared objects file"), loaded);
    }

    @Test
    void refusesANameThatIsNone() throws Exception {
        ExampleProcess pack = processes.bash("examples/pack", "NoSuchServer");
        assertTrue(pack.errors().startsWith("usage: examples/pack NAME; NAME is one of\n"));
        assertEquals(2, pack.process.waitFor());
    }
}
