package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.*;
import org.microhttp.testing.MemoryChannel;

/** A client in memory whose socket gives and takes as many bytes at a time as a test says. */
final class ScriptedChannel extends MemoryChannel {

    private final Deque<ByteBuffer> toRead = new ArrayDeque<>();
    private final Deque<Integer> toTake = new ArrayDeque<>();
    private final StringBuilder written = new StringBuilder();
    private boolean ended;
    private boolean reset;

    /** What a write takes that no script is left for. */
    int room = Integer.MAX_VALUE;

    /** How many writes were tried; whether the server ended its side, and whether its close is a reset. */
    int writes;
    /** How many bytes the server has read. */
    long read;
    boolean outputEnded;
    boolean closesByReset;

    ScriptedChannel() {
        super(null);
    }

    /** What one read gives, behind what is to be read already. */
    ScriptedChannel send(String text) {
        toRead.add(ByteBuffer.wrap(text.getBytes(ISO_8859_1)));
        return this;
    }

    /** The client ends its side behind what it has sent. */
    ScriptedChannel end() {
        ended = true;
        return this;
    }

    /** The client ends the connection, so that a read fails, and a write. */
    ScriptedChannel reset() {
        reset = true;
        return this;
    }

    /** Whether a read would give something, the end too. */
    boolean isReadable() {
        return reset || ended || !toRead.isEmpty();
    }

    /** Whether some of what the client has sent is not read. */
    boolean isUnread() {
        return !toRead.isEmpty();
    }

    /** How many bytes the next writes take, each one of them. */
    ScriptedChannel take(int... counts) {
        for (int count : counts) {
            toTake.add(count);
        }
        return this;
    }

    /** What the client has received, without the fields that change with the time. */
    String received() {
        return written.toString().replaceAll("Date: [^\r]*\r\n", "");
    }

    /** What the client has received since it was last asked for by this, as it came. */
    String takeReceived() {
        String taken = written.toString();
        written.setLength(0);
        return taken;
    }

    /** How many bytes the client has received. */
    int length() {
        return written.length();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (reset) {
            throw new IOException("Connection reset");
        }
        ByteBuffer next = toRead.peek();
        if (next == null) {
            return ended ? -1 : 0;
        }
        int count = Math.min(target.remaining(), next.remaining());
        byte[] bytes = new byte[count];
        next.get(bytes);
        target.put(bytes);
        read += count;
        if (!next.hasRemaining()) {
            toRead.remove();
        }
        return count;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        writes++;
        if (reset) {
            throw new IOException("Broken pipe");
        }
        int most = toTake.isEmpty() ? room : toTake.remove();
        byte[] bytes = new byte[Math.min(source.remaining(), most)];
        source.get(bytes);
        written.append(new String(bytes, ISO_8859_1));
        return bytes.length;
    }

    @Override
    public SocketChannel shutdownOutput() {
        outputEnded = true;
        return this;
    }

    /** A key that belongs to no selector: the connection only tells it what it waits for. */
    static class Key extends SelectionKey {

        private final ScriptedChannel channel = new ScriptedChannel();
        private int interest = OP_READ;
        private boolean valid = true;

        /** What it was told to watch for, each time. */
        final List<Integer> told = new ArrayList<>();

        @Override
        public ScriptedChannel channel() {
            return channel;
        }

        @Override
        public Selector selector() {
            return null;
        }

        @Override
        public boolean isValid() {
            return valid;
        }

        @Override
        public void cancel() {
            valid = false;
        }

        @Override
        public int interestOps() {
            return interest;
        }

        @Override
        public SelectionKey interestOps(int ops) {
            interest = ops;
            told.add(ops);
            return this;
        }

        @Override
        public int readyOps() {
            return interest;
        }
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) {
        if (option.equals(StandardSocketOptions.SO_LINGER)) {
            closesByReset = true;
        }
        return this;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
    }

    @Override
    public SocketAddress getLocalAddress() {
        return null;
    }

    @Override
    protected void implCloseSelectableChannel() {
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
    }
}
