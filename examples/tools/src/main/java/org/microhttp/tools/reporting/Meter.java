package org.microhttp.tools.reporting;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.microhttp.Stats;

/**
 * Prints rates once a second, and totals at the end. It looks at what the loops count anyway, so a request
 * costs the same with it and without.
 */
public final class Meter {

    private final Supplier<Stats> stats;
    private final Report report;
    private final long start = System.nanoTime();

    /** What was seen last, and when. */
    private Stats seen;
    private long seenAt = start;
    private boolean ended;

    public Meter(Supplier<Stats> stats, Report report) {
        this.stats = stats;
        this.report = report;
        seen = stats.get();
    }

    public void start(ScheduledExecutorService timer) {
        // not at a fixed rate, which makes up for the lines that a stopped process missed
        timer.scheduleWithFixedDelay(this::printRates, 1, 1, TimeUnit.SECONDS);
    }

    private synchronized void printRates() {
        if (ended) {
            return;
        }
        Stats now = stats.get();
        long at = System.nanoTime();
        double seconds = (at - seenAt) / 1e9;
        double requests = (now.requests() - seen.requests()) / seconds;
        double responses = (responses(now) - responses(seen)) / seconds;
        double in = gigabits(now.bytesIn() - seen.bytesIn()) / seconds;
        double out = gigabits(now.bytesOut() - seen.bytesOut()) / seconds;
        seen = now;
        seenAt = at;
        if (report.json) {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("requests_per_second", requests);
            members.put("gigabits_in_per_second", in);
            members.put("responses_per_second", responses);
            members.put("gigabits_out_per_second", out);
            report.event("rates", members);
        } else {
            report.text(String.format(Locale.ROOT,
                    "%10.0f requests/s %8.3f Gbit/s in %10.0f responses/s %8.3f Gbit/s out",
                    requests, in, responses, out));
        }
    }

    /** Prints the last lines. The four below the time have the labels and units of the program statico. */
    public synchronized void printTotals() {
        ended = true;
        Stats all = stats.get();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (report.json) {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("seconds", seconds);
            members.put("requests", all.requests());
            members.put("bytes_in", all.bytesIn());
            members.put("responses", responses(all));
            members.put("bytes_out", all.bytesOut());
            report.event("totals", members);
        } else {
            report.text(String.format(Locale.ROOT, """
                    Total time:      %.1f s
                    Total requests:  %d
                    Total req bytes: %s
                    Total responses: %d
                    Total res bytes: %s""",
                    seconds, all.requests(), bytes(all.bytesIn()), responses(all), bytes(all.bytesOut())));
        }
    }

    private static String bytes(long number) {
        return String.format(Locale.ROOT, "%d (%.3f GB)", number, number / 1e9);
    }

    private static long responses(Stats stats) {
        return stats.responses().values().stream().mapToLong(Long::longValue).sum();
    }

    private static double gigabits(long bytes) {
        return bytes * 8 / 1e9;
    }
}
