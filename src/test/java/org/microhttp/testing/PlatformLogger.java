package org.microhttp.testing;

import java.util.ResourceBundle;

/** The platform's logger as a test replaces it: every level is on, and a text without a cause has null. */
public abstract class PlatformLogger implements System.Logger {

    @Override
    public final String getName() {
        return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
        return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
        log(level, bundle, format, (Throwable) null);
    }
}
