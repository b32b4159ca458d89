package org.microhttp.extras.forms;

/** A form is not taken; the message is for the client, and repeats nothing of what it sent. */
public final class FormException extends Exception {

    private static final long serialVersionUID = 1;

    /** What the client gets: 400, 413 or 415. */
    public final int status;

    /**
     * Makes one, for {@link MultipartParser.Parts} of a program's own.
     *
     * @param status  as above
     * @param message for the client
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
    static void limit(boolean kept, String what, long limit) throws FormException {
        if (!kept) {
            throw new FormException(413, what + " may have " + limit + " bytes");
        }
    }
}
