package org.microhttp;

import java.util.*;

/**
 * A field of a header section, name and value (RFC 9110 §5). Immutable. A header by itself may hold any
 * text; the constructor of {@link Response} checks the ones that it gets.
 *
 * @param name  the field name, not null; names are compared without regard to case
 * @param value the field value, not null; in a request trimmed, each character one byte (ISO-8859-1)
 */
public record Header(String name, String value) {

    /**
     * Makes a header.
     *
     * @param name  the field name
     * @param value the field value
     * @throws NullPointerException if the name or the value is null
     */
    public Header {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
    }

    boolean isNamed(String other) { return name.equalsIgnoreCase(other); }

    /** The value of the first field of that name; null if there is none. */
    static String find(List<Header> headers, String name) {
        for (Header header : headers) {
            if (header.isNamed(name)) return header.value;
        }
        return null;
    }

    /** Says whether one of these headers has that name and that value, both in any case. */
    static boolean has(List<Header> headers, String name, String value) {
        for (Header header : headers) {
            if (header.isNamed(name) && header.value.equalsIgnoreCase(value)) return true;
        }
        return false;
    }
}
