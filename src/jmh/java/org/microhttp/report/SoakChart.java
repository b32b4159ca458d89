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
 * of results, light and dark.
 */
public final class SoakChart extends Chart {

    private static final int HEAD = 34, HEIGHT = 70, FOOT = 18, LABEL = 70, DOT = 6;

    /** What is not drawn, as it only grows with time, or is none. */
    private static final List<String> UNDRAWN = List.of("minute", "requests", "failures");

    private final List<String> names;
    private final List<double[]> rows;

    /** @param page with the table */
    SoakChart(String page, Theme theme) {
        super(theme);
        List<String> lines = page.lines().filter(line -> line.startsWith("|")).toList();
        names = List.of(cells(lines.get(0)));
        // below the line that aligns
        rows = lines.stream().skip(2).map(SoakChart::numbers).toList();
    }

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        String page = Files.readString(folder.resolve("soak.md"));
        for (Theme theme : Theme.values()) {
            Path file = folder.resolve("soak-" + theme.name + ".svg");
            Files.writeString(file, new SoakChart(page, theme).svg());
        }
    }

    private static String[] cells(String line) {
        return line.substring(1, line.length() - 1).strip().split(" *\\| *");
    }

    private static double[] numbers(String line) {
        return Arrays.stream(cells(line.replace(",", ""))).mapToDouble(Double::parseDouble).toArray();
    }

    private static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }

    private double[] last() { return rows.get(rows.size() - 1); }

    private List<String> drawn() { return names.stream().filter(name -> !UNDRAWN.contains(name)).toList(); }

    String svg() {
        String about = format("What a server had in use in %.0f minutes. It and others were sent"
                + " %,.0f requests, of which %,.0f failed.", last()[0], last()[1], last()[2]);
        return svg("A soak", about, drawn().size());
    }

    @Override
    int panel(int index, int left, int top) {
        String name = drawn().get(index);
        int column = names.indexOf(name);
        text(left, top + 14, 15, theme.ink, BOLD, name);
        double most = rows.stream().mapToDouble(row -> row[column]).max().orElse(0);
        int bottom = top + HEAD + HEIGHT, right = left + PANEL - LABEL;
        line(left, right, bottom, theme.floor);
        var path = new StringJoiner("L", "M", "");
        double x = left, y = bottom;
        for (double[] row : rows) {
            x = left + row[0] / last()[0] * (PANEL - LABEL);
            y = bottom - (most == 0 ? 0 : row[column] / most) * HEIGHT;
            path.add(format("%.1f %.1f", x, y));
            box(x - DOT / 2.0, y - DOT / 2.0, DOT, DOT, theme.ours, "");
        }
        curve(path, theme.ours);
        String label = format("%,.0f", last()[column]);
        text(x + 8, y + 4, SMALL, theme.ink, "", label);
        text(left, bottom + FOOT, SMALL, theme.faint, "", "0");
        text(right, bottom + FOOT, SMALL, theme.faint, RIGHT, format("%.0f min", last()[0]));
        told.add(format("%s: from %,.0f to %s", name, rows.get(0)[column], label));
        return bottom + FOOT;
    }
}
