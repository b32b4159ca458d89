package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.microhttp.simulation.network.Peer;

/** A client in memory: a test says what it sends, and how many bytes its socket takes at a time. */
final class ScriptedPeer extends Peer {

    private static final SocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);

    private final Deque<ByteBuffer> toRead = new ArrayDeque<>();
    private final Deque<Integer> toTake = new ArrayDeque<>();
    private final StringBuilder written = new StringBuilder();
    private boolean ended;
    private boolean reset;

    /** How many bytes a write takes for which {@link #take} says nothing. */
    int room = Integer.MAX_VALUE;

    /** How many writes were tried, and how many bytes the server has read. */
    int writes;
    long read;

    /** Whether the server has ended its side, and whether its close is a reset. */
    boolean outputEnded, closesByReset;

    /** Sends what one read returns, after what is not read yet. */
    ScriptedPeer send(String text) {
        toRead.add(ByteBuffer.wrap(text.getBytes(ISO_8859_1)));
        return this;
    }

    /** Ends the client's side after what it has sent. */
    ScriptedPeer end() {
        ended = true;
        return this;
    }

    /** Resets the connection: the next read fails, and the next write. */
    ScriptedPeer reset() {
        reset = true;
        return this;
    }

    /** Has each of the next writes take so many bytes. */
    ScriptedPeer take(int... counts) {
        for (int count : counts) {
            toTake.add(count);
        }
        return this;
    }

    /** Whether some of what the client has sent is not read. */
    boolean isUnread() {
        return !toRead.isEmpty();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Returns what the client has received, without its dates. */
    String received() {
        return written.toString().replaceAll("Date: [^\r]*\r\n", "");
    }

    /** Returns what the client has received since the last call, with its dates. */
    String takeReceived() {
        String taken = written.toString();
        written.setLength(0);
        return taken;
    }

    /** Returns how many bytes the client has received. */
    int length() {
        return written.length();
    }

    @Override
    public int number() {
        return 0;
    }

    @Override
    public SocketAddress address() {
        return ADDRESS;
    }

    @Override
    public boolean isReadable() {
        return reset || ended || isUnread();
    }

    @Override
    public boolean isWritable() {
        return reset || room > 0;
    }

    @Override
    protected int read(ByteBuffer target) throws IOException {
        if (reset) throw new IOException("Connection reset");
        ByteBuffer next = toRead.peek();
        if (next == null) return ended ? -1 : 0;
        byte[] bytes = new byte[Math.min(target.remaining(), next.remaining())];
        next.get(bytes);
        target.put(bytes);
        read += bytes.length;
        if (!next.hasRemaining()) toRead.remove();
        return bytes.length;
    }

    @Override
    protected int write(ByteBuffer source) throws IOException {
        writes++;
        if (reset) throw new IOException("Broken pipe");
        int most = toTake.isEmpty() ? room : toTake.remove();
        byte[] bytes = new byte[Math.min(source.remaining(), most)];
        source.get(bytes);
        written.append(new String(bytes, ISO_8859_1));
        return bytes.length;
    }

    @Override
    protected void outputEnded() {
        outputEnded = true;
    }

    @Override
    protected void closing(boolean dropUnsent) {
        closesByReset = dropUnsent;
    }
}
