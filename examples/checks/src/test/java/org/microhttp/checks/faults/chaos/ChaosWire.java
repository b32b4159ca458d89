package org.microhttp.checks.faults.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.testing.RawClient;

/** A client's connection that is read at whatever pace, and how long the client let it wait. */
final class ChaosWire extends InputStream {

    private static final int ANY = 1 << 16;

    final RawClient client;

    /** Read at most so many bytes at once, and wait so long before each time. */
    private final int piece;
    private final long pauseNanos;
    private InputStream received;
    private long active;
    private long slowest;

    /** One that is read as fast as it can be. */
    ChaosWire(int port, int receiveBuffer) throws IOException {
        this(port, receiveBuffer, ANY, 0);
    }

    ChaosWire(int port, int receiveBuffer, int piece, long pauseNanos) throws IOException {
        this.piece = piece;
        this.pauseNanos = pauseNanos;
        client = new RawClient(port, receiveBuffer, this::pace);
        active = System.nanoTime();
    }

    private InputStream pace(InputStream all) {
        received = all;
        return this;
    }

    /** How long this client at most took from one step to the next, when it was its turn. */
    long slowest() {
        return slowest;
    }

    private void turn() {
        slowest = Math.max(slowest, System.nanoTime() - active);
    }

    void send(byte[] bytes) throws IOException {
        client.send(bytes);
        turn();
        active = System.nanoTime();
    }

    @Override
    public int read() throws IOException {
        var octet = new byte[1];
        return read(octet, 0, 1) < 0 ? -1 : octet[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        LockSupport.parkNanos(pauseNanos);
        turn();
        int count = received.read(bytes, offset, Math.min(length, piece));
        active = System.nanoTime();
        return count;
    }

    @Override
    public void close() throws IOException {
        received.close();
    }
}
