package org.microhttp.extras.routing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.LocalDate;
import java.util.*;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.wire.model.RandomCases;

/** Parameters have the types that are asked for, or an error that says what is allowed. */
final class ParametersTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    private enum Order { TITLE, BY_DATE }

    private static final Map<String, Integer> UNITS = Map.of("m", 1, "km", 1000);

    /** Reads a parameter a; with a question mark, it may be missing. */
    private static final Map<String, Function<Parameters, Object>> READERS = Map.ofEntries(
            Map.entry("text", p -> p.text("a", 5)),
            Map.entry("text?", p -> p.text("a", "none", 5)),
            Map.entry("int", p -> p.number("a", -7, 100)),
            Map.entry("int?", p -> p.number("a", 1000, -7, 100)),
            Map.entry("long", p -> p.number("a", Long.MIN_VALUE, Long.MAX_VALUE)),
            Map.entry("long?", p -> p.number("a", 1000L, 0L, 100L)),
            Map.entry("decimal", p -> p.decimal("a", -90, 90)),
            Map.entry("decimal?", p -> p.decimal("a", BigDecimal.ONE, -90, 90)),
            Map.entry("flag", p -> p.flag("a")),
            Map.entry("flag?", p -> p.flag("a", true)),
            Map.entry("choice", p -> p.choice("a", Order.class)),
            Map.entry("choice?", p -> p.choice("a", Order.TITLE)),
            Map.entry("date", p -> p.value("a", LocalDate::parse, "a date such as 2026-01-31")),
            Map.entry("date?", p -> p.value("a", LocalDate.EPOCH, LocalDate::parse, "a date")),
            Map.entry("unit", p -> p.value("a", UNITS::get, "m, km")));

    private static Parameters query(String query) {
        return Parameters.query(new Request("GET", "/?" + query, "HTTP/1.1", List.of(), new byte[0]));
    }

    private static Parameters form(String body, String... types) {
        List<Header> fields = Arrays.stream(types).map(type -> new Header("Content-Type", type)).toList();
        return Parameters.form(new Request("POST", "/?a=2", "HTTP/1.1", fields, body.getBytes(UTF_8)));
    }

    private static String read(String reader, Parameters parameters) {
        try {
            return "" + READERS.get(reader).apply(parameters);
        } catch (RequestException e) {
            return e.status() + " " + e.getMessage();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = true, quoteCharacter = '`', value = {
        "text | a=x+%C3%A9 | x \u00e9", "text | a=12345 | 12345", "text? | b=1 | none", "text? | a= | none",
        "text | a=123456 | 400 a is \"123456\"; allowed: a text of up to 5 characters",
        "text? | a=123456 | 400 a is \"123456\"; allowed: a text of up to 5 characters",
        "text | a | 400 a is missing; allowed: a text of up to 5 characters",
        "text | A=1 | 400 a is missing; allowed: a text of up to 5 characters",
        "text | a=1&b=2&a=1 | 400 a is given 2 times; allowed: once",
        "text? | a=&a= | 400 a is given 2 times; allowed: once",
        "int | a=100 | 100", "int | a=-7 | -7", "int | a=-0 | 0", "int | a=007 | 7", "int? | a= | 1000",
        "int | a=101 | 400 a is \"101\"; allowed: a whole number from -7 to 100",
        "int? | a=-8 | 400 a is \"-8\"; allowed: a whole number from -7 to 100",
        "int | a=4294967297 | 400 a is \"4294967297\"; allowed: a whole number from -7 to 100",
        "int | a=1.0 | 400 a is \"1.0\"; allowed: a whole number from -7 to 100",
        "int | a=%2B1 | 400 a is \"+1\"; allowed: a whole number from -7 to 100",
        "int | a=+1 | 400 a is \" 1\"; allowed: a whole number from -7 to 100",
        "int | a=%D9%A1 | 400 a is \"\\u0661\"; allowed: a whole number from -7 to 100",
        "long | a=9223372036854775807 | 9223372036854775807",
        "long | a=-9223372036854775808 | -9223372036854775808", "long? | a= | 1000",
        "long | a=9223372036854775808 | 400 a is \"9223372036854775808\"; allowed: a whole number from"
            + " -9223372036854775808 to 9223372036854775807",
        "decimal | a=-12.50 | -12.50", "decimal | a=90 | 90", "decimal? | b | 1",
        "decimal | a=90.000000000000000001 | 400 a is \"90.000000000000000001\"; allowed: a decimal number"
            + " from -90 to 90",
        "decimal | a=1e1 | 400 a is \"1e1\"; allowed: a decimal number from -90 to 90",
        "decimal | a=.5 | 400 a is \".5\"; allowed: a decimal number from -90 to 90",
        "decimal? | a=NaN | 400 a is \"NaN\"; allowed: a decimal number from -90 to 90",
        "flag | a=true | true", "flag | a=on | true", "flag | a=1 | true", "flag | a=false | false",
        "flag | a=off | false", "flag | a=0 | false", "flag? | a=0 | false", "flag? | | true",
        "flag? | a=True | 400 a is \"True\"; allowed: true, on, 1, false, off, 0",
        "flag | | 400 a is missing; allowed: true, on, 1, false, off, 0",
        "choice | a=by_date | BY_DATE", "choice? | a= | TITLE", "choice? | a=by_date | BY_DATE",
        "choice | a=BY_DATE | 400 a is \"BY_DATE\"; allowed: title, by_date",
        "choice? | a=x | 400 a is \"x\"; allowed: title, by_date",
        "date | a=2026-02-28 | 2026-02-28", "date? | a | 1970-01-01",
        "date | a=2026-02-29 | 400 a is \"2026-02-29\"; allowed: a date such as 2026-01-31",
        "date | a= | 400 a is missing; allowed: a date such as 2026-01-31",
        "unit | a=km | 1000", "unit | a=mi | 400 a is \"mi\"; allowed: m, km"})
    void parameterHasItsTypeOrAnErrorThatNamesTheAllowedValues(String reader, String query, String expected) {
        assertEquals(expected, read(reader, query(query == null ? "" : query)));
        assertEquals(expected, read(reader, form(query == null ? "" : query, FORM)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "`` | [] []", "a=1 | ['1'] []", "a=1&b=2&a=3 | ['1', '3'] ['2']", "&&a=1& | ['1'] []", "a | [''] []",
        "a= | [''] []", "a=b=c | ['b=c'] []", "%61=%26+%2B | ['& +'] []", "a=%C3%A9 | ['\u00e9'] []",
        "a=%00%7F | ['\0\u007f'] []", "a=%2541 | ['%41'] []"})
    void parametersAreSplitThenDecoded(String query, String expected) {
        var parameters = query(query);
        assertEquals(expected, quoted(parameters.all("a")) + " " + quoted(parameters.all("b")));
        assertEquals(query.startsWith("a=1&b"), parameters.names().equals(Set.of("a", "b")));
        assertThrows(UnsupportedOperationException.class, () -> parameters.names().clear());
    }

    private static List<String> quoted(List<String> values) {
        return values.stream().map(value -> "'" + value + "'").toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "a=% | the value of \"a\" in the query: at position 0 of the text is a % without two hexadecimal"
            + " digits behind it; allowed: %25 for a % itself",
        "a&%3Cb%0A=%FF | the value of \"\\u003Cb\\u000A\" in the query: at position 0 of the text is %FF,"
            + " which begins no character of UTF-8; allowed: whole characters",
        "%FF=1 | a name in the query: at position 0 of the text is %FF, which begins no character of UTF-8;"
            + " allowed: whole characters",
        "a=\u00e9 | the value of \"a\" in the query: at position 0 of the text is a character that is not"
            + " ASCII; allowed: its UTF-8, percent-encoded"})
    void parametersThatAreNotEncodedAreRefused(String query, String expected) {
        var wrong = assertThrows(RequestException.class, () -> query(query));
        assertEquals(expected, wrong.getMessage());
        var inForm = assertThrows(RequestException.class, () -> form(query, FORM));
        assertEquals(expected.replace("the query", "the form"), inForm.getMessage());
    }

    /** Whoever chooses a value cannot forge a line, a page or a terminal's command, nor make it long. */
    @Test
    void errorEscapesAndShortensTheValue() {
        String hostile = "\r\nx\u001b[2J<b>\"'&\\\u202e\ud83d\ude00\u0085";
        String query = "a=" + URLEncoder.encode(hostile + "y".repeat(1000), UTF_8);
        assertEquals("400 a is \"\\u000D\\u000Ax\\u001B[2J\\u003Cb\\u003E\\u0022\\u0027\\u0026\\u005C"
                + "\\u202E\\uD83D\\uDE00\\u0085" + "y".repeat(22) + "...\"; allowed: m, km",
                read("unit", query(query)));
        // a name may be the client's, if it is from names()
        String name = "<" + "x".repeat(100);
        var missing = assertThrows(RequestException.class, () -> query("").text(name, 9));
        assertEquals("\\u003C" + "x".repeat(39) + "... is missing; allowed: a text of up to 9 characters",
                missing.getMessage());
    }

    @Test
    void aFunctionOfTheProgramGetsNoLongText() {
        Function<String, Integer> length = String::length;
        assertEquals(200, query("a=" + "x".repeat(200)).value("a", length, "short"));
        assertThrows(RequestException.class,
                () -> query("a=" + "x".repeat(201)).value("a", length, "short"));
        Function<String, Integer> broken = text -> Math.floorDiv(1, text.length() - 1);
        assertThrows(ArithmeticException.class, () -> query("a=1").value("a", broken, "none"));
    }

    @Test
    void thereMayBeAThousandParameters() {
        assertEquals(1000, query("a&".repeat(999) + "a").all("a").size());
        for (String query : List.of("a&".repeat(1000), "&".repeat(500_000))) {
            var wrong = assertThrows(RequestException.class, () -> form(query, FORM));
            assertEquals("the form has too many parameters; allowed: 1000", wrong.getMessage());
        }
    }

    /** The text for an error takes much longer than the decoding, on the loop's thread. */
    @Test
    void namesThatWouldBeEscapedInAnErrorTakeNoMoreThanOthers() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] bytes = new long[2];
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 2; i++) {
                String query = ("a'".substring(i, i + 1).repeat(50) + "=%41&").repeat(999);
                long before = threads.getCurrentThreadAllocatedBytes();
                query(query);
                bytes[i] = threads.getCurrentThreadAllocatedBytes() - before;
            }
        }
        assertTrue(bytes[1] < bytes[0] * 3 / 2, Arrays.toString(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {FORM, "Application/X-WWW-Form-URLEncoded", FORM + "; charset=UTF-8", FORM + " ;"})
    void aFormHasItsType(String type) {
        assertEquals(List.of("1"), form("a=1", type).all("a"));
        assertEquals(Set.of(), form("", type).names());
    }

    @Test
    void bodiesOfOtherTypesAreRefused() {
        Map<String, List<String>> refused = new LinkedHashMap<>();
        refused.put("missing", List.of());
        refused.put("\"text/plain\"", List.of("text/plain"));
        refused.put("\"multipart/form-data; boundary=b\"", List.of("multipart/form-data; boundary=b"));
        refused.put("\"text/plain, " + FORM.substring(0, 28) + "...\"", List.of("text/plain", FORM));
        refused.put("\"" + FORM + ", appli...\"", List.of(FORM, FORM));
        refused.put("\"\"", List.of(""));
        refused.forEach((given, types) -> {
            var wrong = assertThrows(RequestException.class,
                    () -> form("a=1", types.toArray(String[]::new)));
            assertEquals(415, wrong.status());
            assertEquals("the type of the body is " + given + "; allowed: " + FORM, wrong.getMessage());
        });
    }

    /** Random queries are read as the JDK's decoder reads them, or refused where it would repair them. */
    @Test
    void randomQueriesAreReadExactlyOrRefused() throws Exception {
        List<String> pieces = List.of("a", "b", "=", "&", "+", "1", "%41", "%C3%A9", "%26", "%c3", "%A9",
                "%F0%9F%98%80", "%ED%A0%80", "%00", "%2B", "%3D", "%25", "%", "%zz", "-", "\u00e9", "%FF");
        int[] read = new int[2];
        RandomCases.forEach(20_000, random -> {
            var query = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                query.append(pieces.get(random.nextInt(random.nextInt(4) == 0 ? pieces.size() : 9)));
            }
            String text = "" + query;
            Map<String, List<String>> expected = reference(text);
            read[expected == null ? 0 : 1]++;
            if (expected == null) {
                assertThrows(RequestException.class, () -> query(text), text);
                return;
            }
            Parameters parameters = query(text);
            assertEquals(expected.keySet(), parameters.names(), text);
            expected.forEach((name, values) -> assertEquals(values, parameters.all(name), text));
            READERS.keySet().forEach(reader -> assertTrue(read(reader, parameters).length() < 400));
        });
        assertTrue(read[0] > 1000 && read[1] > 1000, Arrays.toString(read));
    }

    /** Null if it is to be refused: then what is decoded differs from what was encoded. */
    private static Map<String, List<String>> reference(String query) {
        Map<String, List<String>> values = new HashMap<>();
        for (String parameter : query.split("&")) {
            int end = parameter.indexOf('=');
            String name = decoded(end < 0 ? parameter : parameter.substring(0, end));
            String value = decoded(end < 0 ? "" : parameter.substring(end + 1));
            if (name == null || value == null) {
                return null;
            }
            if (!parameter.isEmpty()) {
                values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
            }
        }
        return values;
    }

    private static String decoded(String text) {
        if (!text.matches("([!-$&-~]|%[0-9A-Fa-f]{2})*")) {
            return null;
        }
        String content = URLDecoder.decode(text, ISO_8859_1);
        String decoded = new String(content.getBytes(ISO_8859_1), UTF_8);
        return new String(decoded.getBytes(UTF_8), ISO_8859_1).equals(content) ? decoded : null;
    }
}
