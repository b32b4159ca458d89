package org.microhttp.simulation.network;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.List;

/** A connected channel without a socket, as far as such are alike: what a server does not ask of one. */
abstract class MemoryChannel extends SocketChannel {

    MemoryChannel(SelectorProvider provider) {
        super(provider);
    }

    @Override
    public final boolean isConnected() {
        return true;
    }

    @Override
    public final boolean isConnectionPending() {
        return false;
    }

    @Override
    public final SocketChannel shutdownInput() {
        throw unused();
    }

    @Override
    public final long read(ByteBuffer[] targets, int from, int count) {
        throw unused();
    }

    /** One write: of all that the buffers have, in a row, as much as the channel takes at once. */
    @Override
    public final long write(ByteBuffer[] sources, int from, int count) throws IOException {
        List<ByteBuffer> buffers = Arrays.asList(sources).subList(from, from + count);
        var all = ByteBuffer.allocate(buffers.stream().mapToInt(ByteBuffer::remaining).sum());
        buffers.forEach(buffer -> all.put(buffer.duplicate()));
        int taken = write(all.flip());
        int left = taken;
        for (ByteBuffer buffer : buffers) {
            int part = Math.min(left, buffer.remaining());
            buffer.position(buffer.position() + part);
            left -= part;
        }
        return taken;
    }

    @Override
    public final SocketChannel bind(SocketAddress local) {
        throw unused();
    }

    @Override
    public final <T> T getOption(SocketOption<T> option) {
        throw unused();
    }

    @Override
    public final Socket socket() {
        throw unused();
    }

    @Override
    public final boolean connect(SocketAddress remote) {
        throw unused();
    }

    @Override
    public final boolean finishConnect() {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException();
    }
}
