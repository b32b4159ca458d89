package org.microhttp.versions;

import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** Selectors and channels in memory, for threads that are versions. A system property names this class. */
public final class MemoryProvider extends SelectorProvider {

    private static Version version() { return (Version) Thread.currentThread(); }

    @Override public AbstractSelector openSelector() { return new MemorySelector(this, version()); }
    @Override public ServerSocketChannel openServerSocketChannel() { return version().port; }
    @Override public SocketChannel openSocketChannel() { return new MemoryChannel(); }
    @Override public Pipe openPipe() { throw new UnsupportedOperationException(); }
    @Override public DatagramChannel openDatagramChannel() { throw new UnsupportedOperationException(); }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) { return openDatagramChannel(); }
}
