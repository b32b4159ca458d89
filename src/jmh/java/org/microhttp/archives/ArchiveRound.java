package org.microhttp.archives;

import java.util.Locale;
import org.microhttp.measure.MeasuredRun;

/**
 * What one server did in one round of a case: a line of the result file. CPU time is in seconds: of the
 * server in user mode and in the kernel, of the load generator, and of all others on the machine meanwhile.
 * Bytes are as the load generator received them, heads too; latencies are in µs. Where it is shared the load
 * generator had no CPU that the server did not have.
 */
public record ArchiveRound(ArchiveCase asked, int reached, boolean shared, int round, ArchivePeer peer,
                           long requests, long bytes, double seconds, double user, double system, long errors,
                           long median, long high, double generator, double others)
        implements MeasuredRun<ArchiveCase, ArchivePeer> {

    static final String COLUMNS = String.join("\t", "part", "content", "connections", "threads", "reached",
            "cpus", "round", "server", "requests", "bytes", "seconds", "user_s", "system_s", "errors",
            "p50_us", "p99_us", "generator_s", "others_s");

    public double microsPerRequest() { return (user + system) / requests * 1e6; }

    public double requestsPerSecond() { return requests / seconds; }

    public double medianMillis() { return median / 1e3; }

    public double highMillis() { return high / 1e3; }

    @Override
    public boolean isValid() { return errors == 0 && requests > 0; }

    String line() {
        return asked.key() + String.format(Locale.ROOT,
                "\t%d\t%s\t%d\t%s\t%d\t%d\t%.3f\t%.2f\t%.2f\t%d\t%d\t%d\t%.2f\t%.2f", reached,
                shared ? "shared" : "own", round, peer.name, requests, bytes, seconds, user, system, errors,
                median, high, generator, others);
    }

    static ArchiveRound parse(String line) {
        String[] fields = line.split("\t");
        if (fields.length != 18) throw new IllegalArgumentException("not eighteen columns: " + line);
        double[] times = new double[fields.length];
        long[] counts = new long[fields.length];
        for (int i = 8; i < fields.length; i++) times[i] = Double.parseDouble(fields[i]);
        for (int i = 4; i < fields.length; i++) {
            if (fields[i].matches("[0-9]+")) counts[i] = Long.parseLong(fields[i]);
        }
        return new ArchiveRound(ArchiveCase.parse(fields), (int) counts[4], fields[5].equals("shared"),
                (int) counts[6], ArchivePeer.named(fields[7]), counts[8], counts[9], times[10], times[11],
                times[12], counts[13], counts[14], counts[15], times[16], times[17]);
    }
}
