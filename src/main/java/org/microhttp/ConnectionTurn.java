package org.microhttp;

/** What the present turn of a connection may still take, so that no client can monopolise the loop. */
final class ConnectionTurn {

    /** How many bytes may be queued before a write. */
    static final int BATCH = 64 * 1024;

    /** A queued file counts as this many bytes at least, so that at most eight are queued. */
    static final int FILE = BATCH / 8;

    /** A full read buffer holds some 1,700 small requests; after a batch of these, others get their turn. */
    private static final int MAX_REQUESTS = 128;

    /** How many requests may still be taken. */
    int requestsLeft;

    /** When this is 0 or less, no request is taken until all is sent; the last response may exceed it. */
    long bytesLeft;

    /** Whether the present flush has sent a part of a body that may be on a disk. */
    boolean slow;

    void begin() {
        requestsLeft = MAX_REQUESTS;
        bytesLeft = BATCH;
    }
}
