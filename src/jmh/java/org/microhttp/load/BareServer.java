package org.microhttp.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * The floor of streams: writes the head of a response to a client that sends something, and then the same
 * events as {@link StreamServer} to all connections. Knows no HTTP. Runs until it is killed.
 */
public final class BareServer {

    static final long APART_MILLIS = 100;

    static final String EVENT = "data: " + "x".repeat(91) + "\n\n";

    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024), head = direct(HEAD);

    /** The event as a chunk (RFC 9112 §7.1), which is what microhttp sends of it. */
    private final ByteBuffer chunk = direct(Integer.toHexString(EVENT.length()) + "\r\n" + EVENT + "\r\n");

    private BareServer(int port) throws IOException {
        listener.bind(new InetSocketAddress("127.0.0.1", port), 16_384).configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    public static void main(String[] args) throws IOException {
        var server = new BareServer(Integer.parseInt(args[0]));
        for (long due = System.nanoTime(); true; due += APART_MILLIS * 1_000_000) {
            for (long left = 1; left > 0; left = (due - System.nanoTime()) / 1_000_000) {
                server.selector.select(server::onReady, left);
            }
            for (SelectionKey key : server.selector.keys()) {
                if (key.attachment() != null) server.write(key, server.chunk);
            }
        }
    }

    static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private void onReady(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
                return;
            }
            int count = ((SocketChannel) key.channel()).read(in.clear());
            if (count < 0) throw new IOException("the client has gone");
            if (key.attach(this) == null) write(key, head);
        } catch (IOException e) {
            close(key);
        }
    }

    private void accept() throws IOException {
        for (SocketChannel channel; (channel = listener.accept()) != null; ) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ);
        }
    }

    private void write(SelectionKey key, ByteBuffer bytes) {
        try {
            ((SocketChannel) key.channel()).write(bytes.rewind());
        } catch (IOException e) {
            close(key);
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
