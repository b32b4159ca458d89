package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.microhttp.Request;
import org.microhttp.examples.tools.Representations;
import org.microhttp.tools.Tier;
import representation.*;

/** What conditions make of a request, by the sections of RFC 9110 §13. */
@Tier.Gate
final class OutcomeConditionsTest {

    private static final Resource RESOURCE = Representations.resource("identity 100, gzip 40");
    private static final Resource UNDATED = Representations.resource("identity 100", null);

    private static final String TAG = "\"identity\"";
    private static final String SAME = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String EARLIER = "Sun, 06 Nov 1994 08:49:36 GMT";
    private static final String LATER = "Sun, 06 Nov 1994 08:49:38 GMT";

    private static final List<String> NO_DATES = List.of("", "x", "0", "784111777", "1994-11-06T08:49:37Z",
            "Sun, 06 Nov 1994 08:49:37", SAME + ", " + SAME, "Sun, 31 Feb 1994 08:49:37 GMT");

    /** Broken in a list of tags, though the tag is in it. */
    private static final List<String> BROKEN_LISTS = List.of("identity", TAG + " " + TAG, TAG + TAG,
            "\"identity", TAG + ", \"a", TAG + ", b", TAG + ", *", "*, " + TAG, "**", "w/" + TAG, "W/ " + TAG,
            "W/, " + TAG, TAG + ";", "\"a b\", " + TAG, "\"a\u007F\", " + TAG, "'identity'", "W/*");

    /** Lists that have it. */
    private static final List<String> LISTS = List.of(TAG, "\"a\", " + TAG, TAG + ",\"a\"",
            ", ,\t" + TAG + "\t,,", "\"a,b\"," + TAG, "W/\"a\" , " + TAG, "\"\", \"\u00E9!#\", " + TAG);

    private static void gives(int status, String... fields) {
        for (String method : List.of("GET", "HEAD")) {
            gives(status, Representations.request(method, fields), RESOURCE);
        }
    }

    /** Each a status, and the fields for which it is given. */
    private static void give(String... rows) {
        for (String row : rows) {
            String[] parts = row.replace("TAG", TAG).replace("SAME", SAME).replace("EARLIER", EARLIER)
                    .replace("LATER", LATER).split(": ", 2);
            gives(Integer.parseInt(parts[0]), parts[1].split(" & "));
        }
    }

    private static void gives(int status, Request request, Resource resource) {
        Outcome outcome = Outcome.of(request, resource);
        assertEquals(status, outcome.status(), request.headers().toString());
        assertEquals(status == 200 ? outcome.variant().length() : 0, outcome.length());
    }

    /** RFC 9110 §13.1.1. */
    @Nested
    class IfMatch {

        @Test
        void theSameTagInAList() {
            for (String list : LISTS) {
                gives(200, "If-Match: " + list);
            }
            gives(200, "If-Match: *");
        }

        @Test
        void aTagThatIsWeakOrAnother() {
            for (String list : List.of("W/" + TAG, "\"a\"", "\"Identity\"", "\"gzip\"", "\"identity \"", "",
                    ",", "\"identity\\\"")) {
                gives(412, "If-Match: " + list);
            }
        }

        @Test
        void aBrokenListMatchesNothing() {
            for (String list : BROKEN_LISTS) {
                gives(412, "If-Match: " + list);
            }
        }

        @Test
        void severalFieldsAreOneList() {
            give("200: If-Match: \"a\" & If-Match: TAG", "412: If-Match: \"a\" & If-Match: \"b\"");
        }
    }

    /** RFC 9110 §13.1.2. */
    @Nested
    class IfNoneMatch {

        @Test
        void theSameTagInAList() {
            for (String list : LISTS) {
                gives(304, "If-None-Match: " + list);
                gives(304, "if-none-match: " + list.replace(TAG, "W/" + TAG));
            }
            gives(304, "If-None-Match: *");
        }

