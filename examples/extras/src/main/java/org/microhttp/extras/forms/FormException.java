package org.microhttp.extras.forms;

/**
 * A form is not taken; the message is for the client. The handler adds in which part, with its name if that
 * has only letters, digits and {@code _ . - [ ]}; nothing else of what the client sent is repeated.
 */
public final class FormException extends Exception {

    private static final long serialVersionUID = 1;

    /** What the client gets: 400, 413 or 415. */
    public final int status;

    /**
     * Makes one, for a {@link FileReceiver}, or {@link MultipartParser.Parts} of a program's own.
     *
     * @param status  as above
     * @param message for the client, without a line end
     */
    public FormException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Throws a 400 if something is against a grammar. */
    static void check(boolean valid, String message) throws FormException {
        if (!valid) {
            throw new FormException(400, message);
        }
    }

    /** Throws a 413 if something is above a limit. */
    static void limit(boolean kept, String what, long limit, String unit) throws FormException {
        if (!kept) {
            throw new FormException(413, what + " may have " + limit + " " + unit);
        }
    }
}
