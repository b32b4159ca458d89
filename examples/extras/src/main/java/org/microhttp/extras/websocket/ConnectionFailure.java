package org.microhttp.extras.websocket;

/** A reason to fail a connection (RFC 6455 §7.1.7): the client broke a rule, or sent more than is allowed. */
final class ConnectionFailure extends Exception {

    private static final long serialVersionUID = 1;

    /** Sent in the Close frame (§7.4.1). */
    private final int code;

    /** @param reason names the rule; sent in the Close frame, too */
    ConnectionFailure(int code, String reason) {
        super(reason, null, false, false);
        this.code = code;
    }

    /** {@return the status code for the Close frame} */
    int code() {
        return code;
    }
}
