package org.microhttp.checks.endurance.scale;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.function.Consumer;
import org.microhttp.simulation.network.Machine;

/**
 * Makes the calls that the library makes of its channels, and knows no HTTP. It finds who is silent by the
 * order in which the connections were used, which is made beforehand and so part of no connection's heap.
 */
final class BareServer implements Server {

    private static final int ACCEPTS_PER_TURN = 64;
    private static final int DEADLINES_PER_TURN = 1024;
    private static final byte[] ANSWER = new byte[150];

    private final Consumer<SelectionKey> dispatch = this::dispatch;
    private final Machine machine;
    private final Selector selector;
    private final ServerSocketChannel listener;
    private final ByteBuffer received = ByteBuffer.allocateDirect(64 * 1024);
    private final ByteBuffer out = ByteBuffer.allocateDirect(64 * 1024);

    /** Whose turn it was to be used, and when. */
    private final SelectionKey[] order;
    private final long[] used;
    private int first;
    private int end;
    private boolean leaving;

    BareServer(Machine machine, int backlog, int uses) throws IOException {
        this.machine = machine;
        order = new SelectionKey[uses];
        used = new long[uses];
        selector = Selector.open();
        listener = ServerSocketChannel.open();
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), backlog);
    }

    @Override
    public int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public void run() throws IOException {
        while (!leaving) {
            select();
            closeSilent();
        }
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Idler) close(key);
        }
        selector.close();
    }

    @Override
    public void leave() {
        leaving = true;
    }

    /** Waits for the next tick at which somebody is silent, if there will be one. */
    private void select() throws IOException {
        if (first == end) {
            selector.select(dispatch, 0);
            return;
        }
        long tick = TICK.toNanos();
        long left = (used[first] + SILENCE.toNanos() + tick - 1) / tick * tick - machine.now();
        if (left > 0) {
            selector.select(dispatch, left / 1_000_000 + 1);
        } else {
            selector.selectNow(dispatch);
        }
    }

    private void dispatch(SelectionKey key) {
        try {
            if (key.channel() == listener) {
                accept();
            } else {
                serve(key);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void accept() throws IOException {
        for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
            SocketChannel accepted = listener.accept();
            if (accepted == null) return;
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = accepted.register(selector, SelectionKey.OP_READ);
            accepted.getRemoteAddress();
            use(key);
        }
    }

    private void serve(SelectionKey key) throws IOException {
        read(key);
        out.clear().put(ANSWER).flip();
        ((SocketChannel) key.channel()).write(out);
        use(key);
    }

    private void read(SelectionKey key) throws IOException {
        ((SocketChannel) key.channel()).read(received.clear());
    }

    private void use(SelectionKey key) {
        ((Idler) key.attachment()).place = end;
        order[end] = key;
        used[end] = machine.now();
        end++;
    }

    private void closeSilent() throws IOException {
        int last = Math.min(end, first + DEADLINES_PER_TURN);
        while (first < last && used[first] + SILENCE.toNanos() <= machine.now()) {
            SelectionKey key = order[first];
            order[first] = null;
            boolean silent = ((Idler) key.attachment()).place == first;
            first++;
            if (silent) close(key);
        }
    }

    private void close(SelectionKey key) throws IOException {
        read(key);
        key.channel().close();
        key.cancel();
    }
}
