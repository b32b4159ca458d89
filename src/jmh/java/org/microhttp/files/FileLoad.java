package org.microhttp.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.measure.Children;

/** A run of a load generator, wrk or ab, and what it counted. */
record FileLoad(long requests, long bytes, double seconds, long errors) {

    /** What the program for wrk prints at its end: exact, where wrk itself rounds. */
    private static final Pattern COUNTED = Pattern.compile("counted (\\d+) (\\d+) (\\d+) (\\d+)");

    private static final String DONE = """
            done = function(summary)
                local e = summary.errors
                local errors = e.connect + e.read + e.write + e.status + e.timeout
                print(string.format("counted %d %d %d %d", summary.requests, summary.bytes,
                    summary.duration, errors))
            end
            """;

    /** Goes through the list, from the beginning, as often as there is time. */
    private static final String LIST = """
            init = function()
                requests = {}
                for line in io.lines("LIST") do
                    requests[#requests + 1] = wrk.format("GET", line:match("^%a+://[^/]*(.*)$"))
                end
                next_one = 0
            end
            request = function()
                next_one = next_one % #requests + 1
                return requests[next_one]
            end
            """;

    /** Where a run has a number of requests it still ends. */
    private static final int SECONDS_AT_MOST = 120;

    /** However slow the machine is. */
    private static final double BRIEFLY_AT_MOST = 10;

    /** The command, but for the CPU that it is pinned to. */
    static List<String> command(FileCase asked, int connections, double seconds, String script, String url) {
        String target = asked.content().size > 0 ? asked.content().target() : "/";
        if (asked.part() != FilePart.OLDEST) {
            return List.of("wrk", "-t1", "-c" + connections, "-d" + (int) Math.ceil(seconds) + "s",
                    "--timeout", "60s", "-s", script, url + target);
        }
        List<String> command = new ArrayList<>(List.of("ab", "-q", "-c", "" + connections));
        if (asked.keepAlive()) command.add("-k");
        int most = asked.requests() > 0 ? SECONDS_AT_MOST : (int) Math.ceil(seconds);
        int requests = asked.requests() > 0 ? asked.requests() : 10_000_000;
        command.addAll(List.of("-t", "" + most, "-n", "" + requests, url + target));
        return command;
    }

    /** Runs it. wrk knows whole seconds only; when it is interrupted earlier it reports what it has. */
    static FileLoad run(FileCase asked, int connections, double seconds, ServedSite server, FilePlan plan,
                        MeasuredSite site) throws IOException {
        Path script = Files.createTempFile("wrk", ".lua");
        Files.writeString(script, script(asked, "" + site.list()));
        List<String> command = new ArrayList<>(List.of("taskset", "-c", plan.clientCpu()));
        command.addAll(command(asked, connections, seconds, "" + script, server.url(asked)));
        double beyond = asked.requests() > 0 ? SECONDS_AT_MOST : 30;
        try {
            if (seconds >= 1) return run(asked, command, seconds + beyond);
            return runBriefly(asked, command, seconds);
        } finally {
            Files.delete(script);
        }
    }

    private static FileLoad run(FileCase asked, List<String> command, double limit) throws IOException {
        String output = Children.run(command, limit);
        return asked.part() == FilePart.OLDEST ? parseAb(output) : parse(output);
    }

    /** Interrupted before it is ready for that the program ends in silence: then it gets more time. */
    private static FileLoad runBriefly(FileCase asked, List<String> command, double seconds)
            throws IOException {
        for (double limit = seconds; limit < BRIEFLY_AT_MOST; limit *= 4) {
            try {
                FileLoad load = run(asked, command, limit);
                if (load.bytes > 0) return load;
            } catch (IOException e) {
                // once more, with the limit that the last one has
            }
        }
        return run(asked, command, BRIEFLY_AT_MOST);
    }

    static String script(FileCase asked, String list) {
        String close = asked.keepAlive() ? "" : "wrk.headers[\"Connection\"] = \"close\"\n";
        boolean coded = asked.content() == ServedContent.GZIP;
        String gzip = coded ? "wrk.headers[\"Accept-Encoding\"] = \"gzip\"\n" : "";
        boolean many = asked.content().size == 0;
        return close + gzip + (many ? LIST.replace("LIST", list) : "") + DONE;
    }

    static FileLoad parse(String output) throws IOException {
        Matcher counted = COUNTED.matcher(output);
        if (!counted.find()) throw new IOException("no result: " + output.strip());
        return new FileLoad(Long.parseLong(counted.group(1)), Long.parseLong(counted.group(2)),
                Long.parseLong(counted.group(3)) / 1e6, Long.parseLong(counted.group(4)));
    }

    /** Bytes are those of heads and bodies. */
    static FileLoad parseAb(String output) throws IOException {
        long failed = (long) value(output, "Failed requests:");
        long refused = output.contains("Non-2xx") ? (long) value(output, "Non-2xx responses:") : 0;
        return new FileLoad((long) value(output, "Complete requests:"),
                (long) value(output, "Total transferred:"), value(output, "Time taken for tests:"),
                failed + refused);
    }

    private static double value(String output, String name) throws IOException {
        Matcher value = Pattern.compile(name + " +([0-9.]+)").matcher(output);
        if (!value.find()) throw new IOException("no result: " + output.strip());
        return Double.parseDouble(value.group(1));
    }
}
