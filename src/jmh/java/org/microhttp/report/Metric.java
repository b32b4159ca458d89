package org.microhttp.report;

import org.microhttp.compare.Peer;
import org.microhttp.compare.Round;
import org.microhttp.compare.Scenario;

/**
 * What a chart and its table show. The cost of a request is a time; how many are answered is shown as a ratio
 * only: the machine, the load generator and what else runs there decide on the number.
 */
enum Metric {

    CPU("cpu", "CPU time per request", "In µs, user and system, of the whole server; in brackets the ratio to"
            + " the JVM floor. Less is better."),
    RATE("throughput", "Requests per second", "As a ratio to the JVM floor. More is better. * has CPU to"
            + " spare: the load generator was the limit.");

    final String name, title, about;

    Metric(String name, String title, String about) {
        this.name = name;
        this.title = title;
        this.about = about;
    }

    /** How long a bar is, or null. */
    Figures.Range range(Figures figures, Scenario scenario, Peer peer) {
        return this == CPU ? figures.range(scenario, peer, Round::microsPerRequest)
                : figures.ratio(scenario, peer, Round::requestsPerSecond);
    }

    /** A bar's length in digits. */
    String label(Figures figures, Scenario scenario, Peer peer) {
        Figures.Range range = range(figures, scenario, peer);
        if (range == null) return "not valid";
        String text = Figures.text(range.median());
        if (this == RATE) return text + mark(figures, scenario, peer);
        var ratio = figures.ratio(scenario, peer, Round::microsPerRequest);
        boolean alone = peer == Peer.FLOOR || ratio == null;
        return alone ? text : text + " (" + Figures.text(ratio.median()) + ")";
    }

    /** A table's cell, with the extremes of the ratio. */
    String cell(Figures figures, Scenario scenario, Peer peer) {
        Figures.Range range = range(figures, scenario, peer);
        if (range == null) return "–";
        boolean floor = peer == Peer.FLOOR;
        if (this == RATE) return (floor ? "1" : extremes(range)) + mark(figures, scenario, peer);
        var ratio = figures.ratio(scenario, peer, Round::microsPerRequest);
        String text = Figures.text(range.median());
        return floor || ratio == null ? text : text + "; " + extremes(ratio);
    }

    private static String mark(Figures figures, Scenario scenario, Peer peer) {
        return figures.isIdle(scenario, peer) ? "*" : "";
    }

    private static String extremes(Figures.Range ratio) {
        return ratio.text(Figures::text);
    }
}
