package org.microhttp.measure;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a load generator counted in a run. Bytes are of heads and bodies. Half of the answers came within the
 * median, 99 of 100 within the other latency; both are in µs, and 0 where they are not asked for.
 */
public record LoadCount(long requests, long bytes, double seconds, long errors, long median, long high) {

    /** How a load generator's output is read. */
    public interface Reading { LoadCount of(String output) throws IOException; }

    private static final Pattern COUNTED = Pattern.compile("counted" + " (\\d+)".repeat(6));

    /** The end of every program for wrk: exact, where wrk itself rounds. */
    public static final String DONE = """
            done = function(summary, latency)
                local e = summary.errors
                local errors = e.connect + e.read + e.write + e.status + e.timeout
                print(string.format("counted %d %d %d %d %d %d", summary.requests, summary.bytes,
                    summary.duration, errors, latency:percentile(50), latency:percentile(99)))
            end
            """;

    /** The beginning of a program for wrk that has a list of URLs. */
    private static final String LIST = """
            init = function()
                requests = {}
                for line in io.lines("LIST") do
                    requests[#requests + 1] = wrk.format("GET", line:match("^%a+://[^/]*(.*)$"))
                end
                next_one = 0
                math.randomseed(1)
            end
            """;

    private static final String IN_ORDER = """
            request = function()
                next_one = next_one % #requests + 1
                return requests[next_one]
            end
            """;

    private static final String AT_RANDOM = """
            request = function()
                return requests[math.random(#requests)]
            end
            """;

    /** However slow the machine is. */
    private static final double BRIEFLY_AT_MOST = 10;

    /** The part of a program for wrk that goes through a list, again and again. */
    public static String inOrder(String list) { return LIST.replace("LIST", list) + IN_ORDER; }

    /** Likewise, at random; each time that it runs in the same order. */
    public static String atRandom(String list) { return LIST.replace("LIST", list) + AT_RANDOM; }

    /**
     * Runs a load generator for so many seconds, or for fewer than one: it knows whole ones only, but when it
     * is interrupted earlier it reports what it has.
     *
     * @param beyond  how many seconds it may take in addition
     */
    public static LoadCount run(List<String> command, double seconds, double beyond, Reading reading)
            throws IOException {
        if (seconds >= 1) return reading.of(Children.run(command, seconds + beyond));
        // interrupted before it is ready for that the program ends in silence: then it gets more time
        for (double limit = seconds; limit < BRIEFLY_AT_MOST; limit *= 4) {
            try {
                LoadCount load = reading.of(Children.run(command, limit));
                if (load.bytes > 0) return load;
            } catch (IOException e) {
                // once more, with the limit that the last one has
            }
        }
        return reading.of(Children.run(command, BRIEFLY_AT_MOST));
    }

    /** Of wrk, whose program ended as it should. */
    public static LoadCount parse(String output) throws IOException {
        Matcher counted = COUNTED.matcher(output);
        if (!counted.find()) throw new IOException("no result: " + output.strip());
        long[] numbers = new long[6];
        for (int i = 0; i < numbers.length; i++) numbers[i] = Long.parseLong(counted.group(i + 1));
        return new LoadCount(numbers[0], numbers[1], numbers[2] / 1e6, numbers[3], numbers[4], numbers[5]);
    }
}
