package edge;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;

/** The units of systemd beside EdgeServer: their times add up, and EdgeServer takes their flags. */
@Tier.Program
final class EdgeUnitsTest {

    private static final Path EDGE = Readme.ROOT.resolve("examples/services/edge");
    private static final String UNIT = Readme.read(EDGE.resolve("systemd/edge@.service"));

    /** For the JVM to begin and to end, beside what it waits for. */
    private static final int MARGIN_SECONDS = 5;

    @TempDir
    private Path folder;

    @Test
    void aUnitHasTheTimeToEnd() {
        int limit = number(UNIT, "(?m)^TimeoutStopSec=(\\d+)$");
        int ending = number(UNIT, "--drain=(\\d+)s") + number(UNIT, "--grace=(\\d+)s");
        assertTrue(ending + MARGIN_SECONDS <= limit);
    }

    /** Without one no server starts at a Unix domain socket. */
    @Test
    void theUnitSetsALocaleOfUtf8() {
        assertEquals(List.of("C.UTF-8"), all(UNIT, "(?m)^Environment=LC_ALL=(.*)$"));
    }

    @Test
    void theUnitsFlagsAreThoseOfTheProgram() throws Exception {
        List<String> flags = all(UNIT.replace("\\\n", "").replace("%i", "8081"), " (--\\S+)");
        assertTrue(flags.remove("--inherited-socket"));
        var command = new ArrayList<>(List.of("edge.EdgeServer", "--port=0"));
        command.addAll(flags);
        ServerProcess server = ServerProcess.start(command.toArray(String[]::new));
        try {
            server.listening();
            try (var client = new RawClient(server.port)) {
                assertEquals(200, client.get("/ready").response().status());
            }
        } finally {
            server.process.destroyForcibly().waitFor();
        }
    }

    /** systemd looks at units with a name in the place of {@code %i}. */
    @Test
    void systemdFindsNoFault() throws Exception {
        assumeTrue(Programs.isInstalled("systemd-analyze"), "no systemd-analyze");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/java")), "no java where the unit has it");
        List<String> command = new ArrayList<>(List.of("systemd-analyze", "verify", "--man=no"));
        for (String kind : List.of("socket", "service")) {
            Path unit = folder.resolve("edge@8081." + kind);
            Files.copy(EDGE.resolve("systemd/edge@." + kind), unit);
            command.add(unit.toString());
        }
        assertEquals("", Programs.run(0, command.toArray(String[]::new)));
    }

    /** From version 250 on systemd looks at a file. */
    @Test
    void systemdFindsTheServiceSafe() throws Exception {
        assumeTrue(Programs.isInstalled("systemd-analyze"), "no systemd-analyze");
        Path unit = Files.copy(EDGE.resolve("systemd/edge@.service"), folder.resolve("edge@8081.service"));
        String table =
                Programs.run(0, "systemd-analyze", "security", "--offline=true", "--no-pager", "" + unit);
        double exposure = Double.parseDouble(all(table, "exposure level for \\S+: ([0-9.]+)").get(0));
        assertTrue(exposure < 2, table);
    }

    private static int number(String text, String pattern) {
        List<String> found = all(text, pattern);
        assertEquals(1, found.size(), pattern);
        return Integer.parseInt(found.get(0));
    }

    private static List<String> all(String text, String pattern) {
        return new ArrayList<>(Pattern.compile(pattern).matcher(text).results()
                .map((MatchResult found) -> found.group(1)).toList());
    }
}