        @Test
        void anotherTag() {
            for (String list : List.of("\"a\"", "W/\"a\"", "\"gzip\"", "\"Identity\"", "", ",")) {
                gives(200, "If-None-Match: " + list);
            }
        }

        @Test
        void aBrokenListMatchesNothing() {
            for (String list : BROKEN_LISTS) {
                gives(200, "If-None-Match: " + list);
            }
        }

        @Test
        void severalFieldsAreOneList() {
            give("304: If-None-Match: \"a\" & If-None-Match: TAG",
                    "304: If-None-Match: TAG & If-None-Match: ");
        }

        @Test
        void listsOfAnySize() {
            gives(304, "If-None-Match: " + "\"a\",".repeat(6_000) + TAG);
            gives(200, "If-None-Match: \"" + "a".repeat(30_000));
            gives(200, "If-None-Match: " + "W/".repeat(15_000));
        }
    }

    /** RFC 9110 §13.1.3. */
    @Nested
    class IfModifiedSince {

        @Test
        void byTheDate() {
            give("200: If-Modified-Since: EARLIER", "304: If-Modified-Since: SAME",
                    "304: If-Modified-Since: LATER",
                    "304: If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT",
                    "304: If-Modified-Since: Sun Nov  6 08:49:37 1994");
        }

        @Test
        void whatIsNoDateIsIgnored() {
            for (String none : NO_DATES) {
                gives(200, "If-Modified-Since: " + none);
            }
            gives(200, "If-Modified-Since: " + SAME, "If-Modified-Since: " + SAME);
        }

        @Test
        void withoutADateOfTheResourceItIsIgnored() {
            gives(200, Representations.request("GET", "If-Modified-Since: " + LATER), UNDATED);
        }
    }

    /** RFC 9110 §13.1.4. */
    @Nested
    class IfUnmodifiedSince {

        @Test
        void byTheDate() {
            give("412: If-Unmodified-Since: EARLIER", "200: If-Unmodified-Since: SAME",
                    "200: If-Unmodified-Since: LATER");
        }

        @Test
        void whatIsNoDateIsIgnored() {
            for (String none : NO_DATES) {
                gives(200, "If-Unmodified-Since: " + none);
            }
        }

        @Test
        void withoutADateOfTheResourceItIsIgnored() {
            gives(200, Representations.request("GET", "If-Unmodified-Since: " + EARLIER), UNDATED);
        }
    }

    /** RFC 9110 §13.1.5. */
    @Nested
    class IfRange {

        private void allows(boolean expected, String... fields) {
            String[] all = Stream.concat(Stream.of("Range: bytes=1-2"), Stream.of(fields))
                    .toArray(String[]::new);
            assertEquals(expected ? 206 : 200, Representations.get(RESOURCE, all).status(), all[1]);
        }

        @Test
        void theSameTagAndNotWeak() {
            allows(true, "If-Range: " + TAG);
            allows(false, "If-Range: W/" + TAG);
            allows(false, "If-Range: \"a\"");
            allows(false, "If-Range: \"gzip\"");
            allows(false, "If-Range: \"a\", " + TAG);
            allows(false, "If-Range: *");
            allows(false, "If-Range: ");
            allows(false, "If-Range: " + TAG, "If-Range: " + TAG);
        }

        @Test
        void theSameDate() {
            allows(true, "If-Range: " + SAME);
            allows(true, "If-Range: Sunday, 06-Nov-94 08:49:37 GMT");
            allows(false, "If-Range: " + EARLIER);
            allows(false, "If-Range: " + LATER);
            for (String none : NO_DATES) {
                allows(false, "If-Range: " + none);
            }
        }

        @Test
        void withoutADateOfTheResource() {
            assertEquals(200, Representations.get(UNDATED, "Range: bytes=1-2", "If-Range: " + SAME).status());
        }

        @Test
        void withoutARange() {
            give("200: If-Range: TAG", "200: If-Range: \"a\"");
        }
    }

