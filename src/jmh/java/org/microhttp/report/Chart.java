package org.microhttp.report;

import java.util.Locale;
import java.util.StringJoiner;

/**
 * Writes every chart: an SVG image of panels, two abreast, below a title. It has no scripts, styles or fonts
 * of its own, and says its figures in its description, too.
 */
abstract class Chart {

    static final int WIDTH = 880, MARGIN = 24, GAP = 40, PANEL = (WIDTH - 2 * MARGIN - GAP) / 2;
    static final int TOP = 84, SPACE = 28, SMALL = 12;
    static final String BOLD = " font-weight=\"600\"", RIGHT = " text-anchor=\"end\"";

    private static final String SVG = """
            <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" \
            role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif">
            <title id="title">%3$s</title>
            <desc id="desc">%4$s %5$s</desc>
            <rect width="%1$d" height="%2$d" rx="6" fill="%6$s"/>
            %7$s</svg>
            """;

    final Theme theme;

    /** For those who do not see it. */
    final StringJoiner told = new StringJoiner("; ", "", ".");

    private final StringBuilder shapes = new StringBuilder();

    Chart(Theme theme) { this.theme = theme; }

    /** Draws a panel, and returns where it ends. */
    abstract int panel(int index, int x, int top);

    String svg(String title, String about, int panels) {
        text(MARGIN, 38, 20, theme.ink, BOLD, title);
        text(MARGIN, 60, 13, theme.faint, "", about);
        int y = TOP;
        for (int i = 0; i < panels; i += 2) {
            int left = panel(i, MARGIN, y);
            int right = i + 1 < panels ? panel(i + 1, MARGIN + PANEL + GAP, y) : y;
            y = Math.max(left, right) + SPACE;
        }
        return String.format(Locale.ROOT, SVG, WIDTH, y, escaped(title), escaped(about), escaped("" + told),
                theme.paper, shapes);
    }

    void text(double x, double y, int size, String colour, String more, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" fill=\"%s\"%s>%s</text>",
                x, y, size, colour, more, escaped(text));
    }

    void box(double x, double y, double width, double height, String colour, String more) {
        add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\"%s/>",
                x, y, width, height, colour, more);
    }

    void line(double from, double to, double y, String colour) {
        add("<path d=\"M%.1f %.1fH%.1f\" stroke=\"%s\" stroke-width=\"2\"/>", from, y, to, colour);
    }

    /** Along a path, in the words of SVG. */
    void curve(Object path, String colour) {
        add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path, colour);
    }

    private void add(String shape, Object... values) {
        shapes.append(String.format(Locale.ROOT, shape, values)).append("\n");
    }

    private static String escaped(String text) { return text.replace("&", "&amp;").replace("<", "&lt;"); }
}
