package org.microhttp.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * The floor of the comparison: what a selector, a read and a write cost in a JVM. It is no server: of HTTP it
 * knows the empty line that ends a request, and for each writes an answer that was made before. With {@code
 * close} it closes after an answer; with {@code post SIZE} every SIZE bytes are a request, answered with a
 * body of 4 KiB; with {@code body SIZE} each answer has a body of that size. With {@code async} the answer
 * comes from another thread, by a queue, and the selector is woken only when it sleeps: whoever hands work
 * over pays that. Whatever HTTP costs a server on one selector comes on top. Runs until it is killed.
 */
public final class Floor {

    private static final String USAGE = "usage: Floor PORT [close | async | post SIZE | body SIZE]";

    /** So many answers are written at once at most; of large ones one. */
    private static final int ANSWERS = 64;
    private static final int LARGE = 64 * 1024;

    private static final byte[] END = {'\r', '\n', '\r', '\n'};
    private static final long ONES = 0x0101010101010101L, HIGHS = ONES << 7, RETURNS = ONES * '\r';

    /** A connection: how much of an end or of a fixed size came before, and how many bytes are unwritten. */
    private static final class Peer {
        int matched, received, owed;
        int interest = SelectionKey.OP_READ;
    }

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer out;
    private final int length, size;
    private final boolean close;

    /** Answers from another thread, if it is one that does so. */
    private final Executor executor;
    private final Queue<SelectionKey> answered = new ConcurrentLinkedQueue<>();

    /** Whether it sleeps, or is about to. */
    private volatile boolean asleep;

    /** @param size of a request, where that is fixed; else 0 */
    private Floor(String mode, int size, String body) throws IOException {
        close = mode.equals("close");
        executor = mode.equals("async") ? Executors.newSingleThreadExecutor() : null;
        this.size = size;
        int answers = body.length() > LARGE ? 1 : ANSWERS;
        String answer = "HTTP/1.1 200 OK\r\n" + (close ? "Connection: close\r\n" : "")
                + "Content-Type: text/plain\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        length = answer.length();
        out = ByteBuffer.allocateDirect(length * answers);
        out.put(answer.repeat(answers).getBytes(StandardCharsets.US_ASCII));
    }

    public static void main(String[] args) throws IOException {
        String mode = args.length > 1 ? args[1] : "";
        int size = args.length > 2 ? Integer.parseInt(args[2]) : 0;
        Floor floor = switch (mode) {
            case "", "close", "async" -> new Floor(mode, 0, "hello world\n");
            case "post" -> new Floor(mode, size, "x".repeat(4096));
            case "body" -> new Floor(mode, 0, "x".repeat(size));
            default -> throw new IllegalArgumentException(USAGE);
        };
        floor.serve(Integer.parseInt(args[0]));
    }

    private void serve(int port) throws IOException {
        listener.bind(new InetSocketAddress("127.0.0.1", port), 16_384).configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        Consumer<SelectionKey> onReady = this::onReady;
        while (executor == null) selector.select(onReady);
        while (true) {
            asleep = true;
            if (answered.isEmpty()) {
                selector.select(onReady);
            } else {
                selector.selectNow(onReady);
            }
            asleep = false;
            writeAnswered();
        }
    }

    /** In the other thread. */
    private void answer(SelectionKey key) {
        answered.add(key);
        if (asleep) selector.wakeup();
    }

    private void writeAnswered() {
        for (SelectionKey key; (key = answered.poll()) != null; ) {
            try {
                write(key, (Peer) key.attachment());
            } catch (IOException e) {
                close(key);
            }
        }
    }

    private void onReady(SelectionKey key) {
        if (asleep) asleep = false;
        if (key.isAcceptable()) {
            accept();
            return;
        }
        Peer peer = (Peer) key.attachment();
        try {
            if (peer.owed == 0) {
                read(key, peer);
            } else {
                write(key, peer);
            }
        } catch (IOException e) {
            close(key);
        }
    }

    private void accept() {
        try {
            for (SocketChannel channel; (channel = listener.accept()) != null; ) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.register(selector, SelectionKey.OP_READ, new Peer());
            }
        } catch (IOException e) {
            System.err.println("accept: " + e.getMessage());
        }
    }

    private void read(SelectionKey key, Peer peer) throws IOException {
        int count = ((SocketChannel) key.channel()).read(in.clear());
        if (count < 0) {
            close(key);
            return;
        }
        peer.owed = length * (size > 0 ? sizes(peer, count) : ends(peer, count));
        if (peer.owed == 0) return;
        if (executor == null) {
            write(key, peer);
        } else {
            executor.execute(() -> answer(key));
        }
    }

    private int sizes(Peer peer, int count) {
        int received = peer.received + count;
        peer.received = received % size;
        return received / size;
    }

    /** Counts ends; goes from one carriage return to the next in words of eight bytes. */
    private int ends(Peer peer, int count) {
        int found = 0, matched = peer.matched;
        for (int i = 0; i < count; ) {
            if (matched == 0 && i + 8 <= count) {
                long word = in.getLong(i) ^ RETURNS;
                // the high bit of each byte that is zero, exact up to the first
                long zeros = (word - ONES) & ~word & HIGHS;
                i += Long.numberOfTrailingZeros(zeros) >>> 3;
                if (zeros == 0) continue;
            }
            byte b = in.get(i++);
            if (b == END[matched]) {
                matched++;
            } else {
                matched = b == '\r' ? 1 : 0;
            }
            if (matched == END.length) {
                found++;
                matched = 0;
            }
        }
        peer.matched = matched;
        return found;
    }

    /** Writes what is owed. All answers are alike, so the number of bytes owed tells where one broke off. */
    private void write(SelectionKey key, Peer peer) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        do {
            int from = Math.floorMod(-peer.owed, length);
            out.limit(Math.min(from + peer.owed, out.capacity())).position(from);
            peer.owed -= channel.write(out);
        } while (peer.owed > 0 && !out.hasRemaining());
        if (close && peer.owed == 0) {
            close(key);
            return;
        }
        int wanted = peer.owed > 0 ? SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (peer.interest != wanted) {
            peer.interest = wanted;
            key.interestOps(wanted);
        }
    }

    private static void close(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException e) {
            System.err.println("close: " + e);
        }
    }
}
