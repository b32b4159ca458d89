package org.microhttp.wire.model;

import static org.microhttp.wire.model.RandomText.*;

import java.util.List;
import java.util.SplittableRandom;
import org.microhttp.Header;

/** Writes a {@link RequestModel} in one of the ways that RFC 9112 allows. */
public final class RequestRenderer {

    private final SplittableRandom random;
    private final StringBuilder out = new StringBuilder();

    private RequestRenderer(SplittableRandom random) {
        this.random = random;
    }

    public static String render(SplittableRandom random, List<RequestModel> models) {
        var renderer = new RequestRenderer(random);
        models.forEach(renderer::request);
        return renderer.out.toString();
    }

    private void request(RequestModel model) {
        if (chance(random, 10)) {
            out.append("\r\n");
        }
        out.append(model.method()).append(' ').append(model.target()).append(' ').append(model.version());
        out.append("\r\n");
        model.fields().forEach(this::field);
        out.append("\r\n");
        if (model.chunked()) {
            chunks(model.body());
        } else {
            out.append(model.body());
        }
    }

    private void field(Header field) {
        out.append(field.name()).append(':');
        out.append(space(random)).append(field.value()).append(space(random)).append("\r\n");
    }

    private void chunks(String body) {
        for (int from = 0; from < body.length(); ) {
            int left = body.length() - from;
            int length = chance(random, 30) ? left : 1 + random.nextInt(left);
            out.append(size(length)).append(extensions()).append("\r\n");
            out.append(body, from, from + length).append("\r\n");
            from += length;
        }
        out.append(size(0)).append(extensions()).append("\r\n");
        for (int count = Math.max(0, random.nextInt(6) - 3); count > 0; count--) {
            field(new Header(trailerName(), RandomText.fieldValue(random)));
        }
        out.append("\r\n");
    }

    private String size(int length) {
        String digits = anyCase(random, Integer.toHexString(length));
        return (chance(random, 20) ? "0".repeat(random.nextInt(20)) : "") + digits;
    }

    /** chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] ) (RFC 9112 §7.1.1) */
    private String extensions() {
        var text = new StringBuilder();
        for (int count = Math.max(0, random.nextInt(8) - 5); count > 0; count--) {
            text.append(space(random)).append(';').append(space(random)).append(token(random));
            if (random.nextBoolean()) {
                text.append(space(random)).append('=').append(space(random));
                text.append(random.nextBoolean() ? token(random) : quoted());
            }
        }
        return text.toString();
    }

    private String quoted() {
        var text = new StringBuilder("\"");
        for (int count = random.nextInt(8); count > 0; count--) {
            char c = RandomText.TEXT.charAt(random.nextInt(RandomText.TEXT.length()));
            boolean escaped = c == '"' || c == '\\' || chance(random, 20);
            text.append(escaped ? "\\" : "").append(c);
        }
        return text.append('"').toString();
    }

    private String trailerName() {
        String name = chance(random, 50) ? of(random, RandomText.TOKEN, 1, 9)
                : anyCase(random, pick(random,
                        "ETag", "Digest", "X-Checksum", "Server-Timing", "Hosts", "Dates"));
        return ReferenceParser.isForbiddenTrailer(name) ? "X" : name;
    }
}
