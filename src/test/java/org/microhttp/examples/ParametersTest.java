package org.microhttp.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import formserver.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.tools.Tier;

/** The example's class {@code Parameters}: queries and forms, each with what comes of it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ParametersTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String BROKEN =
            " is a % without two hexadecimal digits behind it; allowed: %25 for a % itself";

    @Test
    void takesAQueryApart() {
        parses("a=1", "a", "1");
        parses("a=1&b=2&a=3", "a", "1", "b", "2", "a", "3");
        parses("a+b=c+d", "a b", "c d");
        parses("a%2Bb=c%20d", "a+b", "c d");
        parses("caf%C3%A9=%E2%82%AC", "caf\u00E9", "\u20AC");
        parses("a=/?:@!$'()*,[]|;b=2", "a", "/?:@!$'()*,[]|;b=2");
        parses("A=1&a=2", "A", "1", "a", "2");
        parses("a=%00%0D%0A", "a", "\0\r\n");
    }

    @Test
    void aNameMayStandAlone() {
        parses("a", "a", "");
        parses("a&b=", "a", "", "b", "");
        parses("a&a&a=1", "a", "", "a", "", "a", "1");
    }

    @Test
    void aNameMayBeEmpty() {
        parses("=", "", "");
        parses("=1&=", "", "1", "", "");
    }

    @Test
    void skipsWhatIsEmpty() {
        parses("");
        parses("&");
        parses("&&a=1&&&b&", "a", "1", "b", "");
    }

    @Test
    void splitsAtTheFirstEqualsSign() {
        parses("a=b=c==", "a", "b=c==");
        parses("==", "", "=");
    }

    @Test
    void splitsBeforeItDecodes() {
        parses("a=1%26b=2", "a", "1&b=2");
        parses("a%3Db=c", "a=b", "c");
        parses("%26", "&", "");
        parses("a=%2541%2B%252B", "a", "%41+%2B");
    }

    @Test
    void aTargetWithoutAQueryHasNoParameters() {
        assertEquals(List.of(), Parameters.ofQuery(null).entries());
    }

    @Test
    void findsParametersByTheirName() {
        var parameters = Parameters.ofQuery("b=1&a=&b=2&c&b=1");
        assertEquals("1", parameters.first("b"));
        assertEquals(List.of("1", "2", "1"), parameters.all("b"));
        assertEquals("", parameters.first("a"));
        assertEquals("", parameters.first("c"));
        assertNull(parameters.first("d"));
        assertNull(parameters.first("B"));
        assertEquals(List.of(), parameters.all("d"));
        assertEquals(List.of("b", "a", "c"), List.copyOf(parameters.names()));
    }

    @Test
    void cannotBeChanged() {
        var parameters = Parameters.ofQuery("a=1");
        for (var name : List.of("a", "b")) {
            assertThrows(UnsupportedOperationException.class, () -> parameters.all(name).add("2"));
        }
        assertThrows(UnsupportedOperationException.class, () -> parameters.names().remove("a"));
        assertThrows(UnsupportedOperationException.class, () -> parameters.entries().clear());
        assertThrows(UnsupportedOperationException.class, () -> parameters.entries().get(0).setValue("2"));
    }

    /** Of whichever part: positions are counted from the beginning of the whole. */
    @Test
    void refusesWhatIsNotEncodedAsItShouldBe() {
        refuses("%", 0, BROKEN);
        refuses("a=1&b=%4", 6, BROKEN);
        refuses("a=1&b%zz=2", 5, BROKEN);
        refuses("a=%4&1", 2, BROKEN);
        refuses("a%=41", 1, BROKEN);
        refuses("a=100%", 5, BROKEN);
        refuses("a=1&b=x+%C0%AF", 8, utf8("%C0"));
        refuses("%C3=%A9", 0, utf8("%C3"));
        refuses("a=%C3&%A9", 2, utf8("%C3"));
        refuses("a=1&b=%ED%A0%80", 6, utf8("%ED"));
        assertEquals("at position 2 of the query is a character that is not ASCII; allowed: its UTF-8, "
                + "percent-encoded", refusal(() -> Parameters.ofQuery("a=\u00E9")));
    }

    @Test
    void takesAThousandAndNoMore() {
        String thousand = IntStream.range(0, Parameters.MAX_PARAMETERS).mapToObj(i -> "p" + i)
                .collect(joining("&"));
        assertEquals(1000, Parameters.ofQuery("&" + thousand + "&&").entries().size());
        assertEquals("the query has more parameters than are allowed: 1000",
                refusal(() -> Parameters.ofQuery(thousand + "&p0")));
        assertEquals("the form has more parameters than are allowed: 1000",
                refusal(() -> form(thousand + "&p0")));
    }

    @Test
    void takesLongForms() {
        int count = 1_000_000;
        assertEquals(List.of(), form("&".repeat(count)).entries());
        assertEquals(" ".repeat(count), form("a=" + "+".repeat(count)).first("a"));
        assertEquals("=".repeat(count), form("a=" + "=".repeat(count)).first("a"));
        assertEquals("at position " + (3 * count + 2) + " of the form" + BROKEN,
                refusal(() -> form("a=" + "%41".repeat(count) + "%")));
    }

    /** A thousand names of one hash code, each with as many lookups. */
    @Test
    void takesNamesThatCollide() {
        List<String> names = new ArrayList<>(List.of(""));
        for (int i = 0; i < 10; i++) {
            names = names.stream().flatMap(name -> List.of(name + "Aa", name + "BB").stream()).toList();
        }
        names = names.subList(0, 1000);
        assertEquals(1, names.stream().map(String::hashCode).distinct().count());
        var parameters = Parameters.ofQuery(String.join("&", names));
        assertEquals(names, List.copyOf(parameters.names()));
        for (String name : names) {
            assertEquals(List.of(""), parameters.all(name));
        }
    }

    @Test
    void takesOctetsOfAFormThatWereNotEncoded() {
        assertEquals("caf\u00E9 \u20AC", form("name=caf\u00E9 \u20AC").first("name"));
        assertEquals("a\r\n", form("name=a\r\n").first("name"));
        // half of it encoded
        assertEquals("\u00E9", form("name=%C3\u00A9".getBytes(ISO_8859_1)).first("name"));
        assertEquals("at position 5 of the form" + utf8("%E9"),
                refusal(() -> form("name=\u00E9".getBytes(ISO_8859_1))));
        assertEquals("at position 6 of the form" + utf8("%FE"),
                refusal(() -> form("a=\u00C3\u00A9+b\u00FE\u00FF".getBytes(ISO_8859_1))));
    }

    @Test
    void takesAFormByItsType() {
        for (String type : List.of(FORM, "Application/X-WWW-Form-URLEncoded", FORM + ";charset=utf-8",
                FORM + "; charset=UTF-8", FORM + " ;\tCharset=\"Utf-8\" ", FORM + "; a=b; charset=utf-8",
                FORM + "; a=\";charset=x\\\"\"", FORM + ";", FORM + " ; ;charset=utf-8;", "\t" + FORM + " ",
                FORM + "; xcharset=x; charsetx=x; charset=utf-8; charset=utf-8",
                FORM + "; a=\"\\\u0085\u00FF\"")) {
            assertEquals("1", Parameters.ofForm(type, new byte[] {'a', '=', '1'}).first("a"), type);
        }
    }

    @Test
    void refusesAFormOfNoType() {
        assertEquals("a form without Content-Type; allowed: " + FORM,
                refusal(() -> Parameters.ofForm(null, new byte[0])));
    }

    @Test
    void refusesAFormOfAnotherType() {
        for (String type : List.of("", " ", "text/plain", "multipart/form-data; boundary=x",
                "application/json", FORM + "x", "x" + FORM, FORM + "/x", FORM + "," + FORM, FORM + "=",
                FORM + "\u00A0", "*/*", "text/plain; a=" + FORM, "application /x-www-form-urlencoded",
                FORM.replace("form", "f\u00F6rm"), FORM.replace("i", "\u0131"))) {
            assertEquals("the Content-Type is not that of a form; allowed: " + FORM, refusalOfType(type),
                    type);
        }
    }

    @Test
    void refusesAnotherCharset() {
        for (String charset : List.of("iso-8859-1", "utf8", "\"\"", "\"utf-8 \"", "utf-16", "\"utf-8;\"",
                "utf-8; charset=latin1", "latin1; charset=utf-8", "\"a\\\"; charset=utf-8\"")) {
            assertEquals("the charset of the form is not allowed; allowed: utf-8",
                    refusalOfType(FORM + "; charset=" + charset), charset);
        }
    }

    @Test
    void refusesATypeThatIsMalformed() {
        for (String rest : List.of(" x", "; charset", "; charset=", "; =utf-8", "; charset =utf-8",
                "; charset= utf-8", "; a=b c=d", "; charset=\"utf-8", "; charset=\"utf-8\\\"", "; a=b, c=d",
                "; a=\"b\"c", "; charset=utf-8\u00E9", "; charset=\u00E9", ";;=", "; a=b;\u00A0")) {
            String message = refusalOfType(FORM + rest);
            assertTrue(message.matches("the Content-Type of the form is malformed at position \\d+; allowed: "
                    + FORM + "; charset=utf-8"), rest + ": " + message);
        }
        assertEquals("the Content-Type of the form is malformed at position 38; allowed: " + FORM
                + "; charset=utf-8", refusalOfType(FORM + "; a=b x"));
    }

    /** Longer than a server lets through by default; neither the stack nor time is exhausted. */
    @Test
    void takesLongTypes() {
        String quotes = "\\\"".repeat(99);
        for (String piece : List.of(";", " ", "; ", "; a=b", ";a=\"b\"", "; a=\"" + quotes + "\"")) {
            Parameters.ofForm(FORM + piece.repeat(100_000), new byte[0]);
        }
        for (String piece : List.of("a", "\\\"", "\\a", ";")) {
            String longValue = piece.repeat(300_000);
            Parameters.ofForm(FORM + "; a=\"" + longValue + "\"", new byte[0]);
            refusalOfType(FORM + "; a=\"" + longValue);
            refusalOfType(longValue);
        }
        refusalOfType(FORM + " ".repeat(300_000) + "x");
        refusalOfType(FORM + "; a".repeat(300_000));
        refusalOfType(FORM + ";a=" + "a".repeat(300_000) + "=");
    }

    private static void parses(String query, String... namesAndValues) {
        List<Map.Entry<String, String>> expected = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            expected.add(Map.entry(namesAndValues[i], namesAndValues[i + 1]));
        }
        assertEquals(expected, Parameters.ofQuery(query).entries(), query);
        assertEquals(expected, form(query).entries(), query);
    }

    private static void refuses(String query, int position, String reason) {
        assertEquals("at position " + position + " of the query" + reason,
                refusal(() -> Parameters.ofQuery(query)));
        assertEquals("at position " + position + " of the form" + reason, refusal(() -> form(query)));
    }

    private static String utf8(String octet) {
        return " is " + octet + ", which begins no character of UTF-8; allowed: whole characters";
    }

    private static Parameters form(String text) {
        return form(text.getBytes(UTF_8));
    }

    private static Parameters form(byte[] body) {
        return Parameters.ofForm(FORM, body);
    }

    private static String refusalOfType(String type) {
        return refusal(() -> Parameters.ofForm(type, new byte[0]));
    }

    private static String refusal(Runnable parsing) {
        return assertThrows(IllegalArgumentException.class, parsing::run).getMessage();
    }
}
