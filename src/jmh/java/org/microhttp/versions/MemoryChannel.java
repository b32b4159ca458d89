package org.microhttp.versions;

import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * A client in memory: gives what it was told to send, takes what is written, and counts it. So that a
 * connection can be measured without the kernel, which costs several times what the library does. Allocates
 * nothing and keeps nothing, unlike the channel of the tests: that would be measured with the library.
 */
public final class MemoryChannel extends SocketChannel implements MemorySelector.Readiness {

    private final ByteBuffer sink;
    private ByteBuffer request = ByteBuffer.allocate(0);

    /** How many bytes of it were read. */
    private int read;
    private long written, writes;

    public MemoryChannel() { this(sink()); }

    /** Of many that write one after the other, and so may write to the same place. */
    MemoryChannel(ByteBuffer sink) {
        super(null);
        this.sink = sink;
    }

    static ByteBuffer sink() { return ByteBuffer.allocateDirect(256 * 1024); }

    /** {@return how many bytes were written} */
    public long written() { return written; }

    /** {@return in how many writes} */
    public long writes() { return writes; }

    /** {@return the last of them} */
    String lastWritten() { return StandardCharsets.ISO_8859_1.decode(sink.duplicate().flip()).toString(); }

    /** What the next reads give: all up to the limit. The buffer is not changed, so many may send it. */
    public void send(ByteBuffer bytes) {
        request = bytes;
        read = 0;
    }

    @Override
    public int ready() {
        return request.limit() > read ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_WRITE;
    }

    @Override
    public int read(ByteBuffer target) {
        int count = Math.min(target.remaining(), request.limit() - read);
        target.put(target.position(), request, read, count);
        target.position(target.position() + count);
        read += count;
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
    public static final class Key extends SelectionKey {

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
