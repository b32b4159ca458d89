package org.microhttp;

import static org.microhttp.protocol.Syntax.*;

import java.time.Duration;

/** Checks what a program passes; throws an {@link IllegalArgumentException} that says what is allowed. */
final class Check {

    private Check() { }

    /** Returns the value if it is in its range. */
    static <T extends Comparable<T>> T within(String what, T value, T min, T max) {
        if (value != null && value.compareTo(min) >= 0 && value.compareTo(max) <= 0) return value;
        throw new IllegalArgumentException(what + " is " + value + "; allowed: " + min + " to " + max);
    }

    /** Returns the time if it is 1 ms to 365 days. */
    static Duration within(String what, Duration value) {
        return within(what, value, Duration.ofMillis(1), Duration.ofDays(365));
    }

    /** Throws unless the value is valid. */
    static void that(boolean valid, String what, Object given, String allowed) {
        if (valid) return;
        // a client may have chosen the value, and a program may log the message
        throw new IllegalArgumentException(
                escaped(what + " is \"" + given + "\"; allowed: " + allowed));
    }

    /** Checks a text; characters above 0xFF are refused, because they have no byte of their own. */
    static void text(String what, String text) {
        that(text.equals(text.strip()) && isAll(TEXT, text), what, text,
                "tab, 0x20 to 0x7E and 0x80 to 0xFF, without white space at its ends");
    }
}
