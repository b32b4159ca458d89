package org.microhttp.checks.documents;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceCompiler;
import org.microhttp.testing.TestRun;
import org.microhttp.testing.Tier;

/**
 * A requirement that is kept would be noticed if it were not: it is broken in one class of the library, and
 * the test that {@code requirements.tsv} names has to fail, in a JVM that finds that class first.
 * {@code examples/checks/full planted} tries all or as many as one likes. Likewise a script finds each fault
 * of streamed bodies, or a simulated world does.
 */
@Tier.Full
final class PlantedFaultsTest {

    private static final int DRAWN = Integer.getInteger("planted", 30);
    private static final long SEED = Long.getLong("seed", System.nanoTime() % 100_000);
    private static final String PATH = System.getProperty("java.class.path");
    private static final int SECONDS = 300;

    /** The full names of test classes, by their simple ones. */
    private static final Map<String, String> CLASSES = Readme.tests().stream()
            .filter(file -> file.toString().endsWith("Test.java"))
            .collect(toMap(Readme::name, PlantedFaultsTest::className));

    /** In how many worlds a fault is looked for that no script finds. */
    private static final String WORLDS_EACH = "-Dmicrohttp.worlds=2000";
    private static final String WORLDS = "SimulationTest.everyPromiseIsKeptInTheFirstWorlds";

    private final Map<String, String> tests = Requirement.all().stream()
            .collect(toMap(Requirement::paragraph, line -> fullName(line.test())));
    private final List<PlantedFault> faults = drawn();

    @TempDir
    private Path folder;

    private static String className(Path file) {
        String path = file.toString().replaceFirst(".*/src/test/java/", "");
        return path.replace(".java", "").replace(File.separatorChar, '.');
    }

    private static String fullName(String test) {
        String[] parts = test.split("\\.");
        return CLASSES.get(parts[0]) + "#" + parts[parts.length - 1];
    }

    private static List<PlantedFault> drawn() {
        var all = new ArrayList<>(PlantedFault.all());
        Collections.shuffle(all, new Random(SEED));
        return all.subList(0, Math.min(DRAWN, all.size()));
    }

    @Test
    void withoutAFaultEveryTestPasses() throws Exception {
        System.out.println("planted faults: " + faults.size() + ", drawn by seed " + SEED);
        List<String> names = faults.stream().map(fault -> tests.get(fault.name())).distinct().toList();
        assertEquals(0, run(PATH, names), "A test that requirements.tsv names fails as it is.");
    }

    @TestFactory
    Stream<DynamicTest> everyFaultIsNoticed() {
        return faults.stream().map(fault -> DynamicTest.dynamicTest(fault.name(),
                () -> plant(fault, tests.get(fault.name()))));
    }

    @TestFactory
    Stream<DynamicTest> everyFaultOfStreamsUploadsAndUpgradesIsFound() {
        return Stream.of(plants(PlantedFault.ofStreams(), "BodyStreamTest"),
                plants(PlantedFault.ofUploads(), "BodyReceiverTest"),
                plants(PlantedFault.ofUpgrades(), "UpgradeTest")).flatMap(each -> each);
    }

    private Stream<DynamicTest> plants(List<PlantedFault> those, String scripts) {
        return those.stream().map(fault -> DynamicTest.dynamicTest(fault.name(),
                () -> plant(fault, CLASSES.get(scripts), fullName(WORLDS))));
    }

    /** Runs one test after the other until one notices the fault. */
    private void plant(PlantedFault fault, String... tests) throws Exception {
        Path place = Files.createTempDirectory(folder, "fault");
        var errors = new StringBuilder();
        boolean compiled = SourceCompiler.task(errors::append,
                Map.of(fault.mutation().type(), fault.source()), "--release", "17", "-proc:none",
                "-implicit:none", "-cp", PATH, "-d", place.toString()).call();
        assertTrue(compiled, () -> "It does not compile. Repair its line. " + fault + "\n" + errors);
        for (String test : tests) {
            int status = run(place + File.pathSeparator + PATH, List.of(test));
            System.out.println(fault.name() + " " + test + (status == TestRun.FAILED ? ": noticed" : ""));
            if (status == TestRun.FAILED) return;
        }
        fail(String.join(" and ", tests) + " do not fail with " + fault + "\nOne should, or"
                + " requirements.tsv should name another test.");
    }

    /** What {@link TestRun} ends with; what takes too long has failed. */
    private static int run(String path, List<String> names) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(Programs.JAVA, "-ea", WORLDS_EACH));
        command.addAll(Programs.SHORT);
        command.addAll(List.of("-cp", path, TestRun.class.getName()));
        command.addAll(names);
        Process process = Programs.withoutJavaOptions(new ProcessBuilder(command))
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (process.waitFor(SECONDS, TimeUnit.SECONDS)) return process.exitValue();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        return TestRun.FAILED;
    }
}
