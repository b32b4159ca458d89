package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.checks.endurance.Fault;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** The pages that {@code examples/checks/full} writes of its last whole runs show that these kept. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ResultPagesTest {

    private static final Path RESULTS = Readme.ROOT.resolve("src/jmh/results");
    private static final Set<String> FAULTS =
            Arrays.stream(Fault.values()).map(Fault::name).collect(Collectors.toSet());

    private static String page(String name) {
        return Readme.read(RESULTS.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"faults.md", "soak.md"})
    void saysWhatWasMeasuredOnWhat(String page) {
        List<String> facts = Readme.blocks(page(page), "text").get(0).lines().toList();
        for (String fact : List.of("date", "commit", "machine", "kernel", "jdk", "command")) {
            assertTrue(facts.stream().anyMatch(line -> line.startsWith(fact + ": ")), fact);
        }
        assertTrue(facts.contains("verdict: kept"), facts::toString);
    }

    /** All faults together and the bad network have a row, too. */
    @Test
    void everyFaultHasARowWithoutAnError() {
        List<List<String>> rows = Readme.table(page("faults.md"), "fault");
        List<String> names = rows.stream().map(row -> row.get(0)).toList();
        for (Fault fault : Fault.values()) {
            assertTrue(names.contains(fault.text.replace("`", "")), fault::name);
        }
        assertEquals(FAULTS.size() + 2, rows.size());
        rows.forEach(row -> assertEquals("0", row.get(3), row::toString));
    }

    @Test
    void everyFaultIsExplained() {
        String tests = Readme.read(Readme.ROOT.resolve("src/test/README.md"));
        assertEquals(FAULTS, Readme.table(tests, "fault").stream()
                .flatMap(row -> Arrays.stream(row.get(0).split(", "))).collect(Collectors.toSet()));
    }

    @Test
    void noRequestOfTheSoakFailed() {
        List<List<String>> rows = Readme.table(page("soak.md"), "minute");
        assertTrue(rows.size() >= 6, rows::toString);
        assertTrue(rows.stream().allMatch(row -> row.get(2).equals("0")), rows::toString);
    }
}
