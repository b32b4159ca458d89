package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables of Content-Length and Transfer-Encoding: where the body ends, or why nobody can say. */
class HeaderSectionFramingTest {

    /** What one field, or two with "&" between them, come to: the code of a refusal, or length and coding. */
    private static String framing(String lengths, String codings, boolean http10) {
        var section = new HeaderSection();
        try {
            byte[] host = "Host: x".getBytes(ISO_8859_1);
            section.add(host, 0, 4, host.length);
            for (String length : values(lengths)) {
                byte[] bytes = ("x" + length + "x").getBytes(ISO_8859_1);
                section.contentLength(bytes, 1, bytes.length - 1);
            }
            for (String coding : values(codings)) {
                byte[] bytes = ("x" + coding + ",x").getBytes(ISO_8859_1);
                section.transferEncoding(new FieldList(bytes, 1, bytes.length - 2));
            }
            section.complete("POST", http10);
        } catch (RefusalException e) {
            return e.refusal.code;
        }
        String end = section.chunked ? "chunked" : "" + section.declaredLength;
        return section.hasBody() ? end + " body" : end;
    }

    private static String[] values(String fields) {
        return fields == null ? new String[0] : fields.split("&", -1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
        "0|0", "00|0", "1|1 body", "0042|42 body",
        "999999999999999999|999999999999999999 body",
        "000000000000000001|1 body",
        "1000000000000000000|bad_content_length",
        "''|bad_content_length", " 1|bad_content_length", "1 |bad_content_length", "+1|bad_content_length",
        "-1|bad_content_length", "0x1|bad_content_length", "1.0|bad_content_length",
        "1,1|bad_content_length", "a|bad_content_length", "1a|bad_content_length",
        "\u00b2|bad_content_length",
        "5&5|repeated_content_length", "0&0|repeated_content_length", "1&a|repeated_content_length",
    })
    void aLengthIsOneToEighteenDigitsAndThereOnce(String lengths, String expected) {
        assertEquals(expected, framing(lengths, null, false));
        assertEquals(expected, framing(lengths, null, true));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
        "chunked|chunked body", "CHUNKED|chunked body", "Chunked\t|chunked body",
        "gzip, chunked|unknown_coding", "gzip;level=1, chunked|unknown_coding",
        "gzip;a=\",\" , chunked|unknown_coding", "gzip&chunked|unknown_coding",
        "chunke, chunked|unknown_coding",
        "gzip|chunked_not_last", "identity|chunked_not_last", "xchunked|chunked_not_last",
        "chunked, gzip|chunked_not_last", "chunked, chunked|chunked_not_last",
        "chunked&gzip|chunked_not_last", "chunked&chunked|chunked_not_last",
        "chunked;a=b|chunked_parameter", "chunked ; a=b|chunked_parameter",
        "''|bad_coding", ",|bad_coding", "chunked,|bad_coding", ",chunked|bad_coding",
        "gzip,,chunked|bad_coding", "chunked gzip|bad_coding", "chunked;a=b c|bad_coding",
        "gzip\"a\"|bad_coding", "\"chunked\"|bad_coding",
        "chunked;a|bad_coding", "gzip;a|bad_coding", "gzip;=b, chunked|bad_coding", "chunked;|bad_coding",
        "ch\u00fcnked|bad_coding", "\u000bchunked|bad_coding", "chunked\u0000|bad_coding",
        "chunked&|bad_coding", "&chunked|bad_coding",
    })
    void aCodingIsChunkedAlone(String codings, String expected) {
        assertEquals(expected, framing(null, codings, false));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "      |         |false|-1",
        "      |         |true |-1",
        "5     |chunked  |false|length_and_coding",
        "0     |chunked  |false|length_and_coding",
        "0     |gzip     |false|length_and_coding",
        "5     |chunked  |true |length_and_coding",
        "      |chunked  |true |coding_in_http_1_0",
        "      |gzip     |true |coding_in_http_1_0",
        "5     |         |true |5 body",
    })
    void theyAreJudgedTogether(String length, String coding, boolean http10, String expected) {
        assertEquals(expected, framing(length, coding, http10));
    }
}
