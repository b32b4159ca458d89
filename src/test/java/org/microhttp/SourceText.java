package org.microhttp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/** A Java source without its comments and with its literals blanked, line for line, so it can be measured. */
final class SourceText {

    private static final Pattern COMMENT_OR_LITERAL = Pattern.compile("//[^\n]*|/\\*[\\s\\S]*?\\*/"
            + "|\"\"\"(?:\\\\.|[\\s\\S])*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|enum|record)\\s+\\w");
    private static final Pattern VISIBLE = Pattern.compile("\\S+");

    private final String code;

    SourceText(String source) {
        code = COMMENT_OR_LITERAL.matcher(source).replaceAll(m -> {
            boolean comment = m.group().startsWith("/");
            return VISIBLE.matcher(m.group()).replaceAll(comment ? "" : "_");
        });
    }

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
