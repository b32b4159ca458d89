package org.microhttp.extras.representation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.extras.testing.Representations;
import org.microhttp.testing.Tier;

/**
 * What conditions make of a request, by the sections of RFC 9110 §13. Each row has a status, and the fields
 * that get it; TAG is the tag of the variant that is not encoded, and its time is SAME.
 */
@Tier.Gate
final class OutcomeConditionsTest {

    private static final Resource RESOURCE = Representations.resource("identity 100, gzip 40");
    private static final Resource UNDATED = Representations.resource("identity 100", null);
    private static final Resource UNTAGGED =
            new Resource(null, null, null, List.of(new Variant(Coding.IDENTITY, 9, null)));

    private static final String SAME = "Sun, 06 Nov 1994 08:49:37 GMT";

    private static final List<String> NO_DATES = List.of("", "x", "0", "784111777", "1994-11-06T08:49:37Z",
            "Sun, 06 Nov 1994 08:49:37", "SAME, SAME", "Sun, 31 Feb 1994 08:49:37 GMT");

    /** Broken in a list of tags, though the tag is in it. */
    private static final List<String> BROKEN_LISTS = List.of("identity", "TAG TAG", "TAGTAG", "\"identity",
            "TAG, \"a", "TAG, b", "TAG, *", "*, TAG", "**", "w/TAG", "W/ TAG", "W/, TAG", "TAG;",
            "\"a b\", TAG", "'identity'", "W/*");

    /** Lists that have it. */
    private static final List<String> LISTS = List.of("TAG", "\"a\", TAG", "TAG,\"a\"", ", ,\tTAG\t,,",
            "\"a,b\",TAG", "W/\"a\" , TAG", "\"\", \"\u00E9!#\", TAG");

    private static void give(String... rows) {
        of(RESOURCE, rows);
    }

    /** The same of a GET and a HEAD, but for ranges. */
    private static void of(Resource resource, String... rows) {
        for (String row : rows) {
            int status = Integer.parseInt(row.substring(0, 3));
            String[] fields = row.substring(4).replace("TAG", "\"identity\"").replace("SAME", SAME)
                    .replace("EARLIER", SAME.replace("37", "36")).replace("LATER", SAME.replace("37", "38"))
                    .split(" & ");
            Outcome got = Outcome.of(Representations.request("GET", fields), resource);
            assertEquals(status, got.status(), row);
            Outcome head = Outcome.of(Representations.request("HEAD", fields), resource);
            assertEquals(status == 206 || status == 416 ? 200 : status, head.status(), row);
            assertEquals(head.status() == 200 ? head.variant().length() : 0, head.length());
            assertEquals(status == 206 ? got.length() : status == 200 ? head.length() : 0, got.length());
        }
    }

    private static void each(List<String> values, String before) {
        values.forEach(value -> give(before + value));
    }

    /** RFC 9110 §13.1.1. */
    @Test
    void ifMatch() {
        each(LISTS, "200 If-Match: ");
        each(BROKEN_LISTS, "412 If-Match: ");
        give("200 If-Match: *", "412 If-Match: W/TAG", "412 If-Match: \"a\"", "412 If-Match: \"Identity\"",
                "412 If-Match: \"gzip\"", "412 If-Match: \"identity \"", "412 If-Match: ", "412 If-Match: ,",
                "412 If-Match: \"identity\\\"", "200 If-Match: \"a\" & If-Match: TAG",
                "412 If-Match: \"a\" & If-Match: \"b\"");
    }

    /** RFC 9110 §13.1.2. */
    @Test
    void ifNoneMatch() {
        each(LISTS, "304 If-None-Match: ");
        LISTS.forEach(list -> give("304 if-none-match: " + list.replace("TAG", "W/TAG")));
        each(BROKEN_LISTS, "200 If-None-Match: ");
        give("304 If-None-Match: *", "200 If-None-Match: \"a\"", "200 If-None-Match: W/\"a\"",
                "200 If-None-Match: \"gzip\"", "200 If-None-Match: \"Identity\"", "200 If-None-Match: ",
                "200 If-None-Match: ,", "304 If-None-Match: \"a\" & If-None-Match: TAG",
                "304 If-None-Match: TAG & If-None-Match: ");
        // of any size
        give("304 If-None-Match: " + "\"a\",".repeat(6_000) + "TAG",
                "200 If-None-Match: \"" + "a".repeat(30_000), "200 If-None-Match: " + "W/".repeat(15_000));
    }

