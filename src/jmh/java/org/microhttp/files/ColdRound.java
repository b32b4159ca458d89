package org.microhttp.files;

import java.util.Locale;

/**
 * A download of a large file while another connection asks for a small one again and again: a line of the
 * result file. What the small one took at most is how long the loop did nothing else.
 */
public record ColdRound(FilePeer peer, boolean cold, int round, long bytes, double seconds, long small,
                        double longest) {

    static final String COLUMNS = String.join("\t", "server", "cache", "round", "bytes", "seconds",
            "small_requests", "longest_ms");

    String line() {
        return String.format(Locale.ROOT, "%s\t%s\t%d\t%d\t%.3f\t%d\t%.3f", peer.name, cold ? "cold" : "warm",
                round, bytes, seconds, small, longest);
    }

    static ColdRound parse(String line) {
        String[] fields = line.split("\t");
        if (fields.length != 7) throw new IllegalArgumentException("not seven columns: " + line);
        return new ColdRound(FilePeer.named(fields[0]), fields[1].equals("cold"), Integer.parseInt(fields[2]),
                Long.parseLong(fields[3]), Double.parseDouble(fields[4]), Long.parseLong(fields[5]),
                Double.parseDouble(fields[6]));
    }
}
