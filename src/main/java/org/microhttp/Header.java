package org.microhttp;

import static org.microhttp.protocol.Syntax.*;

import java.util.*;

/**
 * A header of a message, name and value (RFC 9110 §5). Immutable. Names are compared without regard to case,
 * but {@link #equals} compares name and value exactly.
 */
public final class Header {

    private final String name, value;

    /**
     * Makes a header, and checks name and value.
     *
     * @param name  a token (RFC 9110 §5.6.2), as in {@code "Content-Type"}
     * @param value tab, 0x20 to 0x7E, 0x80 to 0xFF, no white space at its ends; possibly empty; each
     *              character is one byte (ISO-8859-1)
     * @throws IllegalArgumentException if the name or the value breaks these rules
     * @throws NullPointerException     if the name or the value is null
     */
    public Header(String name, String value) {
        this.name = Objects.requireNonNull(name, "name");
        this.value = Objects.requireNonNull(value, "value");
        Check.that(!name.isEmpty() && isAll(TOKEN, name), "header name", name, "a token, as in Content-Type");
        Check.text("value of header " + name, value);
    }

    /** Makes a header from a line that the parser has checked: name ":" OWS value OWS (RFC 9112 §5). */
    Header(byte[] lines, int from, int colon, int end) {
        name = text(lines, from, colon);
        value = text(lines, colon + 1, end).strip();
    }

    /** {@return the name, as given or received} */
    public String name() { return name; }

    /** {@return the value, as given or received, without white space at its ends; never null} */
    public String value() { return value; }

    boolean isNamed(String other) { return name.equalsIgnoreCase(other); }

    /** The value of the first header of that name; null if there is none. */
    static String find(List<Header> headers, String name) {
        for (Header header : headers) {
            if (header.isNamed(name)) return header.value;
        }
        return null;
    }

    /** Says whether one of these headers has that name and that value, both case-insensitive. */
    static boolean has(List<Header> headers, String name, String value) {
        for (Header header : headers) {
            if (header.isNamed(name) && header.value.equalsIgnoreCase(value)) return true;
        }
        return false;
    }

    /** {@return whether the other object is a header with exactly this name and this value} */
    @Override
    public boolean equals(Object other) {
        return other instanceof Header header && name.equals(header.name) && value.equals(header.value);
    }

    @Override
    public int hashCode() { return Objects.hash(name, value); }

    /** {@return name and value, as in {@code "Content-Type: text/plain"}} */
    @Override
    public String toString() { return name + ": " + value; }
}
