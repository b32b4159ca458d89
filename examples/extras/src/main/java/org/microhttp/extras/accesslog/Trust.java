package org.microhttp.extras.accesslog;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/** The networks of proxies that are believed when they name a client. */
public final class Trust {

    /** No client is behind more proxies than that, but it may claim any number. */
    private static final int MAX_HOPS = 32;

    private final List<Network> networks;

    private Trust(List<Network> networks) {
        this.networks = networks;
    }

    /** {@return trust in no proxy: the connected peer is the client} */
    public static Trust nobody() {
        return new Trust(List.of());
    }

    /**
     * Reads a list such as {@code 10.0.0.0/8,2001:db8::1}.
     *
     * @param list addresses and networks, with commas between them
     * @return trust in these
     * @throws IllegalArgumentException with a message for the user, if one is malformed
     */
    public static Trust of(String list) {
        return new Trust(Arrays.stream(list.split(",", -1))
                .map(text -> Network.of(text.strip()))
                .toList());
    }

    boolean isEmpty() {
        return networks.isEmpty();
    }

    private boolean contains(InetAddress address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    /**
     * Finds the client. A peer that is not trusted is the client, whatever fields it sends. The nodes that a
     * trusted peer names are searched from the last one back: the client is the first that is not trusted,
     * since further ones may be forged. A node that is no address ends the search; the address found before
     * it is then the client.
     * <p>
     * A proxy writes one of the two fields, and may pass on the other as a client sent it. Which field the
     * proxy wrote is unknown here. So if both are there and lead to different clients, the peer is returned.
     *
     * @param peer      the address of the peer; if it is null (unknown), so is the result
     * @param forwarded the values of {@code Forwarded}
     * @param list      the values of {@code X-Forwarded-For}
     * @return the address of the client
     */
    public InetAddress client(InetAddress peer, List<String> forwarded, List<String> list) {
        if (peer == null || !contains(peer)) {
            return peer;
        }
        InetAddress named = search(peer, Forwarded.nodes(String.join(",", forwarded), MAX_HOPS));
        InetAddress listed = search(peer, Forwarded.list(String.join(",", list), MAX_HOPS));
        if (forwarded.isEmpty()) {
            return listed;
        }
        return list.isEmpty() || named.equals(listed) ? named : peer;
    }

    private InetAddress search(InetAddress peer, List<String> nodes) {
        InetAddress nearest = peer;
        int first = Math.max(0, nodes.size() - MAX_HOPS);
        for (int i = nodes.size() - 1; i >= first && contains(nearest); i--) {
            InetAddress node = Address.parse(nodes.get(i));
            if (node == null) {
                return nearest;
            }
            nearest = node;
        }
        return nearest;
    }
}