    /** RFC 9110 §13.2.2; what cannot be chosen is before all (§13.2.1). */
    @Nested
    class TheOrder {

        @Test
        void ofOneThatFailsAndTheOther() {
            String other = "\"a\"";
            gives(412, "If-Match: " + other, "If-None-Match: " + TAG);
            gives(412, "If-Unmodified-Since: " + EARLIER, "If-None-Match: " + TAG);
            gives(412, "If-Match: " + other, "If-Unmodified-Since: " + LATER);
            give("200: If-Match: TAG & If-Unmodified-Since: EARLIER",
                    "304: If-Match: TAG & If-None-Match: TAG",
                    "304: If-Unmodified-Since: SAME & If-Modified-Since: SAME");
            gives(200, "If-None-Match: " + other, "If-Modified-Since: " + LATER);
            give("304: If-None-Match: TAG & If-Modified-Since: EARLIER",
                    "200: If-None-Match:  & If-Modified-Since: LATER");
        }

        @Test
        void conditionsAreBeforeTheRange() {
            String[] ranges = {"Range: bytes=0-1", "Range: bytes=1000-"};
            for (String range : ranges) {
                gives(304, range, "If-None-Match: " + TAG, "If-Range: " + TAG);
                gives(412, range, "If-Match: \"a\"", "If-Range: " + TAG);
                gives(304, range, "If-Modified-Since: " + SAME);
            }
            assertEquals(206, Representations.get(RESOURCE, ranges[0], "If-None-Match: \"a\"").status());
            assertEquals(416, Representations.get(RESOURCE, ranges[1], "If-None-Match: \"a\"").status());
            assertEquals(416, Representations.get(RESOURCE, ranges[1], "If-Range: " + TAG).status());
            assertEquals(200, Representations.get(RESOURCE, ranges[1], "If-Range: \"a\"").status());
        }

        @Test
        void nothingIsLookedAtWhereNothingCanBeChosen() {
            give("406: Accept-Encoding: identity;q=0 & If-Match: \"a\" & Range: bytes=1000-",
                    "406: Accept-Encoding: *;q=0 & If-None-Match: *");
        }

        @Test
        void tagsAreThoseOfTheChosenVariant() {
            String gzip = "Accept-Encoding: gzip";
            gives(304, gzip, "If-None-Match: \"gzip\"");
            gives(200, gzip, "If-None-Match: " + TAG);
            gives(412, gzip, "If-Match: " + TAG);
            gives(200, gzip, "If-Match: \"gzip\"");
            assertEquals(206, Representations.get(RESOURCE, gzip, "Range: bytes=0-1", "If-Range: \"gzip\"")
                    .status());
            assertEquals(200, Representations.get(RESOURCE, gzip, "Range: bytes=0-1", "If-Range: " + TAG)
                    .status());
        }
    }

    /** No tag names it, and an asterisk means that it is there. */
    @Nested
    class WithoutATag {

        private static Resource untagged() {
            return new Resource(null, null, null, List.of(new Variant(Coding.IDENTITY, 9, null)));
        }

        private static void gives(int status, String field) {
            Request request = Representations.request("GET", field);
            assertEquals(status, Outcome.of(request, untagged()).status(), field);
        }

        @Test
        void onlyTheAsteriskMatches() {
            gives(304, "If-None-Match: *");
            gives(200, "If-None-Match: \"null\"");
            gives(200, "If-None-Match: W/\"\", null");
            gives(200, "If-Match: *");
            gives(412, "If-Match: \"null\"");
        }

        @Test
        void noTagAllowsAPart() {
            Request part = Representations.request("GET", "Range: bytes=1-");
            assertEquals(206, Outcome.of(part, untagged()).status());
            Request named = Representations.request("GET", "Range: bytes=1-", "If-Range: \"null\"");
            assertEquals(200, Outcome.of(named, untagged()).status());
        }
    }
}
