package org.microhttp.tools.processes;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import org.microhttp.Options;

/**
 * A port that is taken for processes that will share it. Nothing listens on it here, so this process gets
 * none of the connections. It is held alone at first: so a port in use is noticed, though its user would
 * share it.
 */
final class HeldPort implements Closeable {

    private final SocketChannel channel = SocketChannel.open();

    /** @throws IOException with a message for the user, if the port cannot be had or not be shared */
    HeldPort(Options options) throws IOException {
        try {
            if (!channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)) {
                throw new IOException("processes cannot share a port on this platform");
            }
            bind(options);
            channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private void bind(Options options) throws IOException {
        String host = options.host();
        var address = host == null ? new InetSocketAddress(options.port())
                : new InetSocketAddress(host, options.port());
        if (address.isUnresolved()) {
            throw new IOException("cannot listen on " + host + ": unknown host name");
        }
        // past connections of an earlier server; a free port shall be one that nobody else has
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, options.port() != 0);
        try {
            channel.bind(address);
        } catch (IOException | UnsupportedAddressTypeException e) {
            String why = e instanceof IOException ? e.getMessage() : "not an address of this platform";
            throw new IOException("cannot listen on " + address + ": " + why, e);
        }
    }

    int number() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
