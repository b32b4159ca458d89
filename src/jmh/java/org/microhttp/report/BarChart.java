package org.microhttp.report;

import java.util.Comparator;
import java.util.List;
import org.microhttp.compare.Case;
import org.microhttp.compare.Scenario;
import org.microhttp.compare.Server;
import org.microhttp.compare.ServerComparison;

/**
 * A panel with a scale of its own for each scenario, a bar for each server, the best one first, and its
 * figure in digits. Name and colour say whose a bar is; the line at its end goes from the least to the most
 * of the rounds.
 */
final class BarChart extends Chart {

    private static final int NAME = 130, LABEL = 90, SCALE = PANEL - NAME - LABEL;
    private static final int HEAD = 46, ROW = 22, BAR = 14, BASELINE = 11;

    private record Bar(Server server, Range range, String label) { }

    private final ServerComparison comparison;
    private final Figures figures;
    private final Metric metric;
    private final List<Case> cases;

    BarChart(ServerComparison comparison, Figures figures, Metric metric, Theme theme) {
        super(theme);
        this.comparison = comparison;
        this.figures = figures;
        this.metric = metric;
        cases = figures.cases();
    }

    /** The key is behind the last panel. */
    String svg() { return svg(metric.title, metric.about, cases.size() + 1); }

    @Override
    int panel(int index, int x, int top) {
        if (index == cases.size()) return key(x, top);
        Scenario scenario = Scenario.of(cases.get(index));
        text(x, top + 14, 15, theme.ink, BOLD, scenario.name);
        text(x, top + 32, SMALL, theme.faint, "", scenario.about);
        List<Bar> bars = bars(cases.get(index));
        double most = bars.stream().filter(bar -> bar.range != null).mapToDouble(bar -> bar.range.most())
                .max().orElse(1);
        int y = top + HEAD;
        for (Bar bar : bars) {
            draw(bar, x, y, SCALE / most);
            y += ROW;
        }
        told.add(scenario.name + ": " + String.join(", ",
                bars.stream().map(bar -> bar.server.title() + " " + bar.label).toList()));
        return y;
    }

    private List<Bar> bars(Case asked) {
        return figures.servers(cases).stream().filter(server -> comparison.takesPart(server, asked))
                .map(server -> new Bar(server, metric.range(figures, asked, server),
                        metric.label(figures, asked, server)))
                .sorted(Comparator.comparingDouble(this::rank)).toList();
    }

    /** Least for the best, which is the least cost or the highest rate. */
    private double rank(Bar bar) {
        if (bar.range == null) return Double.MAX_VALUE;
        return metric == Metric.CPU ? bar.range.median() : -bar.range.median();
    }

    private void draw(Bar bar, int x, int y, double scale) {
        String weight = bar.server.isOurs() ? BOLD : "";
        text(x + NAME - 8, y + BASELINE, SMALL, theme.ink, weight + RIGHT, bar.server.title());
        int from = x + NAME;
        if (bar.range == null) {
            text(from, y + BASELINE, SMALL, theme.ink, weight, bar.label);
            return;
        }
        box(bar.server, from, y, bar.range.median() * scale);
        double least = from + bar.range.least() * scale, end = from + bar.range.most() * scale;
        // a shorter one would look like a speck
        if (end - least >= 2) line(least, end, y + BAR / 2.0, theme.ink);
        text(end + 8, y + BASELINE, SMALL, theme.ink, weight, bar.label);
    }

    private void box(Server server, double x, double y, double width) {
        if (server.equals(ServerComparison.FLOOR)) {
            box(x, y, width, BAR, theme.floor, " stroke=\"" + theme.faint + "\"");
        } else {
            box(x, y, width, BAR, server.isOurs() ? theme.ours : theme.others, "");
        }
    }

    /** Explains colours and lines, and returns where that ends. */
    private int key(int x, int top) {
        int y = top;
        box(ServerComparison.OURS, x, y, 24);
        y = explain(x, y, "microhttp");
        y = explain(x, y, "fresh: a new response for each request");
        box(ServerComparison.FLOOR, x, y, 24);
        y = explain(x, y, "JVM floor: a selector, a read, a write, and no HTTP");
        box(ServerComparison.JDK, x, y, 24);
        y = explain(x, y, "other servers");
        line(x, x + 24, y + BAR / 2.0, theme.ink);
        return explain(x, y, "from the least to the most of the rounds");
    }

    private int explain(int x, int y, String text) {
        text(x + 34, y + BASELINE, SMALL, theme.ink, "", text);
        return y + ROW;
    }
}
