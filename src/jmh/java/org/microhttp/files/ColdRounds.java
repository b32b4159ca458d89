package org.microhttp.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.measure.Children;
import org.microhttp.measure.Machine;

/**
 * How long a file that is not in the page cache holds up others: each server sends it cold, then warm, once a
 * round.
 */
final class ColdRounds {

    private static final Pattern COUNTED = Pattern.compile("counted (\\d+) (\\d+) (\\d+) (\\d+)");
    private static final double SECONDS_AT_MOST = 90;

    private final FilePlan plan;
    private final MeasuredSite site;
    private final List<ColdRound> rounds = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    ColdRounds(FilePlan plan, MeasuredSite site) {
        this.plan = plan;
        this.site = site;
    }

    List<String> problems() { return problems; }

    List<ColdRound> rounds() { return rounds; }

    void run(FileCase asked, List<ServedSite> servers) {
        System.out.println("\n" + asked.content().title + ": how long a small file takes meanwhile");
        for (int round = 1; round <= plan.rounds(); round++) {
            for (ServedSite server : servers) {
                for (boolean cold : List.of(true, false)) {
                    try {
                        rounds.add(measure(server, cold, round));
                    } catch (IOException e) {
                        problems.add(server.peer.title + ", cold file: " + e.getMessage());
                    }
                }
            }
        }
    }

    private ColdRound measure(ServedSite server, boolean cold, int round) throws IOException {
        if (cold) drop();
        String output = Children.run(List.of("taskset", "-c", plan.clientCpu(), Machine.java(),
                "-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-cp", System.getProperty("java.class.path"),
                ColdClient.class.getName(), "" + server.port(), ServedContent.COLD.target(),
                ServedContent.TINY.target()), SECONDS_AT_MOST);
        Matcher counted = COUNTED.matcher(output);
        if (!counted.find()) throw new IOException("no result: " + output.strip());
        var result = new ColdRound(server.peer, cold, round, Long.parseLong(counted.group(1)),
                Long.parseLong(counted.group(2)) / 1e9, Long.parseLong(counted.group(3)),
                Long.parseLong(counted.group(4)) / 1e6);
        System.out.printf(Locale.ROOT, "%3d/%d  %-24s %s: %7.1f MB/s, a small file took %.1f ms at most%n",
                round, plan.rounds(), server.peer.title, cold ? "cold" : "warm",
                result.bytes() / result.seconds() / 1e6, result.longest());
        return result;
    }

    /** Has the kernel forget the file's pages, which it does for those that are on the disk. */
    private void drop() throws IOException {
        Children.run(List.of("dd", "of=" + site.file(ServedContent.COLD), "oflag=nocache",
                "conv=notrunc,fdatasync", "count=0"), 60);
    }
}
