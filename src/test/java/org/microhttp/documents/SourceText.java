package org.microhttp.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Java source without its comments and with its literals blanked, line for line, so it can be measured. By
 * itself it prints how much the sources of folders are:
 * <pre>
 *   java src/test/java/org/microhttp/documents/SourceText.java src/main/java
 * </pre>
 */
final class SourceText {

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

    public static void main(String[] folders) throws IOException {
        for (String folder : folders) {
            int tokens = 0;
            int lines = 0;
            for (Path file : javaFiles(Path.of(folder))) {
                var text = new SourceText(Files.readString(file));
                tokens += text.tokens();
                lines += text.codeLines();
            }
            System.out.printf("%s: %d tokens, %d code lines%n", folder, tokens, lines);
        }
    }

    private static List<Path> javaFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    SourceText(String source) {
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

    /** Each block that belongs to a type, a method's above all, of more code lines than allowed: its head. */
    List<String> blocksAbove(int most) {
        List<String> found = new ArrayList<>();
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
                    if (!type && types.peek() && count(start, i + 1) > most) found.add(firstLine(start));
                    head = i + 1;
                }
                case ';' -> head = i + 1;
                default -> { }
            }
        }
        return found;
    }

    private int count(int from, int to) {
        return (int) code.substring(from, to).lines().filter(line -> !line.isBlank()).count();
    }

    private String firstLine(int from) {
        return code.substring(from).strip().lines().findFirst().orElseThrow();
    }
}
