package org.microhttp.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import org.microhttp.compare.Case;
import org.microhttp.compare.Server;
import org.microhttp.servers.Scenario;
import org.microhttp.servers.ServerComparison;

/**
 * A chart: a panel with a scale of its own for each scenario, a bar for each server, the best one first, and
 * its figure in digits. Name and colour say whose a bar is; the line at its end goes from the least to the
 * most of the rounds.
 */
final class Chart {

    private static final int WIDTH = 880, MARGIN = 24, GAP = 40, PANEL = (WIDTH - 2 * MARGIN - GAP) / 2;
    private static final int NAME = 130, LABEL = 90, SCALE = PANEL - NAME - LABEL;
    private static final int TOP = 84, HEAD = 46, ROW = 22, BAR = 14, BASELINE = 11, SPACE = 28, SMALL = 12;
    private static final String BOLD = " font-weight=\"600\"";

    private record Bar(Server server, Range range, String label) { }

    private final ServerComparison comparison;
    private final Figures figures;
    private final Metric metric;
    private final Theme theme;
    private final Drawing drawing = new Drawing();
    private final StringJoiner told = new StringJoiner("; ", "", ".");

    Chart(ServerComparison comparison, Figures figures, Metric metric, Theme theme) {
        this.comparison = comparison;
        this.figures = figures;
        this.metric = metric;
        this.theme = theme;
    }

    String svg() {
        drawing.text(MARGIN, 38, 20, theme.ink, BOLD, metric.title);
        drawing.text(MARGIN, 60, 13, theme.faint, "", metric.about);
        List<Case> cases = figures.cases();
        int y = TOP;
        // two abreast, and the key behind the last
        for (int i = 0; i <= cases.size(); i += 2) {
            int left = place(cases, i, MARGIN, y);
            int right = place(cases, i + 1, MARGIN + PANEL + GAP, y);
            y = Math.max(left, right) + SPACE;
        }
        return drawing.svg(WIDTH, y, theme.paper, metric.title, metric.about + " " + told);
    }

    /** Draws what comes at a place, and returns where it ends. */
    private int place(List<Case> cases, int index, int x, int top) {
        if (index < cases.size()) return panel(cases.get(index), x, top);
        return index == cases.size() ? key(x, top) : top;
    }

    /** Draws a scenario, and returns where it ends. */
    private int panel(Case asked, int x, int top) {
        Scenario scenario = Scenario.of(asked);
        drawing.text(x, top + 14, 15, theme.ink, BOLD, scenario.name);
        drawing.text(x, top + 32, SMALL, theme.faint, "", scenario.about);
        List<Bar> bars = bars(asked);
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
        List<Bar> bars = new ArrayList<>();
        for (Server server : figures.servers(figures.cases())) {
            if (!comparison.takesPart(server, asked)) continue;
            String label = metric.label(figures, asked, server);
            bars.add(new Bar(server, metric.range(figures, asked, server), label));
        }
        bars.sort(Comparator.comparingDouble(this::rank));
        return bars;
    }

    /** Least for the best, which is the least cost or the highest rate. */
    private double rank(Bar bar) {
        if (bar.range == null) return Double.MAX_VALUE;
        return metric == Metric.CPU ? bar.range.median() : -bar.range.median();
    }

    private void draw(Bar bar, int x, int y, double scale) {
        String weight = bar.server.isOurs() ? BOLD : "";
        String name = bar.server.title();
        drawing.text(x + NAME - 8, y + BASELINE, SMALL, theme.ink, weight + " text-anchor=\"end\"", name);
        int from = x + NAME;
        if (bar.range == null) {
            drawing.text(from, y + BASELINE, SMALL, theme.ink, weight, bar.label);
            return;
        }
        box(bar.server, from, y, bar.range.median() * scale);
        double least = from + bar.range.least() * scale, end = from + bar.range.most() * scale;
        // a shorter one would look like a speck
        if (end - least >= 2) drawing.line(least, end, y + BAR / 2.0, theme.ink);
        drawing.text(end + 8, y + BASELINE, SMALL, theme.ink, weight, bar.label);
    }

    private void box(Server server, double x, double y, double width) {
        if (server.equals(ServerComparison.FLOOR)) {
            drawing.box(x, y, width, BAR, theme.floor, " stroke=\"" + theme.faint + "\"");
        } else {
            drawing.box(x, y, width, BAR, server.isOurs() ? theme.ours : theme.others, "");
        }
    }

    /** Explains colours and lines, and returns where that ends. */
    private int key(int x, int top) {
        int y = top;
        box(ServerComparison.OURS, x, y, 24);
        y = explain(x, y, "microhttp");
        y = explain(x, y, "fresh: a new response for each request");
        y = explain(x, y, "async: another thread answers");
        box(ServerComparison.FLOOR, x, y, 24);
        y = explain(x, y, "JVM floor: a selector, a read, a write, and no HTTP");
        box(ServerComparison.JDK, x, y, 24);
        y = explain(x, y, "other servers");
        drawing.line(x, x + 24, y + BAR / 2.0, theme.ink);
        return explain(x, y, "from the least to the most of the rounds");
    }

    private int explain(int x, int y, String text) {
        drawing.text(x + 34, y + BASELINE, SMALL, theme.ink, "", text);
        return y + ROW;
    }
}
