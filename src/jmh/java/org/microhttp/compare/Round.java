package org.microhttp.compare;

import java.util.Locale;
import java.util.stream.IntStream;
import org.microhttp.measure.CpuMeter;

/**
 * What one server did in one round of a scenario: a line of the result file. CPU time is in seconds, of the
 * server in user mode and in the kernel, of wrk, and of all others on the machine meanwhile.
 */
public record Round(Scenario scenario, int round, Peer peer, long requests, double seconds,
                    double user, double system, long errors, double generator, double others) {

    static final String COLUMNS = String.join("\t", "scenario", "round", "server", "requests", "seconds",
            "user_s", "system_s", "errors", "generator_s", "others_s");

    public double microsPerRequest() { return (user + system) / requests * 1e6; }

    public double requestsPerSecond() { return requests / seconds; }

    boolean isDisturbed() { return CpuMeter.isDisturbed(seconds, others); }

    String line() {
        return String.format(Locale.ROOT, "%s\t%d\t%s\t%d\t%.3f\t%.2f\t%.2f\t%d\t%.2f\t%.2f", scenario.name,
                round, peer.name, requests, seconds, user, system, errors, generator, others);
    }

    static Round parse(String line) {
        String[] fields = line.split("\t");
        if (fields.length != 10) throw new IllegalArgumentException("not ten columns: " + line);
        double[] times =
                IntStream.of(4, 5, 6, 8, 9).mapToDouble(i -> Double.parseDouble(fields[i])).toArray();
        return new Round(Scenario.named(fields[0]), Integer.parseInt(fields[1]),
                Peer.named(fields[2]), Long.parseLong(fields[3]), times[0], times[1], times[2],
                Long.parseLong(fields[7]), times[3], times[4]);
    }
}
