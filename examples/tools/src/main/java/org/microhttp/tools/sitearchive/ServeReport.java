package org.microhttp.tools.sitearchive;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.microhttp.Stats;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.sitearchive.serving.ServeCounts;

/** Prints once a second what was served since. It reads what is counted anyway. */
final class ServeReport {

    private final Supplier<Stats> stats;
    private final Supplier<ServeCounts> counts;
    private final Report report;

    /** What was seen last, and when. */
    private Stats seen;
    private ServeCounts counted;
    private long seenAt = System.nanoTime();

    ServeReport(Supplier<Stats> stats, Supplier<ServeCounts> counts, Report report) {
        this.stats = stats;
        this.counts = counts;
        this.report = report;
        seen = stats.get();
        counted = counts.get();
    }

    void start(ScheduledExecutorService timer) {
        timer.scheduleWithFixedDelay(this::print, 1, 1, TimeUnit.SECONDS);
    }

    private void print() {
        Stats before = seen;
        ServeCounts countedBefore = counted;
        long since = seenAt;
        seen = stats.get();
        counted = counts.get();
        seenAt = System.nanoTime();
        Map<String, Long> lately = new LinkedHashMap<>();
        lately.put("requests", seen.requests() - before.requests());
        lately.put("bytes", seen.bytesOut() - before.bytesOut());
        lately.put("304s", counted.notModified() - countedBefore.notModified());
        lately.put("misses", counted.missing() - countedBefore.missing());
        lately.put("failures", counted.failed() - countedBefore.failed());
        print((seenAt - since) / 1e9, lately);
    }

    /** The time is nearly a second, but after a pause of the process more. */
    private void print(double seconds, Map<String, Long> lately) {
        if (report.json) {
            Map<String, Object> members = new LinkedHashMap<>(lately);
            members.put("seconds", seconds);
            report.event("report", members);
            return;
        }
        var text = new StringBuilder(String.format(Locale.ROOT, "in %.1f s:", seconds));
        lately.forEach((what, number) -> text.append(String.format(Locale.ROOT, " %10d %s", number, what)));
        report.text(text.toString());
    }
}
