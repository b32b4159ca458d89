package org.microhttp.testing;

import java.util.Set;

/** Tells causes that were logged apart; without JUnit, which programs do not have. */
public final class LibraryAssertions {

    private static final Set<String> LIBRARY = Set.of("org.microhttp", "org.microhttp.protocol");

    private LibraryAssertions() {
    }

    /** Says whether it is an assertion of the library itself that has failed, not one of a handler. */
    public static boolean isAssertion(Throwable cause) {
        if (!(cause instanceof AssertionError) || cause.getStackTrace().length == 0) return false;
        try {
            Class<?> thrower = Class.forName(cause.getStackTrace()[0].getClassName());
            boolean test = thrower.getProtectionDomain() == LibraryAssertions.class.getProtectionDomain();
            return !test && LIBRARY.contains(thrower.getPackageName());
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
