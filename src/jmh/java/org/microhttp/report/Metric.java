package org.microhttp.report;

import static org.microhttp.compare.ServerComparison.FLOOR;

import org.microhttp.compare.Case;
import org.microhttp.compare.Server;

/**
 * What a chart and its table show. The cost of a request is a time; how many are answered is shown as a ratio
 * only: the machine, the load generator and what else runs there decide on the number.
 */
enum Metric {

    CPU("cpu", "CPU time per request", "In µs, user and system, of the whole server; in brackets the ratio"
            + " to the JVM floor. Less is better."),
    RATE("throughput", "Requests per second", "As a ratio to the JVM floor. More is better. * has CPU to"
            + " spare: the load generator was the limit.");

    /** The share of a CPU that a server takes which is at its limit. */
    private static final double BUSY = 0.95;

    final String name, title, about;

    Metric(String name, String title, String about) {
        this.name = name;
        this.title = title;
        this.about = about;
    }

    /** How long a bar is, or null. */
    Range range(Figures figures, Case asked, Server server) {
        return this == CPU ? figures.range(asked, server, Figures.COST)
                : figures.ratio(asked, server, FLOOR, Figures.RATE);
    }

    /** A bar's length in digits. */
    String label(Figures figures, Case asked, Server server) {
        Range range = range(figures, asked, server);
        if (range == null) return "not valid";
        String text = Range.text(range.median());
        if (this == RATE) return text + mark(figures, asked, server);
        Range ratio = ratio(figures, asked, server);
        return ratio == null ? text : text + " (" + Range.text(ratio.median()) + ")";
    }

    /** A table's cell, with the extremes of the ratio. */
    String cell(Figures figures, Case asked, Server server) {
        Range range = range(figures, asked, server), ratio = ratio(figures, asked, server);
        if (range == null) return "–";
        boolean floor = server.equals(FLOOR);
        if (this == RATE) {
            return (floor ? "1" : range.whole(Range::text)) + mark(figures, asked, server);
        }
        String text = Range.text(range.median());
        return ratio == null ? text : text + "; " + ratio.whole(Range::text);
    }

    /** Of costs, to that of the floor, which has none itself. */
    private static Range ratio(Figures figures, Case asked, Server server) {
        return server.equals(FLOOR) ? null : figures.ratio(asked, server, FLOOR, Figures.COST);
    }

    /** Whether it had CPU to spare: then the load generator was the limit, not the server. */
    private static String mark(Figures figures, Case asked, Server server) {
        Range busy = figures.range(asked, server, row -> row.cpu() / row.number("seconds"));
        return busy != null && busy.median() < BUSY ? "*" : "";
    }
}
