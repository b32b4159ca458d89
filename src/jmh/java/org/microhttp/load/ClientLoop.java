package org.microhttp.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One process of the load client: one thread and one selector for all its connections. First {@link
 * #connect} makes them all, then {@link #run} keeps requests in flight on each until the time is over.
 */
final class ClientLoop {

    /** Pending connects: more would only overflow the listen queue, and wait a second to be sent again. */
    private static final int WINDOW = 256;

    static final long CONNECT_LIMIT_MILLIS = 60_000;

    private final Client.Plan plan;
    private final ClientResult result = new ClientResult();
    private final Selector selector = Selector.open();
    private final ByteBuffer received = ByteBuffer.allocateDirect(64 * 1024);
    private final byte[] bytes = new byte[received.capacity()];
    private final ByteBuffer batch;
    private int opened, pending, open;
    private long[] latencies = new long[4096];
    private long longest, end;

    ClientLoop(Client.Plan plan) throws IOException {
        this.plan = plan;
        String request = "GET / HTTP/1.1\r\nHost: " + plan.host() + ":" + plan.port() + "\r\n\r\n";
        byte[] requests = request.repeat(plan.pipeline()).getBytes(StandardCharsets.US_ASCII);
        batch = ByteBuffer.allocateDirect(requests.length).put(requests).flip().asReadOnlyBuffer();
    }

    /** Makes the connections, and says how many there are; the rest is in the result as errors. */
    int connect() throws IOException {
        long start = System.nanoTime();
        long limit = start + CONNECT_LIMIT_MILLIS * 1_000_000;
        while (opened < plan.connections() || pending > 0) {
            while (opened < plan.connections() && pending < WINDOW) beginConnect();
            if (pending > 0) selector.select(this::finishConnect, 100);
            if (System.nanoTime() - limit > 0) break;
        }
        int late = plan.connections() - opened + pending;
        if (late > 0) result.add("error connect: not within " + CONNECT_LIMIT_MILLIS + " ms", late);
        result.add("asked", plan.connections());
        result.add("open", open);
        result.add("most millis connecting", (System.nanoTime() - start) / 1_000_000);
        return open;
    }

    private void beginConnect() throws IOException {
        SocketChannel channel = null;
        String source = plan.source(opened++);
        try {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (source != null) channel.bind(new InetSocketAddress(source, 0));
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            key.attach(new ClientConnection(channel, batch, plan.pipeline()));
            pending++;
            if (channel.connect(plan.address())) finishConnect(key);
        } catch (IOException e) {
            if (channel != null && channel.isRegistered()) pending--;
            result.addError("connect: " + e.getMessage());
            if (channel != null) channel.close();
        }
    }

    private void finishConnect(SelectionKey key) {
        if (!key.isValid() || key.interestOps() != SelectionKey.OP_CONNECT) return;
        pending--;
        try {
            ((SocketChannel) key.channel()).finishConnect();
            key.interestOps(SelectionKey.OP_READ);
            open++;
        } catch (IOException e) {
            fail(key, "connect: " + e.getMessage());
        }
    }

    /** Keeps requests in flight, at first for the warm-up, then for the time that counts. */
    ClientResult run() throws IOException {
        for (SelectionKey key : selector.keys()) {
            if (isOpen(key)) send(key, System.nanoTime());
        }
        turnUntil(System.nanoTime() + plan.warmup() * 1_000_000L);
        latencies = new long[latencies.length];
        longest = 0;
        for (SelectionKey key : selector.keys()) connection(key).answers = 0;
        long start = System.nanoTime();
        turnUntil(start + plan.millis() * 1_000_000L);
        end = System.nanoTime();
        result.add("most millis running", (end - start) / 1_000_000);
        result.add("most micros of latency", longest);
        result.addLatencies(latencies);
        for (SelectionKey key : selector.keys()) {
            if (isOpen(key)) count(connection(key));
        }
        return result;
    }

    /** A reset: no connection waits a minute in the kernel, so that the next run finds every port free. */
    void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            var channel = (SocketChannel) key.channel();
            if (channel.isConnected()) channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        }
        selector.close();
    }

    private void turnUntil(long time) throws IOException {
        for (long left; open > 0 && (left = time - System.nanoTime()) > 0; ) {
            selector.select(this::onReady, left / 1_000_000 + 1);
        }
    }

    private void onReady(SelectionKey key) {
        try {
            ClientConnection connection = connection(key);
            if (key.isWritable()) connection.resume(key);
            if (!key.isReadable()) return;
            int count = ((SocketChannel) key.channel()).read(received.clear());
            if (count < 0) throw new IOException("the server closed the connection");
            received.flip().get(bytes, 0, count);
            if (connection.receive(bytes, count)) answered(key, connection, System.nanoTime());
        } catch (IOException e) {
            lose(key, e);
        }
    }

    private void answered(SelectionKey key, ClientConnection connection, long now) throws IOException {
        long micros = (now - connection.sentAt) / 1000;
        longest = Math.max(longest, micros);
        latencies[Math.min(ClientResult.indexOf(micros), latencies.length - 1)] += plan.pipeline();
        connection.send(key, now);
    }

    private void count(ClientConnection connection) {
        result.add("messages", connection.answers);
        result.add("least answers", connection.answers);
        result.add("most answers", connection.answers);
        if (connection.answers == 0) result.add("silent", 1);
        if (connection.awaited > 0) result.add("waiting", 1);
        if (connection.awaited > 0) result.add("most micros waiting", (end - connection.sentAt) / 1000);
    }

    private void send(SelectionKey key, long now) {
        try {
            connection(key).send(key, now);
        } catch (IOException e) {
            lose(key, e);
        }
    }

    private void lose(SelectionKey key, IOException e) {
        open--;
        fail(key, e.getMessage());
    }

    private void fail(SelectionKey key, String what) {
        result.addError(what);
        try {
            key.channel().close();
        } catch (IOException e) {
            result.addError("close: " + e.getMessage());
        }
    }

    private static boolean isOpen(SelectionKey key) {
        return key.isValid() && ((SocketChannel) key.channel()).isConnected();
    }

    private static ClientConnection connection(SelectionKey key) {
        return (ClientConnection) key.attachment();
    }
}
