package org.microhttp.extras.tls;

/** How many bytes connections keep for clients that have to send or to read first. For the front's thread. */
final class Sum {

    static final String FULL = "the connections keep too many bytes in sum";

    private final long most;
    private long bytes;

    Sum(long most) {
        this.most = most;
    }

    /** Counts more, or less; false if it is too many now. */
    boolean add(long more) {
        bytes += more;
        return !isExceeded();
    }

    boolean isExceeded() {
        return bytes > most;
    }
}