    /** RFC 9110 §13.1.3. */
    @Test
    void ifModifiedSince() {
        give("200 If-Modified-Since: EARLIER", "304 If-Modified-Since: SAME", "304 If-Modified-Since: LATER",
                "304 If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT",
                "304 If-Modified-Since: Sun Nov  6 08:49:37 1994",
                "200 If-Modified-Since: SAME & If-Modified-Since: SAME");
        each(NO_DATES, "200 If-Modified-Since: ");
        of(UNDATED, "200 If-Modified-Since: LATER");
    }

    /** RFC 9110 §13.1.4. */
    @Test
    void ifUnmodifiedSince() {
        give("412 If-Unmodified-Since: EARLIER", "200 If-Unmodified-Since: SAME",
                "200 If-Unmodified-Since: LATER");
        each(NO_DATES, "200 If-Unmodified-Since: ");
        of(UNDATED, "200 If-Unmodified-Since: EARLIER");
    }

    /** RFC 9110 §13.1.5. */
    @Test
    void ifRange() {
        String part = " Range: bytes=1-2 & If-Range: ";
        each(List.of("TAG", "SAME", "Sunday, 06-Nov-94 08:49:37 GMT"), "206" + part);
        each(List.of("W/TAG", "\"a\"", "\"gzip\"", "\"a\", TAG", "*", "", "TAG & If-Range: TAG", "EARLIER",
                "LATER"), "200" + part);
        each(NO_DATES, "200" + part);
        of(UNDATED, "200" + part + "SAME");
        give("200 If-Range: TAG", "200 If-Range: \"a\"");
    }

    /** RFC 9110 §13.2.2; what cannot be chosen is before all (§13.2.1). */
    @Test
    void theOrder() {
        give("412 If-Match: \"a\" & If-None-Match: TAG",
                "412 If-Unmodified-Since: EARLIER & If-None-Match: TAG",
                "412 If-Match: \"a\" & If-Unmodified-Since: LATER",
                "200 If-Match: TAG & If-Unmodified-Since: EARLIER",
                "304 If-Match: TAG & If-None-Match: TAG",
                "304 If-Unmodified-Since: SAME & If-Modified-Since: SAME",
                "200 If-None-Match: \"a\" & If-Modified-Since: LATER",
                "304 If-None-Match: TAG & If-Modified-Since: EARLIER",
                "200 If-None-Match:  & If-Modified-Since: LATER",
                "406 Accept-Encoding: identity;q=0 & If-Match: \"a\" & Range: bytes=1000-",
                "406 Accept-Encoding: *;q=0 & If-None-Match: *");
    }

    @Test
    void conditionsAreBeforeTheRange() {
        for (String range : List.of("Range: bytes=0-1", "Range: bytes=1000-")) {
            give("304 If-None-Match: TAG & If-Range: TAG & " + range,
                    "412 If-Match: \"a\" & If-Range: TAG & " + range,
                    "304 If-Modified-Since: SAME & " + range);
        }
        give("206 Range: bytes=0-1 & If-None-Match: \"a\"", "416 Range: bytes=1000- & If-None-Match: \"a\"",
                "416 Range: bytes=1000- & If-Range: TAG", "200 Range: bytes=1000- & If-Range: \"a\"");
    }

    @Test
    void tagsAreThoseOfTheChosenVariant() {
        for (String row : List.of("304 If-None-Match: \"gzip\"", "200 If-None-Match: TAG",
                "412 If-Match: TAG", "200 If-Match: \"gzip\"", "206 If-Range: \"gzip\" & Range: bytes=0-1",
                "200 If-Range: TAG & Range: bytes=0-1")) {
            give(row + " & Accept-Encoding: gzip");
        }
    }

    /** No tag names it, and an asterisk means that it is there. */
    @Test
    void withoutATag() {
        of(UNTAGGED, "304 If-None-Match: *", "200 If-None-Match: \"null\"",
                "200 If-None-Match: W/\"\", null", "200 If-Match: *", "412 If-Match: \"null\"",
                "206 Range: bytes=1-", "200 Range: bytes=1- & If-Range: \"null\"");
    }
}
