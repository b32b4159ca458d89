package org.microhttp.extras.accesslog;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/** The networks whose proxies are believed when they say for whom they ask. */
public final class Trust {

    /** Behind more proxies than that nobody is; a client may claim any number. */
    private static final int MAX_HOPS = 32;

    private final List<Network> networks;

    private Trust(List<Network> networks) {
        this.networks = networks;
    }

    /** {@return trust in nobody: the client is whoever is connected} */
    public static Trust nobody() {
        return new Trust(List.of());
    }

    /**
     * Reads a list as {@code 10.0.0.0/8,2001:db8::1}.
     *
     * @param list addresses and networks, with commas between them
     * @return trust in these
     * @throws IllegalArgumentException with a message for the user, if one of them is wrong
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
     * Finds the client. A peer that is not trusted is it, whatever fields it sends. Of the nodes that a
     * trusted one names the client is the last that is not trusted itself: those before it are hearsay. What
     * is no address ends the search, with the nearest that is.
     * <p>
     * A proxy writes one of the fields and may hand the other on as a client sent it; which one is its own is
     * not known here. So when both are there and do not lead to the same client, the peer is taken.
     *
     * @param peer      null if it is not known, which makes the answer null
     * @param forwarded the values of {@code Forwarded}
     * @param list      those of {@code X-Forwarded-For}
     * @return its address
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
