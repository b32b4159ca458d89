package org.microhttp.extras.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.microhttp.*;
import org.microhttp.testing.*;

/** What Prometheus gets: its text format, version 0.0.4. */
@Tier.Program
final class PrometheusTextTest {

    /** What a client could not choose, but a label's value may hold. */
    private static final String ODD = "a\\b\"c\nd";

    private static final Stats STATS = Stats.of(Map.ofEntries(Map.entry("connections", 3L),
            Map.entry("accepted", Long.MAX_VALUE), Map.entry("closed", 4L), Map.entry("served", 5L),
            Map.entry("refused", 25L), Map.entry("upgrades", 14L), Map.entry("responses.2xx", 6L),
            Map.entry("responses.4xx", 7L), Map.entry("responses.5xx", 8L), Map.entry("bytesIn", 9L),
            Map.entry("bytesOut", 10L), Map.entry("timeouts", 11L), Map.entry("refusals.bare_lf", 12L),
            Map.entry("durations.2", 20L), Map.entry("durations.1024", 1L),
            Map.entry("durations.2147483648", 2L), Map.entry("totalDuration", 3_000_000_001L),
            Map.entry("refusals." + ODD, 13L), Map.entry("longestTurn", 1_500_000_001L)));

    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final Pattern HELP =
            Pattern.compile("# HELP (" + NAME + ") ((?:[^\\\\]|\\\\\\\\|\\\\n)*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|histogram)");
    private static final String LABEL =
            "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\\\\\"]|\\\\\\\\|\\\\\"|\\\\n)*\"";
    private static final Pattern SAMPLE =
            Pattern.compile("(" + NAME + ")(?:\\{" + LABEL + "\\})? ([0-9]+(?:\\.[0-9]+)?)");

    private static String text(Stats stats) {
        return ServerMonitor.text(stats);
    }

    private static Stats nothing() {
        return Stats.of(Map.of());
    }

    @Test
    void everyNumberIsThere() {
        // of the powers of two those at which something changes, and the ends
        List<String> samples = text(STATS).lines().filter(line -> !line.startsWith("#"))
                .filter(line -> !line.contains("le=")
                        || line.matches(".*\"(0.00000[12]|0.001024|1073.741824|.Inf)\".*")).toList();
        assertEquals(List.of(
                "microhttp_connections 3",
                "microhttp_connections_accepted_total 9223372036854775807",
                "microhttp_connections_closed_total 4",
                "microhttp_requests_total{outcome=\"refused\"} 25",
                "microhttp_requests_total{outcome=\"served\"} 5",
                "microhttp_upgrades_total 14",
                "microhttp_responses_total{class=\"2xx\"} 6",
                "microhttp_responses_total{class=\"3xx\"} 0",
                "microhttp_responses_total{class=\"4xx\"} 7",
                "microhttp_responses_total{class=\"5xx\"} 8",
                "microhttp_response_duration_seconds_bucket{le=\"0.000001\"} 0",
                "microhttp_response_duration_seconds_bucket{le=\"0.000002\"} 20",
                "microhttp_response_duration_seconds_bucket{le=\"0.001024\"} 21",
                "microhttp_response_duration_seconds_bucket{le=\"1073.741824\"} 21",
                "microhttp_response_duration_seconds_bucket{le=\"+Inf\"} 23",
                "microhttp_response_duration_seconds_sum 3.000000001",
                "microhttp_response_duration_seconds_count 23",
                "microhttp_received_bytes_total 9",
                "microhttp_sent_bytes_total 10",
                "microhttp_timeouts_total 11",
                "microhttp_refusals_total{code=\"a\\\\b\\\"c\\nd\"} 13",
                "microhttp_refusals_total{code=\"bare_lf\"} 12",
                "microhttp_longest_turn_seconds 1.500000001"), samples);
    }

    @Test
    void thePageNamesEveryMetric() {
        String page = Readme.read(Readme.ROOT.resolve("examples/services/edge/README.md"));
        Set<String> named = new TreeSet<>();
        for (List<String> row : Readme.table(page, "metric")) {
            Pattern.compile("microhttp_\\w+").matcher(row.get(0)).results()
                    .forEach(name -> named.add(name.group().replaceFirst("_bucket$", "")));
        }
        Set<String> written = new TreeSet<>();
        text(STATS).lines().map(TYPE::matcher).filter(Matcher::matches)
                .forEach(type -> written.add(type.group(1)));
        assertEquals(written, named);
    }

    @Test
    void everyLineIsOfTheFormat() {
        assertIsOfTheFormat(text(STATS));
        assertIsOfTheFormat(text(nothing()));
    }

    /** For each metric its help, its type, then its samples, no two alike; a line feed behind each. */
    private static void assertIsOfTheFormat(String text) {
        assertTrue(text.endsWith("\n"), text);
        Set<String> seen = new HashSet<>();
        String name = "";
        String type = "";
        for (String line : text.split("\n")) {
            Matcher help = HELP.matcher(line);
            Matcher typed = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (help.matches()) {
                name = help.group(1);
                assertTrue(seen.add(name), line);
            } else if (typed.matches()) {
                assertEquals(name, typed.group(1), line);
                type = typed.group(2);
                assertEquals(type.equals("counter"), name.endsWith("_total"), line);
            } else {
                assertTrue(sample.matches(), line);
                String of = type.equals("histogram")
                        ? sample.group(1).replaceFirst("_(bucket|sum|count)$", "") : sample.group(1);
                assertEquals(name, of, line);
                assertTrue(seen.add(line.substring(0, line.lastIndexOf(' '))) || line.startsWith(name + " "));
            }
        }
    }

    /** The package prometheus; it complains of names and types, too. */
    @Test
    void promtoolHasNothingToSay() throws Exception {
        assumeTrue(Programs.isInstalled("promtool"), "no promtool: install the package prometheus");
        for (Stats stats : List.of(STATS, nothing())) {
            Process promtool = new ProcessBuilder("promtool", "check", "metrics").redirectErrorStream(true)
                    .start();
            try (var input = promtool.getOutputStream()) {
                input.write(text(stats).getBytes(UTF_8));
            }
            assertEquals("", new String(promtool.getInputStream().readAllBytes(), UTF_8));
            assertEquals(0, promtool.waitFor());
        }
    }
}
