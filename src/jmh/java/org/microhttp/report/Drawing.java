package org.microhttp.report;

import java.util.Locale;

/** An SVG image that grows: shapes and text, without scripts, styles or fonts of its own. */
final class Drawing {

    private final StringBuilder shapes = new StringBuilder();

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
    void curve(String path, String colour) {
        add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path, colour);
    }

    private void add(String shape, Object... values) {
        shapes.append(String.format(Locale.ROOT, shape, values)).append("\n");
    }

    private static String escaped(String text) { return text.replace("&", "&amp;").replace("<", "&lt;"); }

    /** The whole image; title and description are for those who do not see it. */
    String svg(int width, int height, String paper, String title, String description) {
        String head = """
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" \
                role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif">
                <title id="title">%3$s</title>
                <desc id="desc">%4$s</desc>
                <rect width="%1$d" height="%2$d" rx="6" fill="%5$s"/>
                """;
        return String.format(Locale.ROOT, head, width, height, escaped(title), escaped(description), paper)
                + shapes + "</svg>\n";
    }
}
