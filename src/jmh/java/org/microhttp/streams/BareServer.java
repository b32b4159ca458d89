package org.microhttp.streams;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The floor: writes an event to each connection, and knows no HTTP. What a client sends is a POST if it
 * begins with P: then all other connections get an event; else the client gets one. Runs until it is killed.
 */
final class BareServer {

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024);
    private final ByteBuffer event = Event.chunk();

    private BareServer(int port) throws IOException {
        listener.bind(new InetSocketAddress("127.0.0.1", port), 16_384).configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    public static void main(String[] args) throws IOException {
        var server = new BareServer(Integer.parseInt(args[0]));
        while (true) server.selector.select(server::onReady);
    }

    private void onReady(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else {
                read(key);
            }
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

    private void read(SelectionKey key) throws IOException {
        var channel = (SocketChannel) key.channel();
        int count = channel.read(in.clear());
        if (count < 0) close(key);
        if (count <= 0) return;
        if (in.get(0) == 'P') {
            publish(key);
        } else {
            channel.write(event.rewind());
        }
    }

    private void publish(SelectionKey publisher) throws IOException {
        for (SelectionKey key : selector.keys()) {
            if (key != publisher && key.channel() instanceof SocketChannel channel) {
                channel.write(event.rewind());
            }
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
