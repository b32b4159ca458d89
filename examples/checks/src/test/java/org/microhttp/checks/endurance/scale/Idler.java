package org.microhttp.checks.endurance.scale;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.microhttp.simulation.network.Peer;
import org.microhttp.simulation.network.SimulatedSelector;

/** A client that is idle but for a request now and then, and small: there are a million. */
final class Idler extends Peer {

    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final byte[] REQUEST =
            "GET /idle HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Lifespan life;

    /** Where it stands in the order of a {@link BareServer}. */
    int place;

    private boolean asks;

    Idler(Lifespan life) {
        this.life = life;
    }

    /** Sends a request. */
    void ask() {
        asks = true;
        changed();
    }

    @Override
    public int number() {
        return 1;
    }

    @Override
    public InetSocketAddress address() {
        return ADDRESS;
    }

    @Override
    public boolean isReadable() {
        return asks;
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    protected int read(ByteBuffer target) {
        if (!asks) return 0;
        asks = false;
        life.onAsked();
        target.put(REQUEST);
        return REQUEST.length;
    }

    @Override
    protected int write(ByteBuffer source) {
        int count = source.remaining();
        source.position(source.limit());
        life.onAnswered();
        return count;
    }

    @Override
    protected void registered(SimulatedSelector selector) {
        channel().key().attach(this);
        life.onRegistered(selector);
    }

    @Override
    protected void closing(boolean dropUnsent) {
        life.onClosing();
    }

    @Override
    protected void freed() {
        life.onFreed();
    }

    @Override
    protected void refused() {
        throw new IllegalStateException("nobody is refused");
    }
}
