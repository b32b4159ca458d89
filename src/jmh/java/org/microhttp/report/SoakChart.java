package org.microhttp.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * A chart of what a server had in use while it ran for long: a panel for each column of the table of the
 * soak, with a scale from zero, and a point for each row. As a program it makes that of the page in a folder
 * of results.
 */
public final class SoakChart {

    private static final String PAGE = "soak.md", CHART = "soak.svg";
    private static final int WIDTH = 880, MARGIN = 24, GAP = 40, PANEL = (WIDTH - 2 * MARGIN - GAP) / 2;
    private static final int TOP = 84, HEAD = 34, HEIGHT = 70, FOOT = 18, SPACE = 28, LABEL = 70, SMALL = 12;
    private static final int DOT = 6;
    private static final String BOLD = " font-weight=\"600\"", TITLE = "A soak";

    /** What is not drawn, as it only grows with time, or is none. */
    private static final List<String> UNDRAWN = List.of("minute", "requests", "failures");

    private final List<String> names;
    private final List<double[]> rows;
    private final Theme theme = Theme.LIGHT;
    private final Drawing drawing = new Drawing();
    private final StringJoiner told = new StringJoiner("; ", "", ".");

    /** @param page with the table */
    SoakChart(String page) {
        List<String> lines = page.lines().filter(line -> line.startsWith("|")).toList();
        names = List.of(cells(lines.get(0)));
        // below the line that aligns
        rows = lines.stream().skip(2).map(SoakChart::numbers).toList();
    }

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        String page = Files.readString(folder.resolve(PAGE));
        Files.writeString(folder.resolve(CHART), new SoakChart(page).svg());
    }

    private static String[] cells(String line) {
        return line.substring(1, line.length() - 1).strip().split(" *\\| *");
    }

    private static double[] numbers(String line) {
        return Arrays.stream(cells(line.replace(",", ""))).mapToDouble(Double::parseDouble).toArray();
    }

    String svg() {
        double[] last = rows.get(rows.size() - 1);
        String about = String.format(Locale.ROOT, "What a server had in use in %.0f minutes. It and others"
                + " were sent %,.0f requests, of which %,.0f failed.", last[0], last[1], last[2]);
        drawing.text(MARGIN, 38, 20, theme.ink, BOLD, TITLE);
        drawing.text(MARGIN, 60, 13, theme.faint, "", about);
        int drawn = 0;
        for (int i = 0; i < names.size(); i++) {
            if (UNDRAWN.contains(names.get(i))) continue;
            panel(i, MARGIN + drawn % 2 * (PANEL + GAP), TOP + drawn / 2 * (HEAD + HEIGHT + FOOT + SPACE));
            drawn++;
        }
        int height = TOP + (drawn + 1) / 2 * (HEAD + HEIGHT + FOOT + SPACE);
        return drawing.svg(WIDTH, height, theme.paper, TITLE, about + " " + told);
    }

    private void panel(int column, int left, int top) {
        drawing.text(left, top + 14, 15, theme.ink, BOLD, names.get(column));
        double most = rows.stream().mapToDouble(row -> row[column]).max().orElse(0);
        double lastMinute = rows.get(rows.size() - 1)[0];
        int bottom = top + HEAD + HEIGHT, right = left + PANEL - LABEL;
        drawing.line(left, right, bottom, theme.floor);
        var path = new StringJoiner("L", "M", "");
        double x = left, y = bottom;
        for (double[] row : rows) {
            x = left + row[0] / lastMinute * (PANEL - LABEL);
            y = bottom - (most == 0 ? 0 : row[column] / most) * HEIGHT;
            path.add(String.format(Locale.ROOT, "%.1f %.1f", x, y));
            drawing.box(x - DOT / 2.0, y - DOT / 2.0, DOT, DOT, theme.ours, "");
        }
        drawing.curve(path.toString(), theme.ours);
        String label = String.format(Locale.ROOT, "%,.0f", rows.get(rows.size() - 1)[column]);
        drawing.text(x + 8, y + 4, SMALL, theme.ink, "", label);
        drawing.text(left, bottom + FOOT, SMALL, theme.faint, "", "0");
        drawing.text(right, bottom + FOOT, SMALL, theme.faint, " text-anchor=\"end\"",
                String.format(Locale.ROOT, "%.0f min", lastMinute));
        told.add(String.format(Locale.ROOT, "%s: from %,.0f to %s", names.get(column), rows.get(0)[column],
                label));
    }
}
