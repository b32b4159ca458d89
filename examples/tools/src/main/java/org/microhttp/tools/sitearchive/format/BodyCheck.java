package org.microhttp.tools.sitearchive.format;

import java.io.IOException;

/** Looks at the file of an archive before the last bytes of a body are sent. */
@FunctionalInterface
public interface BodyCheck {

    /** For bytes that nobody can change. */
    BodyCheck NONE = () -> {
    };

    /** @throws IOException if the file may have been written to since it was checked */
    void requireUnchanged() throws IOException;
}
