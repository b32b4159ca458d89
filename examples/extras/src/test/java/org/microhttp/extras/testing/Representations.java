package org.microhttp.extras.testing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.extras.representation.*;

/** Resources and requests for them, in short. */
public final class Representations {

    public static final Instant MODIFIED = Instant.parse("1994-11-06T08:49:37Z");

    private Representations() {
    }

    /**
     * A resource of variants as {@code "identity 100, gzip 40"}, each with the name of its coding as its
     * entity tag.
     */
    public static Resource resource(String variants) {
        return resource(variants, MODIFIED);
    }

    public static Resource resource(String variants, Instant lastModified) {
        List<Variant> list = new ArrayList<>();
        for (String variant : variants.split(", ")) {
            String[] words = variant.split(" ");
            Coding coding = Stream.of(Coding.values()).filter(c -> c.token().equals(words[0])).findFirst()
                    .orElseThrow();
            list.add(new Variant(coding, Long.parseLong(words[1]), "\"" + words[0] + "\""));
        }
        return new Resource("text/plain", lastModified, "max-age=60", list);
    }

    /** A request with these fields, each as {@code "Name: value"}. */
    public static Request request(String method, String... fields) {
        List<Header> headers = new ArrayList<>(List.of(new Header("Host", "localhost")));
        for (String field : fields) {
            int colon = field.indexOf(':');
            headers.add(new Header(field.substring(0, colon), field.substring(colon + 1).strip()));
        }
        return new Request(method, "/", "HTTP/1.1", headers, new byte[0]);
    }

    public static Outcome get(Resource resource, String... fields) {
        return Outcome.of(request("GET", fields), resource);
    }

    /** The fields that the answer to a GET has, a line each. */
    public static List<String> fields(Resource resource, String... fields) {
        return get(resource, fields).fields(resource).stream()
                .map(field -> field.name() + ": " + field.value()).toList();
    }
}
