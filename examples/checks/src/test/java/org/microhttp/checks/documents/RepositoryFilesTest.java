package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** What other programs read of this repository: the workflow, the forms of GitHub, the rules for editors. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class RepositoryFilesTest {

    private static final String WORKFLOW = read(".github/workflows/ci.yml");

    /** The Debian package of what is not called like it. */
    private static final Map<String, String> PACKAGES = Map.of("ab", "apache2-utils",
            "promtool", "prometheus", "unshare", "util-linux", "setpriv", "util-linux", "taskset",
            "util-linux", "script", "bsdutils", "cdb", "tinycdb", "localedef", "locales");

    /** What a machine of GitHub has anyway, or comes with what has another name. */
    private static final Set<String> THERE = Set.of("bash", "mvn", "chroot", "mkfifo", "systemd-analyze",
            "systemd-socket-activate");

    private static String read(String file) {
        return Readme.read(Readme.ROOT.resolve(file));
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1))
                .collect(toCollection(TreeSet::new));
    }

    @Test
    void everyRequestIsTestedWithEachJava() {
        Set<String> versions = found("\\bjava(\\d+)=", read(".ci/run"));
        assertEquals(Set.of("17", "25"), versions);
        Matcher matrix = Pattern.compile("(?m)^ +java: \\[(.*)\\]$").matcher(WORKFLOW);
        assertTrue(matrix.find());
        assertEquals(versions, new TreeSet<>(List.of(matrix.group(1).split(", "))));
        assertEquals(2, found("(?m)^  (push|pull_request):", WORKFLOW).size());
        assertTrue(WORKFLOW.contains("\n        run: .ci/run ${{ matrix.java }}\n"), WORKFLOW);
        assertTrue(WORKFLOW.contains("\n          java-version: ${{ matrix.java }}\n"), WORKFLOW);
    }

    @Test
    void theWorkflowMayReadAloneAndEnds() {
        assertTrue(WORKFLOW.contains("\npermissions:\n  contents: read\n\n"), WORKFLOW);
        assertEquals(Set.of("read"), found("(?m)^  [\\w-]+: (read|write)\\b.*$", WORKFLOW));
        assertTrue(Pattern.compile("(?m)^    timeout-minutes: \\d+$").matcher(WORKFLOW).find(), WORKFLOW);
        Set<String> actions = found("uses: (\\S+)", WORKFLOW);
        assertEquals(2, actions.size());
        for (String action : actions) assertTrue(action.matches("actions/[\\w-]+@v\\d+"), action);
    }

    /** A test that skips what the machine lacks would be skipped everywhere. */
    @Test
    void theWorkflowInstallsWhatTestsUse() {
        Matcher installs = Pattern.compile("(?s)apt-get install ([^:]*?)\n +- ").matcher(WORKFLOW);
        assertTrue(installs.find(), WORKFLOW);
        Set<String> installed = Set.of(installs.group(1).strip().split("[\\s\\\\]+"));
        Set<String> used = Readme.tests().stream()
                .flatMap(file -> found("isInstalled\\(\"([^\"]+)\"", Readme.read(file)).stream())
                .collect(toCollection(TreeSet::new));
        assertTrue(used.contains("curl"), used::toString);
        used.removeAll(THERE);
        assertEquals(List.of(), used.stream().map(name -> PACKAGES.getOrDefault(name, name))
                .filter(name -> !installed.contains(name)).toList(), "Tests skip what these are for. Add"
                + " them to the workflow, and to PACKAGES a program whose package has another name.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"18", "17 25", "x"})
    void theGateTakesAKnownJavaAlone(String arguments) throws Exception {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        String said = Programs.run(2, "bash", "-c", ".ci/run " + arguments);
        assertTrue(said.startsWith("usage: .ci/run "), said);
    }

    /** GitHub shows no form without these, and readers of the form are led to the policy. */
    @Test
    void aReportOfABugHasItsForm() {
        String form = read(".github/ISSUE_TEMPLATE/bug.md");
        assertTrue(form.matches("(?s)---\nname: \\S[^\n]*\nabout: \\S[^\n]*\nlabels: \\w+\n---\n\n.*"), form);
        assertTrue(form.contains("SECURITY.md") && Files.exists(Readme.ROOT.resolve(".github/SECURITY.md")));
    }

    /** At the address of the project that the pom has, once it has one. */
    @Test
    void aVulnerabilityIsLedToItsOwnWay() {
        Matcher url = Pattern.compile("(?m)^    url: (https://\\S+)/security/policy$")
                .matcher(read(".github/ISSUE_TEMPLATE/config.yml"));
        assertTrue(url.find());
        found("(?m)^  <url>(.*)</url>$", read("pom.xml")).forEach(ours -> assertEquals(ours, url.group(1)));
    }

    @Test
    void aRequestIsAskedForWhatThereIs() {
        String form = read(".github/pull_request_template.md");
        Set<String> named = found("`([^`]+/[^`]+)`", form);
        named.forEach(file -> assertTrue(Files.exists(Readme.ROOT.resolve(file)), file));
    }

    /** A rule for editors: for which files, and what. */
    private record Rule(String files, Map<String, String> settings) {

        /** Without a slash it is for every folder. */
        boolean isFor(Path file) {
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + files);
            return matcher.matches(files.contains("/") ? file : file.getFileName());
        }
    }

    private static List<Rule> rules() {
        var rules = new ArrayList<Rule>();
        for (MatchResult section : Pattern.compile("(?m)^\\[(.*)]\n((?:\\w+ = \\S+\n)+)")
                .matcher(read(".editorconfig")).results().toList()) {
            var settings = new HashMap<String, String>();
            section.group(2).lines().map(line -> line.split(" = "))
                    .forEach(set -> settings.put(set[0], set[1]));
            rules.add(new Rule(section.group(1), settings));
        }
        return rules;
    }

    private static Map<String, String> settings(List<Rule> rules, Path file) {
        var all = new HashMap<String, String>();
        rules.stream().filter(rule -> rule.isFor(file)).forEach(rule -> all.putAll(rule.settings));
        all.values().removeIf("unset"::equals);
        return all;
    }

    /** Those of the repository, but what is in its first folder beside them is an editor's, say. */
    private static List<Path> files() throws IOException {
        var files = new ArrayList<Path>();
        for (String place : List.of(".ci", ".github", "src", "examples", "README.md", "pom.xml")) {
            try (Stream<Path> found = Files.walk(Readme.ROOT.resolve(place))) {
                found.filter(Files::isRegularFile).filter(file -> !(""
                        + file).contains("/target/")).map(Readme.ROOT::relativize).forEach(files::add);
            }
        }
        return files;
    }

    @Test
    void filesAreAsEditorsAreToldToKeepThem() throws IOException {
        List<Rule> rules = rules();
        assertTrue(rules.size() > 3 && files().size() > 500);
        var wrong = new ArrayList<String>();
        for (Path file : files()) {
            String what = wrong(settings(rules, file), Files.readAllBytes(Readme.ROOT.resolve(file)));
            if (!what.isEmpty()) wrong.add(file + ": " + what);
        }
        assertEquals(List.of(), wrong, "The named rule of .editorconfig is broken, so the next change would"
                + " touch lines that it does not mean. Wrap long lines; an editor that knows the rules does"
                + " the rest.");
    }

    /** What of the settings does not hold; nothing if all do. */
    private static String wrong(Map<String, String> settings, byte[] content) {
        String text = new String(content, "utf-8".equals(settings.get("charset")) ? UTF_8 : ISO_8859_1);
        if (settings.containsKey("charset") && text.indexOf('\uFFFD') >= 0) return "charset";
        if (settings.containsKey("end_of_line") && text.indexOf('\r') >= 0) return "end_of_line";
        boolean ends = text.isEmpty() || text.endsWith("\n");
        if (settings.containsKey("insert_final_newline") && !ends) return "insert_final_newline";
        boolean trails = Pattern.compile("(?m)[ \t]$").matcher(text).find();
        if (settings.containsKey("trim_trailing_whitespace") && trails) return "trim_trailing_whitespace";
        boolean tabs = Pattern.compile("(?m)^ *\t").matcher(text).find();
        if (settings.containsKey("indent_style") && tabs) return "indent_style";
        int columns = Integer.parseInt(settings.getOrDefault("max_line_length", "" + Integer.MAX_VALUE));
        List<String> lines = text.lines().toList();
        String wide = IntStream.range(0, lines.size()).filter(i -> width(lines.get(i)) > columns)
                .mapToObj(i -> " line " + (i + 1) + " has " + width(lines.get(i))).collect(joining(","));
        return wide.isEmpty() ? "" : "max_line_length:" + wide + " of " + columns + " columns";
    }

    private static int width(String line) {
        return line.codePointCount(0, line.length());
    }

    @Test
    void seesWhatAnEditorWouldChange() {
        List<Rule> rules = rules();
        Map<String, String> java = settings(rules, Path.of("src/main/java/A.java"));
        assertEquals("4", java.get("indent_size"));
        assertEquals("2", settings(rules, Path.of("pom.xml")).get("indent_size"));
        assertEquals("110", settings(rules, Path.of(".ci/run")).get("max_line_length"));
        assertEquals("", wrong(java, "class A {\n    int é;\n}\n".getBytes(UTF_8)));
        Map<String, String> faults = Map.of("é\n", "charset", "a\r\n", "end_of_line", "a",
                "insert_final_newline", "a \n", "trim_trailing_whitespace", " \ta\n", "indent_style",
                "a".repeat(111) + "\n", "max_line_length");
        faults.forEach((text, what) -> assertTrue(wrong(java, text.getBytes(ISO_8859_1)).startsWith(what)));
    }
}
