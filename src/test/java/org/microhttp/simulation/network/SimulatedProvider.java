package org.microhttp.simulation.network;

import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.*;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/**
 * Has every channel and selector of this JVM be of the machine that the opening thread lives on. Named by the
 * system property {@code java.nio.channels.spi.SelectorProvider}, which is read once.
 */
public final class SimulatedProvider extends SelectorProvider {

    /** The one of this JVM, if it is of this class; another for a test that makes its channels itself. */
    static final SelectorProvider INSTANCE = new SimulatedProvider();

    @Override
    public AbstractSelector openSelector() {
        return new SimulatedSelector(Machine.current());
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() {
        return new SimulatedListener(Machine.current(), false);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) {
        return new SimulatedListener(Machine.current(), family == StandardProtocolFamily.UNIX);
    }

    /** The socket that was there before the server; null for none. */
    @Override
    public Channel inheritedChannel() {
        return Machine.current().inherited();
    }

    /** Only for who opens one to close it: clients are {@link Peer}s. */
    @Override
    public SocketChannel openSocketChannel() {
        return new SimulatedChannel(Machine.current(), null);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) {
        return openSocketChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Pipe openPipe() {
        return new SimulatedPipe(this);
    }
}
