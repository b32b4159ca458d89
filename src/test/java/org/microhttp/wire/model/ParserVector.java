package org.microhttp.wire.model;

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A vector of vectors.txt, whose notation is described there. */
public record ParserVector(String section, String name, RequestLimits limits, byte[] bytes,
                           ParserOutcome expected) {

    public static final RequestLimits DEFAULT_LIMITS = new RequestLimits(1 << 20, 1 << 15, 100);

    private static final String HEADING = "## ";

    private static final Pattern END = Pattern.compile("more|continue|\\d{3} \\w+");

    /** method, target, version, body, persistence */
    private static final Pattern REQUEST =
            Pattern.compile("(\\S+) (\\S+)(?: (HTTP/\\S+))?(?: \"(.*)\")?( closes)?");

    public static List<ParserVector> load() {
        var vectors = new ArrayList<ParserVector>();
        String section = null;
        for (String paragraph : read("/vectors.txt").split("\n{2,}")) {
            if (paragraph.startsWith(HEADING)) {
                section = paragraph.substring(HEADING.length()).strip();
            } else if (!paragraph.startsWith("#")) {
                for (String variant : Escapes.variants(paragraph)) {
                    vectors.add(parse(section, variant.lines().toList()));
                }
            }
        }
        return vectors;
    }

    public static String read(String resource) {
        try (InputStream in = ParserVector.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ParserVector parse(String section, List<String> lines) {
        RequestLimits limits = marked(lines, '~').map(ParserVector::limits).findFirst()
                .orElse(DEFAULT_LIMITS);
        String bytes = Escapes.expand(marked(lines, '>').collect(Collectors.joining()));
        List<String> events = lines.stream().filter(line -> line.matches("[=:] .*")).toList();
        return new ParserVector(section, lines.get(0), limits, bytes.getBytes(StandardCharsets.ISO_8859_1),
                outcome(events));
    }

    private static Stream<String> marked(List<String> lines, char mark) {
        return lines.stream().filter(line -> line.startsWith(mark + " ")).map(line -> line.substring(2));
    }

    private static RequestLimits limits(String line) {
        int[] numbers = Stream.of(line.split(" ")).mapToInt(Integer::parseInt).toArray();
        return new RequestLimits(numbers[0], numbers[1], numbers[2]);
    }

    private static ParserOutcome outcome(List<String> events) {
        var requests = new ArrayList<Parsed>();
        String end = "";
        var headers = new ArrayList<String>();
        for (int i = events.size() - 1; i >= 0; i--) {
            String event = events.get(i).substring(2);
            if (events.get(i).startsWith(":")) {
                headers.add(0, header(event));
            } else if (END.matcher(event).matches()) {
                end = event;
            } else {
                requests.add(0, request(event, List.copyOf(headers)));
                headers.clear();
            }
        }
        return new ParserOutcome(requests, end);
    }

    private static String header(String event) {
        int colon = event.indexOf(':');
        return Escapes.expand(event.substring(0, colon)) + ": "
                + Escapes.expand(event.substring(colon + 1).stripLeading());
    }

    private static Parsed request(String event, List<String> headers) {
        Matcher m = REQUEST.matcher(event);
        if (!m.matches()) {
            throw new IllegalArgumentException("no event: " + event);
        }
        String version = m.group(3) == null ? "HTTP/1.1" : Escapes.expand(m.group(3));
        String body = m.group(4) == null ? "" : Escapes.expand(m.group(4));
        return new Parsed(Escapes.expand(m.group(1)), Escapes.expand(m.group(2)), version,
                headers, body, m.group(5) == null);
    }
}
