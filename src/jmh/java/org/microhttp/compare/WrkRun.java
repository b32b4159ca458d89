package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.measure.Children;

/** A run of the load generator, wrk, and what it counted. */
record WrkRun(long requests, double seconds, long errors) {

    private static final Pattern COUNT = Pattern.compile("(\\d+) requests in ([0-9.]+)(us|ms|s|m),");
    private static final Pattern ERRORS = Pattern.compile("(?:connect|read|write|timeout|responses:) (\\d+)");
    private static final Map<String, Double> UNITS = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0);

    /** The command, but for the CPU that it is pinned to. */
    static List<String> command(Scenario scenario, double seconds, String script, String port) {
        return List.of("wrk", "-t1", "-c" + scenario.connections, "-d" + (int) Math.ceil(seconds) + "s",
                "--timeout", "5s", "-s", script, "http://127.0.0.1:" + port + "/");
    }

    /**
     * Runs it. wrk knows whole seconds only; when it is interrupted earlier it reports what it has, on a busy
     * machine perhaps nothing: then it is given more time, up to a second.
     */
    static WrkRun run(Scenario scenario, double seconds, int port, String cpu) throws IOException {
        Path script = Files.createTempFile(scenario.name, ".lua");
        Files.writeString(script, scenario.script());
        List<String> command = new ArrayList<>(List.of("taskset", "-c", cpu));
        command.addAll(command(scenario, seconds, "" + script, "" + port));
        try {
            for (double time = seconds; time < 1; time *= 3) {
                String output = Children.run(command, time);
                if (isAnswered(COUNT.matcher(output))) return parse(output);
            }
            return parse(Children.run(command, Math.ceil(seconds) + 20));
        } finally {
            Files.delete(script);
        }
    }

    private static boolean isAnswered(Matcher count) { return count.find() && !count.group(1).equals("0"); }

    /** Reads what wrk printed; that it printed no count is an error as well. */
    static WrkRun parse(String output) throws IOException {
        Matcher count = COUNT.matcher(output);
        if (!isAnswered(count)) throw new IOException("no answer: " + output.strip());
        double seconds = Double.parseDouble(count.group(2)) * UNITS.get(count.group(3));
        // Socket errors: connect 0, read 3, write 0, timeout 0
        // Non-2xx or 3xx responses: 5
        long errors = ERRORS.matcher(output.substring(count.end())).results()
                .mapToLong(error -> Long.parseLong(error.group(1))).sum();
        return new WrkRun(Long.parseLong(count.group(1)), seconds, errors);
    }
}
