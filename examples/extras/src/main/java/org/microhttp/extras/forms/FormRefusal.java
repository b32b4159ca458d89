package org.microhttp.extras.forms;

import org.microhttp.extras.routing.RequestException;

/**
 * Refuses a form. The handler adds the number of the part, and its name if the name has only letters, digits
 * and {@code _ . - [ ]}. Nothing else that the client sent is repeated.
 */
final class FormRefusal {

    private FormRefusal() {
    }

    /** Throws a 400 if something is malformed. */
    static void check(boolean valid, String message) {
        if (!valid) {
            throw new RequestException(message);
        }
    }

    /** Throws a 413 if something is above a limit. */
    static void limit(boolean kept, String what, long limit, String unit) {
        if (!kept) {
            throw new RequestException(413, what + " may have " + limit + " " + unit);
        }
    }
}
