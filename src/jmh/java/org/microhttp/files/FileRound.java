package org.microhttp.files;

import java.util.Locale;
import org.microhttp.measure.MeasuredRun;

/**
 * What one server did in one round of a case: a line of the result file. CPU time is in seconds: of the
 * server in user mode and in the kernel, of the proxy in front of it, of the load generator, and of all
 * others on the machine meanwhile. Bytes are as the load generator received them, heads too.
 */
public record FileRound(FileCase asked, int reached, int round, FilePeer peer, long requests, long bytes,
                        double seconds, double user, double system, double proxy, long errors,
                        double generator, double others)
        implements MeasuredRun<FileCase, FilePeer> {

    static final String COLUMNS = String.join("\t", "part", "content", "connections", "persistence",
            "transport", "reached", "round", "server", "requests", "bytes", "seconds", "user_s", "system_s",
            "proxy_s", "errors", "generator_s", "others_s");

    /** Where answers are large, a run ends in the middle of many. */
    private static final long LARGE = 100_000;

    /** Whole answers or, of large ones, as many as the bytes would be. */
    private double answers() {
        long size = asked.content().size;
        return size < LARGE ? requests : (double) bytes / size;
    }

    /** Of the server alone, in µs. */
    public double microsPerRequest() { return (user + system) / answers() * 1e6; }

    /** Of the server and its proxy. */
    public double microsWithProxy() { return (user + system + proxy) / answers() * 1e6; }

    public double requestsPerSecond() { return answers() / seconds; }

    public double megabytesPerSecond() { return bytes / seconds / 1e6; }

    public double cpuPerGigabyte() { return (user + system) / (bytes / 1e9); }

    @Override
    public boolean isValid() { return errors == 0 && answers() > 0; }

    String line() {
        return asked.key() + String.format(Locale.ROOT,
                "\t%d\t%d\t%s\t%d\t%d\t%.3f\t%.2f\t%.2f\t%.2f\t%d\t%.2f\t%.2f", reached, round, peer.name,
                requests, bytes, seconds, user, system, proxy, errors, generator, others);
    }

    static FileRound parse(String line) {
        String[] fields = line.split("\t");
        if (fields.length != 17) throw new IllegalArgumentException("not seventeen columns: " + line);
        double[] times = new double[fields.length];
        for (int i = 10; i < fields.length; i++) times[i] = Double.parseDouble(fields[i]);
        return new FileRound(FileCase.parse(fields), Integer.parseInt(fields[5]), Integer.parseInt(fields[6]),
                FilePeer.named(fields[7]), Long.parseLong(fields[8]), Long.parseLong(fields[9]), times[10],
                times[11], times[12], times[13], Long.parseLong(fields[14]), times[15], times[16]);
    }
}
