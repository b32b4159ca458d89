package edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.*;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.extras.testing.Rights;
import org.microhttp.testing.*;

/**
 * A server that may do next to nothing: on a file system that is read-only everywhere, without a home and an
 * environment, without privileges, and as nobody where the test runs as root.
 */
@Tier.Program
final class ConfinedTest {

    private static final String OPERATING = Readme.read(Readme.PAGES.resolve("operating.md"));
    private static final int REQUESTS = 5_000;
    private static final long MOST = 64 << 20;

    /** Every place where something is mounted is read-only from then on, for this process alone. */
    private static final String CONFINED = "findmnt -rno TARGET | while read -r place; do "
            + "mount -o remount,bind,ro \"$place\" 2> /dev/null || true; done; "
            + "! touch /tmp/writable 2> /dev/null || exit 3; "
            + "exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all $1 env -i \"${@:2}\"";

    @TempDir
    private Path folder;

    @Test
    void servesWhereNothingIsAllowed() throws Exception {
        for (String program : List.of("unshare", "setpriv", "findmnt", "bash")) {
            assumeTrue(Programs.isInstalled(program), "no " + program);
        }
        assumeTrue(start("true").waitFor() == 0, "no mounts of its own");
        copyClasses();
        List<String> flags = List.of(text(OPERATING, "-Xmx16m[^`]*").split(" "));
        var command = new ArrayList<>(List.of(Programs.JAVA));
        command.addAll(flags);
        command.addAll(List.of("-cp", folder.toString(), "edge.EdgeServer", "--port", "0"));
        var server = new ServerProcess(builder(command.toArray(String[]::new)));
        try {
            server.listening();
            try (var client = new RawClient(server.port)) {
                for (int i = 0; i < REQUESTS; i++) {
                    assertEquals(200, client.get("/").response().status());
                }
            }
            assertTrue(mostResident(server) < MOST, mostResident(server) + " bytes");
            server.terminate();
            assertEquals("stopped, requests dropped: 0", server.output());
            assertEquals("", server.errors());
            assertEquals(0, server.process.waitFor());
        } finally {
            server.process.destroyForcibly().waitFor();
        }
    }

    /** To where nobody may read, which a checkout need not be. */
    private void copyClasses() throws IOException {
        Rights.give(folder, "rwxr-xr-x");
        for (String module : List.of("", "examples/extras/", "examples/tools/", "examples/services/")) {
            Path classes = Readme.ROOT.resolve(module + "target/classes");
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path room : files.filter(Files::isDirectory).toList()) {
                    copy(room, folder.resolve(classes.relativize(room).toString()));
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(name -> name.toString().endsWith(".class")).toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static ProcessBuilder builder(String... command) throws IOException {
        boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        var whole = new ArrayList<>(List.of("unshare", "--mount"));
        if (!root) {
            whole.add("--map-root-user");
        }
        whole.addAll(List.of("bash", "-c", CONFINED, "confined",
                root ? "--reuid=65534 --regid=65534 --clear-groups" : ""));
        whole.addAll(List.of(command));
        return new ProcessBuilder(whole);
    }

    private static Process start(String... command) throws IOException {
        return builder(command).redirectErrorStream(true).start();
    }

    private static String text(String in, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(in);
        assertTrue(found.find(), pattern);
        return found.group();
    }

    /** The most of its memory that was ever in the machine's. */
    private static long mostResident(ServerProcess server) throws IOException {
        String status = Files.readString(Path.of("/proc/" + server.process.pid() + "/status"));
        return Long.parseLong(text(status, "(?<=VmHWM:)\\s+[0-9]+").strip()) * 1024;
    }
}
