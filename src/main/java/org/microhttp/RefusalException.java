package org.microhttp;

/**
 * Ends a request that is refused. Has no stack trace, for it is the peer's mistake and thrown on the hot
 * path. Unchecked, for whatever looks at what was received may refuse it, and one place, where a connection
 * takes a step, answers.
 */
final class RefusalException extends RuntimeException {

    private static final long serialVersionUID = 1;

    final Refusal refusal;

    /** The limit that was passed, if the rule has one. */
    final long limit;

    RefusalException(Refusal refusal, long limit) {
        super(refusal.code, null, false, false);
        this.refusal = refusal;
        this.limit = limit;
    }
}
