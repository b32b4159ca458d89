package org.microhttp.checks.documents;

import static java.util.stream.Collectors.joining;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.microhttp.testing.Readme;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * An SVG image as a browser shows it, light and dark: where its texts and rectangles are, and which texts
 * cannot be read. It knows the SVG of this project: texts of one line, nothing that is moved by a transform,
 * and style rules of one class or of {@code .class element}.
 */
final class Picture {

    /** Free pixels around a text. */
    private static final double AIR = 2;

    /** The least contrast of text (WCAG 2.1, 1.4.3). */
    private static final double CONTRAST = 4.5;

    private static final String DARK = "@media \\(prefers-color-scheme: dark\\)";
    private static final Pattern RULE = Pattern.compile("([^{}]+)\\{([^{}]*)}");

    /** What is drawn, and the rectangle around it; that of a text has air. */
    private record Shape(Element element, Rectangle2D box) { }

    private final Element root;
    private final List<Shape> rectangles, texts;

    /** Values by selector and property, as {@code .name fill}; dark ones take the place of light ones. */
    private final Map<String, String> light, dark;

    Picture(String svg) {
        for (String unknown : List.of("<tspan", "<textPath", "<use", " transform=", " style=")) {
            if (svg.contains(unknown)) throw new IllegalArgumentException("cannot measure " + unknown);
        }
        root = Readme.elements(svg, "svg").get(0);
        String rules = elements("style").map(Element::getTextContent).collect(joining());
        light = rules(rules.split(DARK)[0]);
        dark = rules(rules);
        rectangles = elements("rect").map(Picture::rectangle).toList();
        texts = elements("text").map(this::text).toList();
    }

    private Stream<Element> elements(String name) {
        NodeList found = root.getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
    }

    /** A later rule takes the place of an earlier one. */
    private static Map<String, String> rules(String style) {
        var rules = new HashMap<String, String>();
        RULE.matcher(style).results().forEach(rule -> {
            for (String selector : rule.group(1).split(",")) {
                for (String declaration : rule.group(2).strip().split(";")) {
                    String[] parts = declaration.split(":", 2);
                    rules.put(selector.strip() + " " + parts[0].strip(), parts[1].strip());
                }
            }
        });
        return rules;
    }

    private static Shape rectangle(Element element) {
        return new Shape(element, new Rectangle2D.Double(number(element, "x"), number(element, "y"),
                number(element, "width"), number(element, "height")));
    }

    private static double number(Element element, String attribute) {
        String value = element.getAttribute(attribute);
        return value.isEmpty() ? 0 : Double.parseDouble(value);
    }

    private Shape text(Element element) {
        double size = Double.parseDouble(style(element, "font-size", light, "16").replace("px", ""));
        boolean bold = style(element, "font-weight", light, "400").equals("600");
        double width = Letters.width(element.getTextContent(), bold) * size;
        double left = number(element, "x") - switch (style(element, "text-anchor", light, "start")) {
            case "end" -> width;
            case "middle" -> width / 2;
            default -> 0;
        };
        double top = number(element, "y") - Letters.ASCENT * size;
        double height = (Letters.ASCENT + Letters.DESCENT) * size;
        return new Shape(element,
                new Rectangle2D.Double(left - AIR, top - AIR, width + 2 * AIR, height + 2 * AIR));
    }

    private static String style(Element element, String property, Map<String, String> rules, String other) {
        if (element.hasAttribute(property)) return element.getAttribute(property);
        String around = ((Element) element.getParentNode()).getAttribute("class");
        return Stream.of(element.getAttribute("class"), around + " " + element.getTagName())
                .map(selector -> rules.get("." + selector + " " + property))
                .filter(value -> value != null).findFirst().orElse(other);
    }

    /** What of its texts cannot be read, and why; each names the text. */
    Set<String> faults() {
        var faults = new LinkedHashSet<String>();
        String[] view = root.getAttribute("viewBox").split(" ");
        var picture = new Rectangle2D.Double(0, 0, Double.parseDouble(view[2]), Double.parseDouble(view[3]));
        var earlier = new ArrayList<Shape>();
        for (Shape text : texts) {
            String words = text.element.getTextContent();
            if (!picture.contains(text.box)) faults.add(words + ": leaves the picture");
            if (!isInPlace(text)) faults.add(words + ": leaves its rectangle");
            earlier.stream().filter(other -> other.box.intersects(text.box)).forEach(other ->
                    faults.add(words + ": overlaps " + other.element.getTextContent()));
            if (contrast(text, light) < CONTRAST) faults.add(words + ": too faint when light");
            if (contrast(text, dark) < CONTRAST) faults.add(words + ": too faint when dark");
            earlier.add(text);
        }
        return faults;
    }

    /** A text is inside the rectangle of its group, and crosses the edge of none. */
    private boolean isInPlace(Shape text) {
        return rectangles.stream().allMatch(rectangle -> rectangle.box.contains(text.box)
                || !rectangle.box.intersects(text.box) && !isInGroupOf(rectangle, text));
    }

    private boolean isInGroupOf(Shape rectangle, Shape text) {
        return rectangle.element.getParentNode() == text.element.getParentNode()
                && rectangle.element.getParentNode() != root;
    }

    /** Of a text and the rectangle that is painted last where it is, or else a page of that scheme. */
    private double contrast(Shape text, Map<String, String> rules) {
        String paper = rectangles.stream().filter(rectangle -> rectangle.box.contains(text.box))
                .map(rectangle -> style(rectangle.element, "fill", rules, "#000000"))
                .filter(fill -> !fill.equals("none")).reduce(rules == dark ? "#000000" : "#ffffff",
                        (below, above) -> above);
        double a = luminance(style(text.element, "fill", rules, "#000000")), b = luminance(paper);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    /** Relative luminance of {@code #rrggbb} (WCAG 2.1). */
    private static double luminance(String colour) {
        int rgb = Integer.decode(colour);
        return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
    }

    private static double linear(int value) {
        double share = value / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}
