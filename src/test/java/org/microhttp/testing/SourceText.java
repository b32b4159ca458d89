package org.microhttp.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Java source without its comments and with its literals blanked, line for line, so it can be measured. By
 * itself it prints how large the sources below folders are, or, after {@code --each}, those of each package:
 * <pre>
 *   java src/test/java/org/microhttp/testing/SourceText.java src/main/java
 *   java src/test/java/org/microhttp/testing/SourceText.java --each src/test/java
 * </pre>
 */
public final class SourceText {

    private static final Pattern COMMENT_OR_LITERAL = Pattern.compile("//[^\n]*|/\\*[\\s\\S]*?\\*/"
            + "|\"\"\"[^\"\\\\]*+(?:(?:\\\\.|\"(?!\"\"))[^\"\\\\]*+)*\"\"\""
            + "|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|enum|record)\\s+\\w");
    private static final Pattern VISIBLE = Pattern.compile("\\S+");

    /** A word, a literal, or a mark of punctuation. */
    private static final Pattern TOKEN =
            Pattern.compile("\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\])+'|\\w+|[^\\s\\w]");
    private static final Pattern COMMENT =
            Pattern.compile("(\"(?:\\\\.|[^\"\\\\\n])*\")|//[^\n]*|/\\*[\\s\\S]*?\\*/");

    private final String code;
    private final int tokens;

    /** A block that belongs to a type, a method's above all: its head, and its code lines. */
    record Block(String head, int lines) { }

    public static void main(String[] arguments) throws IOException {
        boolean each = arguments.length > 0 && arguments[0].equals("--each");
        for (String folder : List.of(arguments).subList(each ? 1 : 0, arguments.length)) {
            List<Path> files = javaFiles(Path.of(folder));
            if (each) {
                var packages = files.stream().collect(Collectors.groupingBy(Path::getParent, TreeMap::new,
                        Collectors.toList()));
                for (var one : packages.entrySet()) {
                    System.out.println(one.getKey() + ": " + one.getValue().size() + " files, "
                            + summary(one.getValue()));
                }
            }
            System.out.println(folder + ": " + summary(files));
        }
    }

    /** Tokens and code lines of all, and the longest file and method. */
    static String summary(List<Path> files) throws IOException {
        int tokens = 0;
        int lines = 0;
        long longestFile = 0;
        int longestBlock = 0;
        for (Path file : files) {
            String source = Files.readString(file);
            var text = new SourceText(source);
            tokens += text.tokens();
            lines += text.codeLines();
            longestFile = Math.max(longestFile, source.lines().count());
            for (Block block : text.blocks()) {
                longestBlock = Math.max(longestBlock, block.lines);
            }
        }
        double density = Math.ceil(100.0 * tokens / Math.max(lines, 1)) / 100;
        return String.format(Locale.ROOT, "%d tokens in %d code lines, %.2f a line; longest file %d lines, "
                + "longest method %d", tokens, lines, density, longestFile, longestBlock);
    }

    private static List<Path> javaFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    public SourceText(String source) {
        String uncommented = COMMENT.matcher(source).replaceAll(m ->
                m.group(1) == null ? "" : Matcher.quoteReplacement(m.group(1)));
        tokens = (int) TOKEN.matcher(uncommented).results().count();
        code = COMMENT_OR_LITERAL.matcher(source).replaceAll(m -> {
            boolean comment = m.group().startsWith("/");
            return VISIBLE.matcher(m.group()).replaceAll(comment ? "" : "_");
        });
    }

    /** How many words, literals and marks of punctuation there are: the measure that no layout changes. */
    int tokens() { return tokens; }

    /** How many lines are neither blank nor comment alone. */
    int codeLines() { return count(0, code.length()); }

    /** The source with nothing in its comments and literals. */
    public String withoutText() { return code; }

    List<Block> blocks() {
        List<Block> found = new ArrayList<>();
        Deque<Boolean> types = new ArrayDeque<>(List.of(false));
        Deque<Integer> starts = new ArrayDeque<>();
        int head = 0;
        for (int i = 0; i < code.length(); i++) {
            switch (code.charAt(i)) {
                case '{' -> {
                    types.push(TYPE.matcher(code.substring(head, i)).find());
                    starts.push(head);
                    head = i + 1;
                }
                case '}' -> {
                    boolean type = types.pop();
                    int start = starts.pop();
                    if (!type && types.peek()) found.add(new Block(firstLine(start), count(start, i + 1)));
                    head = i + 1;
                }
                case ';' -> head = i + 1;
                default -> { }
            }
        }
        return found;
    }

    /** The heads of blocks of more code lines than allowed. */
    List<String> blocksAbove(int most) {
        return blocks().stream().filter(block -> block.lines > most).map(Block::head).toList();
    }

    private int count(int from, int to) {
        return (int) code.substring(from, to).lines().filter(line -> !line.isBlank()).count();
    }

    private String firstLine(int from) {
        return code.substring(from).strip().lines().findFirst().orElseThrow();
    }
}
