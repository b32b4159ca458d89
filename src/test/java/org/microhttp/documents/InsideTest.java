package org.microhttp.documents;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceText;
import org.microhttp.testing.Tier;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The picture of the inside is as the code is: each class is in one box, and the arrows between the boxes of
 * the upper part are who knows whom.
 */
@Tier.Gate
final class InsideTest {

    private static final Path PICTURE = Readme.PAGES.resolve("inside.svg");
    private static final Pattern NAME = Pattern.compile("\\w+");

    /** An arrow, or that a class of one box names a class of another. */
    private record Edge(String from, String to) implements Comparable<Edge> {

        @Override
        public int compareTo(Edge other) {
            return toString().compareTo(other.toString());
        }
    }

    private final List<Element> boxes = elements("g");

    private static List<Element> elements(String tag) {
        return Readme.elements(Readme.read(PICTURE), tag);
    }

    /** The box of each class. */
    private Map<String, String> boxOfClass() {
        Map<String, String> found = new TreeMap<>();
        for (Element box : boxes) {
            NodeList texts = box.getElementsByTagName("text");
            for (int i = 0; i < texts.getLength(); i++) {
                var text = (Element) texts.item(i);
                if (!text.getAttribute("class").equals("classes")) continue;
                NAME.matcher(text.getTextContent()).results().forEach(name ->
                        assertNull(found.put(name.group(), box.getAttribute("id")), name.group()));
            }
        }
        return found;
    }

    /** The code of each class, without its comments and literals. */
    private static Map<String, String> sources() {
        Map<String, String> sources = Readme.sourcesByName("src/main/java");
        sources.replaceAll((name, source) -> SourceText.withoutText(source));
        return sources;
    }

    @Test
    void everyClassIsInOneBox() {
        assertEquals(sources().keySet(), boxOfClass().keySet(), "The picture of the inside shows where each"
                + " class is. Put its name into one box of inside.svg, or take it out there.");
    }

    @Test
    void arrowsAreTheDependenciesOfTheCode() {
        Map<String, String> box = boxOfClass();
        Set<String> upper = boxes.stream().filter(b -> b.getAttribute("class").equals("box"))
                .map(b -> b.getAttribute("id")).collect(toSet());
        var known = new TreeSet<Edge>();
        sources().forEach((from, code) -> NAME.matcher(code).results().map(MatchResult::group)
                .filter(box::containsKey).map(box::get)
                .filter(to -> upper.contains(to) && upper.contains(box.get(from)))
                .filter(to -> !to.equals(box.get(from)))
                .forEach(to -> known.add(new Edge(box.get(from), to))));
        assertEquals(known, elements("path").stream().filter(path -> path.hasAttribute("data-from"))
                .map(path -> new Edge(path.getAttribute("data-from"), path.getAttribute("data-to")))
                .collect(toCollection(TreeSet::new)), "An arrow of inside.svg is that classes of one box name"
                + " some of another. Draw it, or remove it, or have the classes not know each other.");
    }
}
