package org.microhttp.wire.conformance;

import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.microhttp.testing.JsonReader;
import org.microhttp.wire.model.ParserVector;

/**
 * A case of conformance.json: a script to play on a connection of its own, and rules that judge what came
 * back. It passes when any of the pass rules holds, and else only warns when any of the warn rules does.
 */
public record ConformanceCase(Map<String, Object> data) {

    /** The body limit of the server under test, $MAX in the data. */
    public static final int MAX = 1 << 20;

    private static final Pattern TERM = Pattern.compile("[+-]?\\d+|\\$MAX");

    /** Steps of a script that send nothing and decide nothing. */
    private static final Set<String> WAITS = Set.of("recv", "pause", "settle", "silent", "fin");

    public static List<ConformanceCase> load() {
        Object root = JsonReader.read(ParserVector.read("/conformance.json"));
        return objects(((Map<?, ?>) root).get("cases")).stream().map(ConformanceCase::new).toList();
    }

    public String id() {
        return (String) data.get("id");
    }

    List<Map<String, Object>> script() {
        return objects(data.get("script"));
    }

    List<String> pass() {
        return strings(data.get("pass"));
    }

    List<String> warn() {
        return strings(data.get("warn"));
    }

    /** How many final responses to wait for at the end. */
    int want() {
        return number(data.getOrDefault("want", 1L));
    }

    int patience() {
        return number(data.getOrDefault("patience", 1L));
    }

    /** The method of the request with that index, which decides whether its response has a body. */
    String method(int index) {
        List<String> methods = strings(data.getOrDefault("methods", List.of()));
        return index < methods.size() ? methods.get(index) : "GET";
    }

    int echoes() {
        return list(data.getOrDefault("echo", List.of())).size();
    }

    /** The body that the response with that index must have, or null if any will do. */
    String echo(int index) {
        Object payload = index < echoes() ? list(data.get("echo")).get(index) : null;
        return payload == null ? null : text(payload);
    }

    /** Whether all that matters to a parser is the bytes sent. */
    public boolean isPlainBytes() {
        return script().stream().allMatch(step -> WAITS.contains(step.get("do"))
                || step.get("do").equals("send") && !step.containsKey("if_no_final"));
    }

    public byte[] plainBytes() {
        return script().stream().filter(step -> step.get("do").equals("send"))
                .map(step -> text(step.get("data")))
                .collect(Collectors.joining()).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A payload is a string, one character a byte, or a list of strings and generators. */
    static String text(Object payload) {
        if (payload instanceof String string) {
            return string;
        }
        return list(payload).stream().map(ConformanceCase::segment).collect(Collectors.joining());
    }

    private static String segment(Object segment) {
        if (segment instanceof String string) {
            return string;
        }
        var generator = (Map<?, ?>) segment;
        if (generator.containsKey("rep")) {
            List<?> rep = list(generator.get("rep"));
            return ((String) rep.get(0)).repeat(number(rep.get(1)));
        }
        if (generator.containsKey("seq")) {
            List<?> seq = list(generator.get("seq"));
            return IntStream.range(0, number(seq.get(1))).mapToObj(((String) seq.get(0))::formatted)
                    .collect(Collectors.joining());
        }
        int number = number(generator.get("num"));
        return "x".equals(generator.get("fmt")) ? Integer.toHexString(number) : Integer.toString(number);
    }

    /** A number, or a sum such as $MAX-8192. */
    static int number(Object expression) {
        return TERM.matcher(expression.toString()).results().map(MatchResult::group)
                .mapToInt(term -> term.equals("$MAX") ? MAX : Integer.parseInt(term)).sum();
    }

    private static List<?> list(Object value) {
        return (List<?>) value;
    }

    private static List<String> strings(Object value) {
        return list(value).stream().map(String.class::cast).toList();
    }

    private static List<Map<String, Object>> objects(Object value) {
        return list(value).stream().map(ConformanceCase::object).toList();
    }

    private static Map<String, Object> object(Object value) {
        return ((Map<?, ?>) value).entrySet().stream()
                .filter(entry -> entry.getValue() != null)
                .collect(Collectors.toMap(entry -> (String) entry.getKey(), Map.Entry::getValue));
    }
}
