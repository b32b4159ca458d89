package org.microhttp.protocol;

/**
 * Ends a refused request. It has no stack trace, because it is the client's mistake and is thrown on the hot
 * path. It is unchecked, because any code that looks at received bytes may refuse them.
 */
public final class RefusalException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public final Refusal refusal;

    /** The limit that was exceeded, if the rule has one. */
    public final long limit;

    public RefusalException(Refusal refusal, long limit) {
        super(refusal.code, null, false, false);
        this.refusal = refusal;
        this.limit = limit;
    }
}
