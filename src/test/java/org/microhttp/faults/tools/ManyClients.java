package org.microhttp.faults.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.microhttp.testing.ServerProcess;

/** Thousands of connections that send little by little, and read only when asked to. */
public final class ManyClients implements AutoCloseable {

    private final List<SocketChannel> channels = new ArrayList<>();

    /** Bytes that were taken by the kernel. */
    public long sent;

    public ManyClients(ServerProcess server, int count, int receiveBufferSize) throws IOException {
        this("127.0.0.1", server.port, count, receiveBufferSize);
    }

    /** @param from the address of this machine from which they come */
    public ManyClients(String from, int port, int count, int receiveBufferSize) throws IOException {
        var address = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
        var source = new InetSocketAddress(from, 0);
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            channels.add(channel);
            if (receiveBufferSize > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferSize);
            }
            // a reset at the end: else each of the ports that clients have would be lost for a minute
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            try {
                channel.bind(source);
                channel.connect(address);
            } catch (IOException e) {
                close();
                throw e;
            }
            channel.configureBlocking(false);
        }
    }

    /** Sends what the sockets take at once; from those that are closed nothing more is expected. */
    public void send(int from, int to, byte[] bytes) {
        for (int i = from; i < to; i++) {
            try {
                sent += channels.get(i).write(ByteBuffer.wrap(bytes));
            } catch (IOException e) {
                continue;
            }
        }
    }

    /** How the answers begin that have come: the status, "nothing", or "closed". */
    public Map<String, Integer> statuses() {
        var counts = new TreeMap<String, Integer>();
        for (SocketChannel channel : channels) {
            counts.merge(status(channel), 1, Integer::sum);
        }
        return counts;
    }

    private static String status(SocketChannel channel) {
        var buffer = ByteBuffer.allocate(12);
        try {
            int count = channel.read(buffer);
            return count < 0 ? "closed" : count < 12 ? "nothing" : new String(buffer.array(), 9, 3);
        } catch (IOException e) {
            return "closed";
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
