package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A header is refused where it is made, and the message says what is wrong with it. */
class HeaderTest {

    @ParameterizedTest
    @CsvSource({"'', v, 'header name is \"\"'", "'A B', v, 'header name is \"A B\"'",
        "'A\u00e9', v, 'header name is \"A\\u00e9\"'", "A, ' v', 'value of header A is \" v\"'",
        "A, '\u010dv', 'value of header A is \"\\u010dv\"'",
        "A, 'v\nB: c', 'value of header A is \"v\\u000aB: c\"'"})
    void invalidNamesAndValuesAreRefusedWithAReason(String name, String value, String message) {
        var thrown = assertThrows(IllegalArgumentException.class, () -> new Header(name, value));
        assertTrue(thrown.getMessage().startsWith(message + "; allowed: "), thrown.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Response.text(200, "").withHeader(name, value));
    }

    @Test
    void isEqualToOneWithTheSameNameAndValue() {
        var header = new Header("Name", "value");
        assertEquals(Set.of(header), Set.of(new Header("Name", "value")));
        assertNotEquals(header, new Header("name", "value"));
        assertNotEquals(header, new Header("Name", "other"));
        assertEquals("Name: value", header.toString());
    }
}
