package org.microhttp.wire.model;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The notation of vectors.txt for bytes: escapes, repetitions and sets. A byte is a character from U+0000 to
 * U+00FF.
 */
public final class Escapes {

    private static final String ANY = "any";
    private static final String EACH = "each";

    private final String text;
    private int at;

    private Escapes(String text) {
        this.text = text;
    }

    /** Writes out escapes and repetitions. */
    public static String expand(String text) {
        var reader = new Escapes(text);
        var result = new StringBuilder();
        while (reader.at < text.length()) {
            result.append(reader.next());
        }
        return result.toString();
    }

    /** Copies the text for each member of the sets in it, named in its first line; once without a set. */
    static List<String> variants(String text) {
        List<String> variants = variants(List.of(text), ANY, Escapes::members);
        return variants(variants, EACH, set -> Stream.of(set.split(" ")));
    }

    private static List<String> variants(List<String> texts, String kind,
            Function<String, Stream<String>> members) {
        return texts.stream().flatMap(text -> {
            int start = text.indexOf("{" + kind + " ");
            if (start < 0) {
                return Stream.of(text);
            }
            int end = endOfBraces(text, start + 1);
            String before = text.substring(0, start);
            String after = text.substring(end + 1);
            return members.apply(text.substring(start + kind.length() + 2, end)).map(member ->
                    (before + member + after).replace("{" + kind + "}", member)
                            .replaceFirst("\n", Matcher.quoteReplacement(" (" + member + ")\n")));
        }).toList();
    }

    private static Stream<String> members(String set) {
        var reader = new Escapes(set);
        var members = IntStream.builder();
        while (reader.at < set.length()) {
            int first = reader.next().charAt(0);
            boolean range = reader.at + 1 < set.length() && set.charAt(reader.at) == '-';
            if (range) {
                reader.at++;
            }
            int last = range ? reader.next().charAt(0) : first;
            IntStream.rangeClosed(first, last).forEach(members);
        }
        return members.build().mapToObj("\\x%02x"::formatted);
    }

    private String next() {
        char c = text.charAt(at++);
        return switch (c) {
            case '\\' -> String.valueOf(escaped());
            case '{' -> repeated();
            default -> String.valueOf(c);
        };
    }

    private char escaped() {
        char c = text.charAt(at++);
        return switch (c) {
            case 'r' -> '\r';
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'x' -> (char) Integer.parseInt(text.substring(at, at += 2), 16);
            case '\\', '-', '{', '}' -> c;
            default -> throw new IllegalArgumentException("unknown escape \\" + c);
        };
    }

    private String repeated() {
        int end = endOfBraces(text, at);
        String inside = text.substring(at, end);
        int star = inside.lastIndexOf('*');
        if (star < 0) throw new IllegalArgumentException("no * and number in {" + inside + "}");
        at = end + 1;
        return expand(inside.substring(0, star)).repeat(Integer.parseInt(inside.substring(star + 1)));
    }

    private static int endOfBraces(String text, int from) {
        int depth = 1;
        int i = from;
        while (true) {
            if (i >= text.length()) throw new IllegalArgumentException("a brace is not closed");
            char c = text.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
            i += c == '\\' ? 2 : 1;
        }
    }
}
