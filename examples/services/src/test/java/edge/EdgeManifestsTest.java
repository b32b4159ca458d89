package edge;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** The manifests and units beside EdgeServer: their times add up, and EdgeServer takes their flags. */
@Tier.Program
final class EdgeManifestsTest {

    private static final Path EDGE = Readme.ROOT.resolve("examples/services/edge");
    private static final String DEPLOYMENT = Readme.read(EDGE.resolve("kubernetes/deployment.yaml"));
    private static final String SERVICE = Readme.read(EDGE.resolve("kubernetes/service.yaml"));
    private static final String UNIT = Readme.read(EDGE.resolve("systemd/edge@.service"));

    /** For the JVM to begin and to end, beside what it waits for. */
    private static final int MARGIN_SECONDS = 5;

    @TempDir
    private Path folder;

    @Test
    void aPodHasTheTimeToEnd() {
        int waiting = number(DEPLOYMENT, "preStop:(?:\\s+#.*)*\\s+sleep:\\s+seconds: (\\d+)");
        int limit = number(DEPLOYMENT, "terminationGracePeriodSeconds: (\\d+)");
        assertTrue(waiting + leaving(DEPLOYMENT) + MARGIN_SECONDS <= limit);
    }

    @Test
    void aUnitHasTheTimeToEnd() {
        int limit = number(UNIT, "(?m)^TimeoutStopSec=(\\d+)$");
        assertTrue(leaving(UNIT) + MARGIN_SECONDS <= limit);
    }

    /** Each row of a table of requests is counted, as the sentence after it says. */
    @Test
    void thePageAddsUpTheRequestsOfItsTable() {
        String page = Readme.read(EDGE.resolve("README.md"));
        var rows = Pattern.compile("(?m)^\\| (?:HAProxy|nginx), [^|]+\\| ([0-9,]+) \\| ([0-9,]+) \\|");
        long sum = rows.matcher(page).results()
                .mapToLong(row -> requests(row.group(1)) + requests(row.group(2))).sum();
        assertTrue(page.contains(String.format("That is %,d requests", sum)), () -> "" + sum);
    }

    private static long requests(String number) {
        return Long.parseLong(number.replace(",", ""));
    }

    /** The page tells the sums of both. */
    @Test
    void thePageAddsUpTheSameTimes() {
        String page = Readme.read(EDGE.resolve("many-machines.md"));
        int drain = number(UNIT, "--drain=(\\d+)s");
        int grace = number(UNIT, "--grace=(\\d+)s");
        String unit = "`--drain` (" + drain + ") + `--grace` (" + grace + ") = " + (drain + grace);
        assertTrue(page.contains(unit), unit);
        assertTrue(page.contains("`TimeoutStopSec` (" + number(UNIT, "TimeoutStopSec=(\\d+)") + ")"));
        int waiting = number(DEPLOYMENT, "seconds: (\\d+)\n +resources");
        int leaving = number(DEPLOYMENT, "--grace=(\\d+)s");
        String pod = "`preStop` (" + waiting + ") + `--drain` (0) + `--grace` (" + leaving + ") = "
                + (waiting + leaving) + " < " + number(DEPLOYMENT, "terminationGracePeriodSeconds: (\\d+)");
        assertTrue(page.contains(pod), pod);
    }

    /** Without one no server starts at a Unix domain socket. */
    @Test
    void bothSetALocaleOfUtf8() {
        assertEquals(List.of("C.UTF-8"), all(UNIT, "(?m)^Environment=LC_ALL=(.*)$"));
        assertEquals(List.of("C.UTF-8"), all(DEPLOYMENT, "env:\\s+- name: LC_ALL\\s+value: (\\S+)\n"));
    }

    private static int leaving(String text) {
        return number(text, "--drain=(\\d+)s") + number(text, "--grace=(\\d+)s");
    }

    /** With its very flags, but for the port. */
    @Test
    void probesAskWhatThePodAnswers() throws Exception {
        List<String> flags = all(DEPLOYMENT, "(?m)^ +- (--\\S+)$");
        assertTrue(flags.remove("--port=" + number(DEPLOYMENT, "containerPort: (\\d+)")));
        List<String> paths = all(DEPLOYMENT, "httpGet:\\s+path: (\\S+)\\s+port: http\n");
        assertEquals(2, paths.size());
        assertAnswers(flags, paths);
    }

    @Test
    void theUnitsFlagsAreThoseOfTheProgram() throws Exception {
        String command = UNIT.replace("\\\n", "").replace("%i", "8081");
        List<String> flags = all(command, " (--\\S+)");
        assertTrue(flags.remove("--inherited-socket"));
        assertAnswers(flags, List.of("/ready"));
    }

    private static void assertAnswers(List<String> flags, List<String> paths) throws Exception {
        var command = new ArrayList<>(List.of("edge.EdgeServer", "--port=0"));
        command.addAll(flags);
        ExampleProcess server = ExampleProcess.start(command.toArray(String[]::new));
        try {
            server.listening();
            for (String path : paths) {
                try (var client = new RawClient(server.port)) {
                    assertEquals(200, client.get(path).response().status(), path);
                }
            }
        } finally {
            server.process.destroyForcibly().waitFor();
        }
    }

    @Test
    void aServiceAndABudgetAreOfThesePods() {
        String budget = Readme.read(EDGE.resolve("kubernetes/poddisruptionbudget.yaml"));
        assertTrue(DEPLOYMENT.contains("  template:\n    metadata:\n      labels:\n        app: edge\n"));
        assertTrue(DEPLOYMENT.contains("  selector:\n    matchLabels:\n      app: edge\n"));
        assertTrue(SERVICE.contains("  selector:\n    app: edge\n"));
        assertTrue(budget.contains("  selector:\n    matchLabels:\n      app: edge\n"));
        assertTrue(SERVICE.contains("targetPort: http\n"));
        assertTrue(DEPLOYMENT.contains("- name: http\n              containerPort: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"deployment", "service", "poddisruptionbudget"})
    void aManifestIsIndentedAsYamlWantsIt(String name) {
        String text = Readme.read(EDGE.resolve("kubernetes/" + name + ".yaml"));
        int before = 0;
        for (String line : text.lines().filter(l -> !l.isBlank() && !l.strip().startsWith("#")).toList()) {
            assertFalse(line.contains("\t"), line);
            int indent = line.length() - line.stripLeading().length();
            assertTrue(indent % 2 == 0 && indent <= before + 4, line);
            assertTrue(line.matches(" *(- )?([\\w./]+:( .+)?|[-/]\\S+|\\w+)"), line);
            before = indent;
        }
        assertEquals(List.of("apiVersion", "kind", "metadata", "spec"), all(text, "(?m)^(\\w+):"));
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
        assertEquals("", said(command));
    }

    /** As strict as the page on operating says; from 250 on systemd looks at a file. */
    @Test
    void systemdFindsTheServiceSafe() throws Exception {
        assumeTrue(Programs.isInstalled("systemd-analyze"), "no systemd-analyze");
        Path unit = Files.copy(EDGE.resolve("systemd/edge@.service"), folder.resolve("edge@8081.service"));
        String table = said(List.of("systemd-analyze", "security", "--offline=true", "--no-pager",
                unit.toString()));
        double exposure = Double.parseDouble(all(table, "exposure level for \\S+: ([0-9.]+)").get(0));
        assertTrue(exposure < 2, table);
        String page = Readme.read(Readme.PAGES.resolve("operating.md"));
        assertEquals(all(page, "calls its exposure ([0-9.]+),"), List.of("" + exposure));
    }

    private static String said(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), text);
        return text;
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
