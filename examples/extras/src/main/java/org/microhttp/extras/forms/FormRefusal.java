package org.microhttp.extras.forms;

import org.microhttp.extras.routing.RequestException;

/**
 * Why a form is refused. The handler adds in which part, with its name if that has only letters, digits and
 * {@code _ . - [ ]}; nothing else of what the client sent is repeated.
 */
final class FormRefusal {

    private FormRefusal() {
    }

    /** Throws a 400 if something is against a grammar. */
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
