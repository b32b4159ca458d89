package org.microhttp.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's README and sources as the tests read them: fenced blocks, tables, texts. */
public final class Readme {

    /** A fenced block: the word after the fence, and its lines, each with its line end. */
    public record Block(String language, String text) {
    }

    /** Where the build runs: the folder of pom.xml. */
    public static final Path ROOT = Path.of(System.getProperty("user.dir"));

    /** The page of the examples. */
    public static final Path EXAMPLES = ROOT.resolve("examples/README.md");

    private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");

    private Readme() {
    }

    public static String text() {
        return read(ROOT.resolve("README.md"));
    }

    public static List<Block> blocks() {
        return blocksOf(text());
    }

    private static List<Block> blocksOf(String text) {
        return FENCED.matcher(text).results().map(m -> new Block(m.group(1), m.group(2))).toList();
    }

    public static List<String> blocks(String language) {
        return blocks(text(), language);
    }

    /** The blocks of a page other than the README. */
    public static List<String> blocks(String text, String language) {
        return blocksOf(text).stream().filter(b -> b.language.equals(language)).map(Block::text).toList();
    }

    /** The rows of the table whose first column has this title: its cells, without the marks of code. */
    public static List<List<String>> table(String title) {
        return table(text(), title);
    }

    /** The rows of a table of a page other than the README. */
    public static List<List<String>> table(String text, String title) {
        List<List<String>> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : text.split("\n")) {
            inside = line.startsWith("| " + title + " |") || inside && line.startsWith("|");
            if (inside) rows.add(cells(line));
        }
        return rows.subList(2, rows.size());
    }

    private static List<String> cells(String line) {
        String[] cells = line.substring(1).replace("`", "").split("\\|", -1);
        return Arrays.stream(cells, 0, cells.length - 1).map(String::strip).toList();
    }

    /** The Java sources below a folder of the project, and none where there is no such folder. */
    public static List<Path> sources(String folder) {
        Path path = ROOT.resolve(folder);
        if (!Files.exists(path)) return List.of();
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String read(Path file) {
        try {
            return Files.readString(file).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    /** A file's name without its ending. */
    public static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.\\w+$", "");
    }
}
