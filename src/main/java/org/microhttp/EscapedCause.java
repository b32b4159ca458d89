package org.microhttp;

import java.util.*;
import org.microhttp.protocol.Syntax;

/**
 * Stands in a log for a cause whose text could forge a line: a client may have chosen a part of a message. It
 * prints the same name, message, stack, causes and suppressed exceptions, escaped. A logging framework that
 * prints names of classes itself prints this one before them.
 */
final class EscapedCause extends Exception {

    private static final long serialVersionUID = 1;

    /** A field of its own, because a cycle of causes is copied, too. */
    private EscapedCause cause;

    private EscapedCause(String text) { super(Syntax.escaped(text)); }

    /** Returns the cause itself if nothing of it needs an escape, as is usual. */
    static Throwable of(Throwable cause) {
        if (cause == null) return null;
        try {
            var copies = new IdentityHashMap<Throwable, EscapedCause>();
            EscapedCause copy = copy(cause, copies);
            for (Throwable one : copies.keySet()) {
                if (!isHarmless(one)) return copy;
            }
            return cause;
        } catch (RuntimeException e) {
            // its own methods fail, and would fail where it is printed
            return new EscapedCause(cause.getClass().getName());
        }
    }

    /** Copies a cause with all that it refers to, each once. */
    private static EscapedCause copy(Throwable original, Map<Throwable, EscapedCause> copies) {
        if (original == null || copies.containsKey(original)) return copies.get(original);
        var copy = new EscapedCause("" + original);
        copy.setStackTrace(original.getStackTrace());
        copies.put(original, copy);
        copy.cause = copy(original.getCause(), copies);
        for (Throwable suppressed : original.getSuppressed()) {
            copy.addSuppressed(copy(suppressed, copies));
        }
        return copy;
    }

    private static boolean isHarmless(Throwable one) {
        String text = one + " " + one.getMessage() + " " + one.getLocalizedMessage();
        return text.equals(Syntax.escaped(text));
    }

    @Override
    public Throwable getCause() { return cause; }

    /** {@return the escaped text of the original, which begins with the name of its class} */
    @Override
    public String toString() { return getMessage(); }
}
