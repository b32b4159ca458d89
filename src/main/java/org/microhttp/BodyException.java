package org.microhttp;

import java.io.IOException;

/** The body of a response could not be read, and this was logged: its file was cut or closed, say. */
final class BodyException extends IOException {

    private static final long serialVersionUID = 1;
}
