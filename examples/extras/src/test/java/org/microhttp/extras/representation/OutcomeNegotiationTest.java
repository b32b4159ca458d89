package org.microhttp.extras.representation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.extras.testing.Representations;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.RandomCases;

/**
 * Which variant a client is sent by its Accept-Encoding (RFC 9110 §12.5.3); 406 if none. Each row has the
 * coding of that variant, and the values of the field behind a colon.
 */
@Tier.Gate
final class OutcomeNegotiationTest {

    private static final String ALL = "identity 100, gzip 40, br 30, zstd 35";
    private static final String NONE = "none";

    private static void choose(String... rows) {
        of(ALL, rows);
    }

    private static void of(String variants, String... rows) {
        Resource resource = Representations.resource(variants);
        for (String row : rows) {
            String[] parts = row.split(":", -1);
            String[] fields = Stream.of(parts).skip(1).flatMap(values -> Stream.of(values.split(" & ", -1)))
                    .map("Accept-Encoding: "::concat).toArray(String[]::new);
            Outcome outcome = Representations.get(resource, fields);
            assertEquals(parts[0], coding(outcome.variant()), row);
            assertEquals(parts[0].equals(NONE) ? 406 : 200, outcome.status());
            assertEquals(outcome.variant() == null ? 0 : outcome.variant().length(), outcome.length());
            assertEquals(0, outcome.first());
        }
    }

    private static String coding(Variant variant) {
        return variant == null ? NONE : variant.coding().token();
    }

    /** What needs no decoding, or else the smallest. */
    @Test
    void withoutTheFieldThePlainVariantIsChosen() {
        choose("identity");
        of("gzip 40, br 30, zstd 35", "br");
    }

    /** Of the same size the plain one. */
    @Test
    void smallestAdmittedVariantIsChosen() {
        choose("br:gzip, deflate, br, zstd", "zstd:gzip, deflate, zstd", "gzip:gzip");
        of("identity 20, gzip 40", "identity:gzip");
        of("gzip 40, identity 40", "identity:gzip");
        of("br 40, gzip 40, identity 50", "gzip:br, gzip");
    }

    /** Any but 0 admits, and none counts more than another. */
    @Test
    void anyWeightButZeroAdmits() {
        choose("br:gzip;q=1.0, br;q=0.001", "gzip:identity;q=1, gzip;q=0.5, *;q=0");
        for (String one : List.of("1", "1.", "1.0", "1.00", "1.000", "0.1", "0.01", "0.999")) {
            choose("gzip:gzip;q=" + one);
        }
    }

    /** In any case and with spaces, by an old name, in any of several fields, and by the asterisk. */
    @Test
    void codingsAreAdmittedInAnyForm() {
        choose("gzip:GZip", "gzip:gzip ;\tQ=0.5 ", "br:\tbr\t;q=1\t,,gzip , ", "gzip:x-gzip",
                "identity:x-gzip;q=0, gzip", "br:gzip & br", "gzip:gzip &  & br;q=0", "br:*",
                "zstd:*, br;q=0", "zstd:br;q=0.0, *;q=0.1");
    }

    @Test
    void thePlainOneIsAdmittedUnlessItIsExcluded() {
        choose("identity:", "identity: , ,", "identity:identity", "identity:deflate",
                "identity:deflate, gzip;q=0", "identity:identity;q=0.001, *;q=0", "none:identity;q=0",
                "none:*;q=0", "none:*;q=0.000, deflate");
        of("identity 20, gzip 40", "gzip:identity;q=0, gzip", "gzip:identity;q=0, *", "gzip:gzip, *;q=0");
        of("identity 20", "none:identity;q=0, gzip, br");
        of("gzip 40, br 30", "none:", "none:zstd", "gzip:gzip");
    }

    @Test
    void exclusionHoldsWhereverItStands() {
        choose("gzip:br;q=0, gzip, br", "gzip:br, gzip, br;q=0", "identity:*;q=0, *, identity");
    }

    /** The others stand. */
    @Test
    void malformedElementsAreIgnored() {
        for (String wrong : List.of("gzip;q=2", "gzip;q=1.1", "gzip;q=1.001", "gzip;q=0.0001",
                "gzip;q=", "gzip;q", "gzip;", "gzip;q=-1", "gzip;q=.5", "gzip;q=0,5", "gzip;q=00",
                "gzip;q=0 .5", "gzip;q =1", "gzip;q= 1", "gzip;x=1", "gzip;q=1;x=1", "gzip;level=9;q=1",
                "gzip q=1", "gzip/1", "g\u00FFip", ";q=1", "q=1", "\"gzip\"", "gzip;q=\u00B9",
                "gzip;q=0.a", "gzip;;q=1", "gzip;\u00A0q=1")) {
            choose("identity:" + wrong, "zstd:" + wrong + ", zstd", "zstd:zstd," + wrong);
        }
        choose("identity:identity;q=0.0000", "gzip:" + ",".repeat(30_000) + "gzip",
                "identity:" + "gzip".repeat(8_000), "identity:gzip;q=0" + "0".repeat(30_000));
    }

    @Test
    void acceptEncodingAgreesWithTheGrammar() throws Exception {
        List<String> pieces = List.of("gzip", "br", "*", "identity", "x-gzip", ";", "q=", "0", "1", ".",
                ",", " ", "\t", "\"", "\u00E9", "=", "Q");
        RandomCases.forEach(5_000, random -> {
            var value = new StringBuilder();
            for (int i = random.nextInt(16); i > 0; i--) {
                value.append(pieces.get(random.nextInt(pieces.size())));
            }
            Resource resource = Representations.resource(ALL);
            Outcome outcome = Representations.get(resource, "Accept-Encoding: " + value);
            assertEquals(expected(value.toString()), coding(outcome.variant()), value.toString());
        });
    }

    /** By taking the grammar literally. */
    private static String expected(String value) {
        List<String> admitted = new ArrayList<>();
        List<String> excluded = new ArrayList<>();
        for (String element : value.strip().replace("Q=", "q=").split(",")) {
            String e = element.replaceAll("^[ \t]+|[ \t]+$", "").replace("x-gzip", "gzip");
            boolean valid = e.matches("[^ \t;]+([ \t]*;[ \t]*q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?))?");
            if (valid) {
                boolean zero = e.matches(".*=0(\\.0*)?");
                (zero ? excluded : admitted).add(e.replaceAll("[ \t]*;.*", ""));
            }
        }
        for (String coding : List.of("br", "zstd", "gzip", "identity")) {
            boolean any = coding.equals("identity") || admitted.contains("*");
            boolean other = any && !excluded.contains("*") || admitted.contains(coding);
            if (other && !excluded.contains(coding)) {
                return coding;
            }
        }
        return NONE;
    }

    /** For what is not a 200, with a variant in any case: the smallest, or the first if none is accepted. */
    @Test
    void unconditionalVariantIsAlwaysChosen() {
        assertEquals("identity", variant(ALL));
        String[] fields = {"Accept-Encoding: gzip, br", "If-Match: \"x\"", "Range: bytes=1-"};
        assertEquals("br", variant(ALL, fields));
        assertEquals("identity", variant("identity 9", "Accept-Encoding: identity;q=0"));
        assertEquals("gzip", variant("gzip 9, br 5", "Accept-Encoding: zstd"));
    }

    private static String variant(String variants, String... fields) {
        Resource resource = Representations.resource(variants);
        return coding(Outcome.unconditional(Representations.request("GET", fields), resource));
    }
}
