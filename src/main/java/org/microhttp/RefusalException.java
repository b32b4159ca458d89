package org.microhttp;

/**
 * Ends a request that is refused. Has no stack trace, for it is the peer's mistake and thrown on the hot
 * path.
 */
final class RefusalException extends Exception {

    private static final long serialVersionUID = 1;

    final Refusal refusal;

    /** The limit that was passed, if the rule has one. */
    private final long limit;

    RefusalException(Refusal refusal, long limit) {
        super(refusal.code, null, false, false);
        this.refusal = refusal;
        this.limit = limit;
    }

    String rule() { return refusal.rule(limit); }

    Response response() { return refusal.response(limit); }
}
