package org.microhttp.extras.representation;

import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.Response;
import org.microhttp.extras.testing.Representations;
import org.microhttp.testing.Tier;

/** Which fields an answer has, by its status. */
@Tier.Gate
final class OutcomeFieldsTest {

    private static final String DATE = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String CACHE = "Cache-Control: max-age=60";
    private static final String VARY = "Vary: Accept-Encoding";

    private static final Resource PLAIN = Representations.resource("identity 100");
    private static final Resource CODED = Representations.resource("identity 100, gzip 40");

    private static void has(Resource resource, String request, String... fields) {
        assertEquals(List.of(fields), Representations.fields(resource, request.split(" & ")));
    }

    @Test
    void wholeAnswerHasAllFields() {
        has(PLAIN, "A: b", "Content-Type: text/plain", "ETag: \"identity\"", DATE, CACHE, VARY,
                "Accept-Ranges: bytes");
        has(CODED, "A: b", "Content-Type: text/plain", "ETag: \"identity\"", DATE, CACHE, VARY,
                "Accept-Ranges: bytes");
        has(CODED, "Accept-Encoding: gzip", "Content-Type: text/plain", "Content-Encoding: gzip",
                "ETag: \"gzip\"", DATE, CACHE, VARY, "Accept-Ranges: bytes");
    }

    /** RFC 9110 §15.3.7. */
    @Test
    void partHasContentRange() {
        has(PLAIN, "Range: bytes=1-2", "Content-Type: text/plain", "ETag: \"identity\"", DATE, CACHE, VARY,
                "Content-Range: bytes 1-2/100");
        has(CODED, "Accept-Encoding: gzip & Range: bytes=0-", "Content-Type: text/plain",
                "Content-Encoding: gzip", "ETag: \"gzip\"", DATE, CACHE, VARY,
                "Content-Range: bytes 0-39/40");
    }

    /** RFC 9110 §15.4.5. */
    @Test
    void notModifiedHasFewFields() {
        has(PLAIN, "If-None-Match: *", "ETag: \"identity\"", CACHE, VARY);
        has(CODED, "If-None-Match: * & Accept-Encoding: gzip", "ETag: \"gzip\"", CACHE, VARY);
    }

    /** RFC 9110 §15.5.7: that nothing can be chosen is so by Accept-Encoding, however many there are. */
    @Test
    void notAcceptableHasVary() {
        has(PLAIN, "Accept-Encoding: identity;q=0", VARY);
        has(CODED, "Accept-Encoding: *;q=0", VARY);
    }

    /** RFC 9110 §15.5.13. */
    @Test
    void preconditionFailedHasTagAndDate() {
        has(PLAIN, "If-Match: \"a\"", "ETag: \"identity\"", DATE, VARY);
        has(CODED, "If-Match: \"a\"", "ETag: \"identity\"", DATE, VARY);
    }

    /** RFC 9110 §15.5.17. */
    @Test
    void rangeNotSatisfiableHasContentRange() {
        has(PLAIN, "Range: bytes=100-", "ETag: \"identity\"", DATE, VARY, "Content-Range: bytes */100");
        has(CODED, "Range: bytes=40- & Accept-Encoding: gzip", "ETag: \"gzip\"", DATE, VARY,
                "Content-Range: bytes */40");
    }

    @Test
    void unknownValuesAreOmitted() {
        var bare = new Resource(null, null, null, List.of(new Variant(Coding.IDENTITY, 1, "\"a\"")));
        has(bare, "A: b", "ETag: \"a\"", VARY, "Accept-Ranges: bytes");
        has(bare, "If-None-Match: \"a\"", "ETag: \"a\"", VARY);
    }

    /** What a client that refuses all variants gets a 406 for, a cache must not give it (§12.5.5). */
    @Test
    void eachAnswerVaries() {
        for (String variants : List.of("identity 100", "gzip 40", "identity 100, gzip 40")) {
            Resource resource = Representations.resource(variants);
            for (String field : List.of("A: b", "Range: bytes=1-2", "If-None-Match: *", "If-Match: \"a\"",
                    "Range: bytes=1000-", "Accept-Encoding: *;q=0", "Accept-Encoding: br")) {
                assertTrue(Representations.fields(resource, field).contains(VARY), variants + ", " + field);
            }
        }
    }

    @Test
    void codingsByTheirNames() {
        for (String coding : List.of("br", "zstd", "gzip")) {
            Resource resource = Representations.resource("identity 100, " + coding + " 1");
            List<String> fields = Representations.fields(resource, "Accept-Encoding: " + coding);
            assertEquals("Content-Encoding: " + coding, fields.get(1));
        }
    }

    /** RFC 9110 §8.8.2.1. */
    @Test
    void lastModifiedIsNeverLaterThanNow() {
        Instant before = Instant.now();
        Resource resource = Representations.resource("identity 1", before.plus(Duration.ofDays(1)));
        String field = Representations.fields(resource).stream()
                .filter(line -> line.startsWith("Last-Modified: ")).findFirst().orElseThrow();
        Instant written = HttpDate.parse(field.substring("Last-Modified: ".length()));
        assertTrue(!written.isAfter(Instant.now()), field);
        assertTrue(written.isAfter(before.minusSeconds(2)), field);
        // so a client that has it has it
        String sent = HttpDate.format(written);
        assertEquals(304, Representations.get(resource, "If-Modified-Since: " + sent).status());
        assertEquals(200, Representations.get(resource, "If-Unmodified-Since: " + sent).status());
        assertEquals(206, Representations.get(resource, "Range: bytes=0-0", "If-Range: " + sent).status());
    }

    /** Some file systems have times of years that HTTP cannot write. */
    @Test
    void aDateThatCannotBeWrittenIsNone() {
        for (String time : List.of("-0001-12-31T23:59:59Z", "+10000-01-01T00:00:00Z")) {
            Resource resource = Representations.resource("identity 1", Instant.parse(time));
            assertEquals(null, resource.lastModified());
        }
        for (Instant time : List.of(Instant.MIN, Instant.MAX)) {
            assertEquals(null, Representations.resource("identity 1", time).lastModified());
        }
        Instant last = Instant.parse("1999-12-31T23:59:59.999Z");
        Resource resource = Representations.resource("identity 1", last);
        assertEquals(last.minusMillis(999), resource.lastModified());
        Instant far = Instant.parse("9999-12-31T23:59:59.999Z");
        assertNotNull(Representations.resource("identity 1", far).lastModified());
    }

    @Test
    void theServerTakesThem() {
        for (String field : List.of("A: b", "Range: bytes=1-2", "Range: bytes=1000-", "If-Match: \"a\"",
                "If-None-Match: *", "Accept-Encoding: *;q=0")) {
            Outcome outcome = Representations.get(CODED, field);
            new Response(outcome.status(), outcome.reason(), outcome.fields(CODED), new byte[0]);
            assertTrue(!outcome.reason().isEmpty());
        }
    }

    @Test
    void aResourceHasAVariant() {
        assertThrows(IllegalArgumentException.class, () -> new Resource(null, null, null, List.of()));
        List<Variant> variants = new ArrayList<>(PLAIN.variants());
        var resource = new Resource(null, null, null, variants);
        variants.clear();
        assertEquals(PLAIN.variants(), resource.variants());
    }
}
