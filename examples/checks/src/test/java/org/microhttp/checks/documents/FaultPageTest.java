package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.microhttp.checks.faults.chaos.Fault;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** The table of faults has what a full run has to show of each, and the page of tests explains each. */
@Tier.Gate
final class FaultPageTest {

    private static final Path TESTS = Readme.ROOT.resolve("src/test/README.md");
    private static final String PAGE = Readme.read(Readme.ROOT.resolve("src/jmh/results/faults.md"));
    private static final int ERRORS = 3;

    private static List<List<String>> rows() {
        return Readme.table(PAGE, "fault");
    }

    @Test
    void hasARowForEachFaultForAllAndForTheNetwork() {
        var expected = new ArrayList<>(Arrays.stream(Fault.values()).map(fault -> fault.text.replace("`", ""))
                .toList());
        expected.add("all faults that one server can have, at once");
        expected.add("5 % of packets lost, the others 100 ms late");
        assertEquals(expected, rows().stream().map(row -> row.get(0)).toList());
    }

    @Test
    void noErrorWasSeen() {
        rows().forEach(row -> assertEquals("0", row.get(ERRORS), row::toString));
    }

    @Test
    void saysWhatWasMeasuredOnWhat() {
        String facts = Readme.blocks(PAGE, "text").get(0);
        for (String fact : List.of("date", "commit", "machine", "kernel", "jdk", "command", "verdict")) {
            assertTrue(facts.lines().anyMatch(line -> line.startsWith(fact + ": ")), fact);
        }
    }

    @Test
    void everyFaultIsExplained() {
        Set<String> explained = Readme.table(Readme.read(TESTS), "fault").stream()
                .flatMap(row -> Arrays.stream(row.get(0).split(", "))).collect(Collectors.toSet());
        assertEquals(Arrays.stream(Fault.values()).map(Fault::name).collect(Collectors.toSet()), explained);
    }
}
