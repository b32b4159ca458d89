package org.microhttp.testing;

import org.microhttp.EventLoop;

/** Tells causes that were logged apart; without JUnit, which programs do not have. */
public final class Causes {

    private Causes() {
    }

    /** Says whether it is an assertion of the library itself that has failed, not one of a handler. */
    public static boolean isAssertion(Throwable cause) {
        if (!(cause instanceof AssertionError) || cause.getStackTrace().length == 0) return false;
        try {
            Class<?> thrower = Class.forName(cause.getStackTrace()[0].getClassName());
            return thrower.getProtectionDomain() == EventLoop.class.getProtectionDomain();
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
