package responseserver;

import java.util.Locale;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.microhttp.Stats;

/**
 * Prints rates once a second, and totals at the end. It looks at what the loops count anyway, so a request
 * costs the same with it and without.
 */
final class Meter {

    private final Supplier<Stats> stats;
    private final Report report;
    private final long start = System.nanoTime();

    /** What was seen last, and when. Only the timer's thread knows them. */
    private Stats seen;
    private long seenAt = start;

    Meter(Supplier<Stats> stats, Report report) {
        this.stats = stats;
        this.report = report;
        seen = stats.get();
    }

    void start(ScheduledExecutorService timer) {
        timer.scheduleAtFixedRate(this::printRates, 1, 1, TimeUnit.SECONDS);
    }

    private void printRates() {
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
            report.event("rates", "requests_per_second", requests, "gigabits_in_per_second", in,
                    "responses_per_second", responses, "gigabits_out_per_second", out);
        } else {
            report.text(String.format(Locale.ROOT,
                    "%10.0f requests/s %8.3f Gbit/s in %10.0f responses/s %8.3f Gbit/s out",
                    requests, in, responses, out));
        }
    }

    void printTotals() {
        Stats all = stats.get();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (report.json) {
            report.event("totals", "seconds", seconds, "requests", all.requests(), "bytes_in", all.bytesIn(),
                    "responses", responses(all), "bytes_out", all.bytesOut());
        } else {
            report.text(String.format(Locale.ROOT,
                    "total in %.1f s: %d requests, %d bytes in, %d responses, %d bytes out",
                    seconds, all.requests(), all.bytesIn(), responses(all), all.bytesOut()));
        }
    }

    private static long responses(Stats stats) {
        return stats.responses().values().stream().mapToLong(Long::longValue).sum();
    }

    private static double gigabits(long bytes) {
        return bytes * 8 / 1e9;
    }
}
