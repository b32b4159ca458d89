package org.microhttp;

import java.util.Objects;

/**
 * A field of a header section, name and value (RFC 9110 §5). Immutable. What a {@link Response} is given is
 * checked there; a header by itself may hold anything.
 *
 * @param name  the field name, not null; case does not matter when names are compared
 * @param value the field value, not null, without white space at its ends; characters are the octets received
 *              (ISO-8859-1)
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
}
