package org.microhttp;

import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Set;

/**
 * A client in memory: gives what it was told to send, takes what is written, and counts it. So that a
 * connection can be measured without the kernel, which costs several times what the library does. Allocates
 * nothing and keeps nothing, unlike the channel of the tests: that would be measured with the library.
 */
final class MemoryChannel extends SocketChannel {

    private final ByteBuffer sink = ByteBuffer.allocateDirect(64 * 1024);
    private ByteBuffer request = ByteBuffer.allocate(0);

    /** How many bytes were written, in how many writes. */
    long written, writes;

    MemoryChannel() { super(null); }

    /** What the next read gives; the buffer's position is moved by it. */
    void send(ByteBuffer bytes) { request = bytes; }

    @Override
    public int read(ByteBuffer target) {
        int count = Math.min(target.remaining(), request.remaining());
        target.put(target.position(), request, request.position(), count);
        target.position(target.position() + count);
        request.position(request.position() + count);
        return count;
    }

    @Override
    public int write(ByteBuffer source) {
        int count = source.remaining();
        sink.clear().put(source);
        written += count;
        writes++;
        return count;
    }

    /** A key that belongs to no selector: the connection only tells it what it waits for. */
    static final class Key extends SelectionKey {

        private final MemoryChannel channel = new MemoryChannel();
        private int interest = OP_READ;

        @Override public MemoryChannel channel() { return channel; }
        @Override public Selector selector() { return null; }
        @Override public boolean isValid() { return true; }
        @Override public void cancel() { }
        @Override public int interestOps() { return interest; }
        @Override public int readyOps() { return interest; }

        @Override
        public SelectionKey interestOps(int ops) {
            interest = ops;
            return this;
        }
    }

    @Override public long read(ByteBuffer[] targets, int from, int count) { throw unused(); }
    @Override public long write(ByteBuffer[] sources, int from, int count) { throw unused(); }
    @Override public SocketChannel bind(SocketAddress local) { throw unused(); }
    @Override public <T> SocketChannel setOption(SocketOption<T> option, T value) { return this; }
    @Override public <T> T getOption(SocketOption<T> option) { throw unused(); }
    @Override public Set<SocketOption<?>> supportedOptions() { return Set.of(); }
    @Override public SocketChannel shutdownInput() { return this; }
    @Override public SocketChannel shutdownOutput() { return this; }
    @Override public Socket socket() { throw unused(); }
    @Override public boolean isConnected() { return true; }
    @Override public boolean isConnectionPending() { return false; }
    @Override public boolean connect(SocketAddress remote) { return true; }
    @Override public boolean finishConnect() { return true; }
    @Override public SocketAddress getRemoteAddress() { return null; }
    @Override public SocketAddress getLocalAddress() { return null; }
    @Override protected void implCloseSelectableChannel() { }
    @Override protected void implConfigureBlocking(boolean block) { }

    private static UnsupportedOperationException unused() { return new UnsupportedOperationException(); }
}
