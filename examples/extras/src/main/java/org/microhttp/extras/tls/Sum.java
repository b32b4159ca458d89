package org.microhttp.extras.tls;

/** How many bytes connections keep until clients send or read more, with a limit. For the front's thread. */
final class Sum {

    static final String FULL = "the connections keep too many bytes in sum";

    private final long most;
    private long bytes;

    Sum(long most) {
        this.most = most;
    }

    /** Adds bytes, negative to subtract; false if the sum is too large now. */
    boolean add(long more) {
        bytes += more;
        return !isExceeded();
    }

    boolean isExceeded() {
        return bytes > most;
    }
}
