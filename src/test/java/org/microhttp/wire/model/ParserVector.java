package org.microhttp.wire.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A vector of vectors.txt, whose notation is described there. */
public record ParserVector(int line, String section, String name, RequestLimits limits, byte[] bytes,
                           ParserOutcome expected) {

    public static final RequestLimits DEFAULT_LIMITS = new RequestLimits(1 << 20, 1 << 15, 100);

    private static final Pattern END = Pattern.compile("more|continue|\\d{3} \\w+");

    /** method, target, version, body, persistence */
    private static final Pattern REQUEST =
            Pattern.compile("(\\S+) (\\S+)(?: (HTTP/\\S+))?(?: \"(.*)\")?( closes)?");

    public static List<ParserVector> load() {
        return VectorFile.read("/vectors.txt", ParserVector::parse);
    }

    private static ParserVector parse(VectorFile.Paragraph paragraph) {
        var reader = new Reader();
        paragraph.forEach(reader::read);
        return new ParserVector(paragraph.lines().get(0).number(), paragraph.section(), paragraph.name(),
                reader.limits, reader.bytes.toString().getBytes(StandardCharsets.ISO_8859_1),
                new ParserOutcome(reader.requests, reader.end));
    }

    /** Reads the lines of one vector. */
    private static final class Reader {

        private final StringBuilder bytes = new StringBuilder();
        private final List<Parsed> requests = new ArrayList<>();
        private RequestLimits limits = DEFAULT_LIMITS;
        private String end = "";

        void read(VectorFile.Line line) {
            switch (line.mark()) {
                case '~' -> limits = limits(line.text());
                case '>' -> bytes.append(Escapes.expand(line.text()));
                case '=' -> readEvent(line.text());
                case ':' -> readField(line.text());
                default -> throw new IllegalArgumentException("unknown mark");
            }
        }

        private void readEvent(String event) {
            if (!end.isEmpty()) throw new IllegalArgumentException("something after the end");
            if (END.matcher(event).matches()) {
                end = event;
            } else {
                requests.add(request(event));
            }
        }

        private void readField(String field) {
            int last = requests.size() - 1;
            int colon = field.indexOf(':');
            requests.set(last, requests.get(last).with(Escapes.expand(field.substring(0, colon)) + ": "
                    + Escapes.expand(field.substring(colon + 1).stripLeading())));
        }
    }

    private static RequestLimits limits(String line) {
        boolean proxied = line.endsWith("proxy");
        if (line.equals("proxy")) {
            return new RequestLimits(DEFAULT_LIMITS.requestSize(), DEFAULT_LIMITS.headerSize(),
                    DEFAULT_LIMITS.fields(), proxied);
        }
        int[] numbers = Stream.of(line.replace(" proxy", "").split(" ")).mapToInt(Integer::parseInt)
                .toArray();
        return new RequestLimits(numbers[0], numbers[1], numbers[2], proxied);
    }

    private static Parsed request(String event) {
        Matcher m = REQUEST.matcher(event);
        if (!m.matches()) {
            throw new IllegalArgumentException("no event");
        }
        String version = m.group(3) == null ? "HTTP/1.1" : Escapes.expand(m.group(3));
        String body = m.group(4) == null ? "" : Escapes.expand(m.group(4));
        return new Parsed(Escapes.expand(m.group(1)), Escapes.expand(m.group(2)), version, List.of(), body,
                m.group(5) == null);
    }
}
