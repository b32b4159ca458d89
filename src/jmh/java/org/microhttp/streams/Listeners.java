package org.microhttp.streams;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connections that read what a server streams, and count events. */
final class Listeners implements Closeable {

    private static final long LIMIT_NANOS = 20_000_000_000L;

    /** What one connection has got since the last request. */
    private static final class Received { long bytes, events; }

    private final List<SocketChannel> channels = new ArrayList<>();
    private final Selector selector = Selector.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024);

    /** How many connections have got something since the last request. */
    private int answered;

    /** What has come to all connections. */
    private final Received all = new Received();

    /**
     * Connects.
     *
     * @param source        the last byte of the address to connect from
     * @param receiveBuffer of each socket, 0 for the system's choice
     */
    Listeners(int port, int source, int count, int receiveBuffer) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            if (receiveBuffer > 0) channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            channel.bind(new InetSocketAddress("127.0.0." + source, 0));
            channel.connect(new InetSocketAddress("127.0.0.1", port));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Received());
            channels.add(channel);
        }
    }

    /** Sends a request on each connection. */
    void send(String target) throws IOException {
        String request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        ByteBuffer bytes = StandardCharsets.US_ASCII.encode(request);
        for (SelectionKey key : selector.keys()) {
            key.attach(new Received());
            ((SocketChannel) key.channel()).write(bytes.rewind());
        }
        answered = 0;
    }

    /** Sends a request on each connection, and waits until each has got something. */
    void request(String target) throws IOException {
        send(target);
        long limit = System.nanoTime() + LIMIT_NANOS;
        while (answered < channels.size()) turn(limit, "only " + answered + " are answered");
    }

    /** Waits until each connection has got so many events; fails if one has got more, and another less. */
    void await(int each) throws IOException {
        long limit = System.nanoTime() + LIMIT_NANOS;
        long count = (long) each * channels.size();
        while (all.events < count) turn(limit, "only " + all.events + " of " + count + " events have come");
        for (SelectionKey key : selector.keys()) {
            long events = ((Received) key.attachment()).events;
            if (events != each) throw new IOException(events + " events have come to one, not " + each);
        }
    }

    /** {@return how many bytes have come in all} */
    long bytes() { return all.bytes; }

    private void turn(long limit, String failure) throws IOException {
        if (System.nanoTime() - limit > 0) throw new IOException(failure);
        selector.select(this::read, 1000);
    }

    private void read(SelectionKey key) {
        try {
            int count = ((SocketChannel) key.channel()).read(in.clear());
            if (count < 0) throw new IOException("the server has closed a connection");
            int events = 0;
            for (int i = 0; i < count; i++) {
                if (in.get(i) == Event.MARK) events++;
            }
            var received = (Received) key.attachment();
            if (received.bytes == 0) answered++;
            for (Received one : List.of(received, all)) {
                one.bytes += count;
                one.events += events;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads one byte of some connections, if there is one. */
    void sip(int from, int to) throws IOException {
        for (SocketChannel channel : channels.subList(from, to)) channel.read(in.clear().limit(1));
    }

    /** By a reset: a server keeps the stream of a client that has only ended its side for a while. */
    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        }
        selector.close();
    }
}
