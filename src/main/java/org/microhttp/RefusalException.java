package org.microhttp;

/**
 * Ends a refused request. It has no stack trace, because it is the client's mistake and is thrown on the hot
 * path. It is unchecked, because any code that looks at received bytes may refuse them; the steps of a
 * connection are taken in {@code Connection.attempt}, and one method responds, {@code refuse}.
 */
final class RefusalException extends RuntimeException {

    private static final long serialVersionUID = 1;

    final Refusal refusal;

    /** The limit that was exceeded, if the rule has one. */
    final long limit;

    RefusalException(Refusal refusal, long limit) {
        super(refusal.code, null, false, false);
        this.refusal = refusal;
        this.limit = limit;
    }
}
