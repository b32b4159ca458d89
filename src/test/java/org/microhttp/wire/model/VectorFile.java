package org.microhttp.wire.model;

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads a file of vectors: paragraphs under headings, lines of which begin with a mark. */
public final class VectorFile {

    /** A line, without its mark, which is one character and a space. */
    public record Line(int number, char mark, String text) {
    }

    /** A vector: a sentence that names it, and lines. */
    public record Paragraph(String section, String name, List<Line> lines) {

        /** Calls for each line; what is wrong there is reported with the number of the line. */
        public void forEach(Consumer<Line> reader) {
            for (Line line : lines) {
                try {
                    reader.accept(line);
                } catch (RuntimeException e) {
                    throw wrong(line.number, e.getMessage() + ": " + line.mark + " " + line.text, e);
                }
            }
        }
    }

    private static final String HEADING = "## ";
    private static final Pattern MARKED = Pattern.compile("[^\\w\\s]( .*)?");

    private final List<String> lines;
    private final List<Paragraph> paragraphs = new ArrayList<>();
    private String section = "";

    private VectorFile(String text) {
        lines = text.lines().toList();
    }

    /** @return what the parser makes of each paragraph, in order */
    public static <V> List<V> read(String resource, Function<Paragraph, V> parser) {
        return parse(resource, text(resource), parser);
    }

    static <V> List<V> parse(String resource, String text, Function<Paragraph, V> parser) {
        try {
            return new VectorFile(text).paragraphs().stream().map(parser).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(resource + " " + e.getMessage(), e);
        }
    }

    /** The whole of a resource. */
    public static String text(String resource) {
        try (InputStream in = VectorFile.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Paragraph> paragraphs() {
        for (int from = 0; from < lines.size(); ) {
            int to = from;
            while (to < lines.size() && !lines.get(to).isEmpty()) to++;
            if (to > from) {
                add(from, lines.subList(from, to));
            }
            from = to + 1;
        }
        var names = new HashSet<String>();
        for (Paragraph paragraph : paragraphs) {
            if (!names.add(paragraph.section + paragraph.name)) {
                throw wrong(paragraph.lines.get(0).number - 1, "there is another " + paragraph.name, null);
            }
        }
        return paragraphs;
    }

    private void add(int from, List<String> paragraph) {
        String first = paragraph.get(0);
        if (first.startsWith(HEADING)) {
            section = first.substring(HEADING.length()).strip();
        } else if (!first.startsWith("#")) {
            try {
                Escapes.variants(String.join("\n", paragraph)).forEach(variant -> addVariant(from, variant));
            } catch (RuntimeException e) {
                throw wrong(from + 1, e.getMessage(), e);
            }
        }
    }

    private void addVariant(int from, String variant) {
        List<String> all = variant.lines().toList();
        var marked = new ArrayList<Line>();
        for (int i = 1; i < all.size(); i++) {
            String line = all.get(i);
            if (!MARKED.matcher(line).matches()) {
                throw new IllegalArgumentException("no mark, then a space: " + line);
            }
            marked.add(new Line(from + i + 1, line.charAt(0), line.length() < 3 ? "" : line.substring(2)));
        }
        if (marked.isEmpty()) {
            throw new IllegalArgumentException("a name, and nothing more");
        }
        paragraphs.add(new Paragraph(section, all.get(0), marked));
    }

    static IllegalArgumentException wrong(int line, String what, Throwable cause) {
        return new IllegalArgumentException("line " + line + ": " + what, cause);
    }
}
