package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;

/** An archive was read, and cannot be served: opening it once more would tell the same. */
final class BrokenArchiveException extends IOException {

    private static final long serialVersionUID = 1;

    BrokenArchiveException(String message) {
        super(message);
    }

    BrokenArchiveException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
