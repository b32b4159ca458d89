package edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;

/** Runs {@code examples/services/edge/demo} in its form of a minute. */
@Timeout(value = 280, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class EdgeDemoTest {

    private static final List<String> PROGRAMS = List.of("curl", "h2load", "openssl");

    /** Debian has them where not everybody's path leads. */
    private static final List<String> PROXIES = List.of("haproxy", "nginx");

    @TempDir
    private Path temporary;
    private ServerProcess demo;

    @AfterEach
    void endProcesses() throws InterruptedException {
        if (demo != null) {
            demo.process.descendants().forEach(ProcessHandle::destroyForcibly);
            demo.process.destroyForcibly().waitFor();
        }
    }

    @Test
    @Tier.Full
    void noRequestFailsBehindEitherProxyWhileServersAreRestarted() throws Exception {
        for (String program : PROGRAMS) {
            assumeTrue(Programs.isInstalled(program), "no " + program);
        }
        for (String proxy : PROXIES) {
            boolean there = Programs.isInstalled(proxy) || Files.isExecutable(Path.of("/usr/sbin", proxy));
            assumeTrue(there, "no " + proxy);
        }
        start(Programs.PATH);
        String output = demo.output();
        assertEquals(0, demo.process.waitFor(), output + demo.errors());
        List<String> rows = output.lines().filter(line -> line.matches("(haproxy|nginx) +(TCP|Unix) .*"))
                .toList();
        assertEquals(4, rows.size(), output);
        for (String row : rows) {
            assertTrue(row.matches(".* requests: +[1-9][0-9]{3,}, failed: 0"), output);
        }
        assertEquals(2, output.lines().filter(line -> line.startsWith("HTTP/2 200, ")).count(), output);
        assertTrue(output.matches("(?s).*\nof [0-9]+ requests none failed"), output);
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void namesThePackagesThatAreMissing() throws Exception {
        Path programs = Files.createDirectory(temporary.resolve("programs"));
        for (String program : List.of("dirname", "curl", "openssl")) {
            Path there = programs.resolve(program);
            Files.writeString(there, "#!/bin/sh\nexec /usr/bin/" + program + " \"$@\"\n");
            assertTrue(there.toFile().setExecutable(true));
        }
        start(programs.toString());
        String message = demo.errors();
        assertTrue(message.matches("examples/services/edge/demo: needs the packages nghttp2-client.*: type"
                + " .*apt-get"
                + " install --no-install-recommends --yes nghttp2-client.*, or give --install"), message);
        assertEquals(2, demo.process.waitFor());
    }

    @Test
    void wrongFlagIsReportedInOneLine() throws Exception {
        start(Programs.PATH, "--bogus");
        assertEquals("examples/services/edge/demo: \"--bogus\" is no flag; allowed: --install, --help",
                demo.errors());
        assertEquals("", demo.output());
        assertEquals(2, demo.process.waitFor());
    }

    /** Runs it in the project's folder, with the Java of this JVM, and its files in a folder of this test. */
    private void start(String path, String... arguments) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        List<String> command = new ArrayList<>(List.of("/bin/bash", "examples/services/edge/demo"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(Readme.ROOT.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PATH", path);
        builder.environment().put("SMOKE", "1");
        builder.environment().put("TMPDIR", temporary.toString());
        demo = new ServerProcess(builder);
    }
}
