package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.checks.endurance.Fault;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** The results that {@code examples/checks/full} writes of its last whole runs show that these kept. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ResultPagesTest {

    private static final Path RESULTS = Readme.ROOT.resolve("src/jmh/results");

    private static String page(String name) {
        return Readme.read(RESULTS.resolve(name));
    }

    private static void assertKept(List<String> facts) {
        for (String fact : List.of("date", "commit", "machine", "kernel", "jdk", "command")) {
            assertTrue(facts.stream().anyMatch(line -> line.startsWith(fact + ": ")), fact);
        }
        assertTrue(facts.contains("verdict: kept"), facts::toString);
    }

    @Test
    void saysWhatWasMeasuredOnWhat() {
        assertKept(Readme.blocks(page("soak.md"), "text").get(0).lines().toList());
        assertKept(page("faults.tsv").lines().filter(line -> line.startsWith("# "))
                .map(line -> line.substring(2)).toList());
    }

    /** All faults together and the bad network have a row, too. */
    @Test
    void everyFaultHasARowWithoutAnError() {
        List<List<String>> rows = page("faults.tsv").lines().filter(line -> !line.startsWith("# ")).skip(1)
                .map(line -> List.of(line.split("\t"))).toList();
        List<String> names = rows.stream().map(row -> row.get(0)).toList();
        for (Fault fault : Fault.values()) {
            assertTrue(names.contains(fault.text), fault::name);
        }
        assertEquals(Fault.values().length + 2, rows.size());
        rows.forEach(row -> assertEquals("0", row.get(3), row::toString));
    }

    @Test
    void noRequestOfTheSoakFailed() {
        List<List<String>> rows = Readme.table(page("soak.md"), "minute");
        assertTrue(rows.size() >= 6, rows::toString);
        assertTrue(rows.stream().allMatch(row -> row.get(2).equals("0")), rows::toString);
    }
}
