package org.microhttp.testing;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails every test in which an assertion of the library has failed. A server lives on, because it takes that
 * for a failure of one connection, and logs it; the loggers of tests report it here.
 */
public final class BrokenAssertions implements AfterEachCallback {

    private static final AtomicReference<Throwable> FIRST = new AtomicReference<>();

    /** Has the test fail if the cause of an event is one. */
    static void check(Throwable cause) {
        if (LibraryAssertions.isAssertion(cause)) FIRST.compareAndSet(null, cause);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Throwable broken = FIRST.getAndSet(null);
        if (broken != null) throw new AssertionError("an assertion of the library has failed", broken);
    }
}
