package org.microhttp.simulation;

import java.net.*;
import java.util.*;

/**
 * Where clients come in, and what is asked of them there.
 *
 * @param unix      whether it is a Unix domain socket
 * @param inherited whether it was listening before the server was there
 * @param proxied   whether a header of the PROXY protocol is asked for
 * @param wrong     in 100, how many send one that is wrong, or none
 * @param strangers in 100, how many come from elsewhere than the trusted networks
 * @param named     whether these are named; else they are those that the server trusts by itself
 * @param requests  how many each may send; {@link #NO_LIMIT} for as many as they like
 */
record ListenConditions(boolean unix, boolean inherited, boolean proxied, int wrong, int strangers,
        boolean named,
            int requests) {

    static final int NO_LIMIT = Integer.MAX_VALUE;

    // the first and the last that are trusted, and those before and behind them
    private static final List<String> NAMED = List.of("127.0.0.0/9", "192.0.2.64/26", "2001:db8:8000::/33");
    private static final List<String> OF_NAMED = List.of("127.0.0.1", "127.127.255.255", "192.0.2.64",
            "192.0.2.127", "2001:db8:8000::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff");
    private static final List<String> OF_NONE_NAMED = List.of("127.128.0.0", "126.255.255.255", "192.0.2.63",
            "192.0.2.128", "10.0.0.1", "::1", "2001:db8:7fff:ffff:ffff:ffff:ffff:ffff", "2001:db9::");
    private static final List<String> OF_USUAL = List.of("127.0.0.1", "127.255.255.255", "10.0.0.0",
            "172.16.0.0", "172.31.255.255", "192.168.0.1", "169.254.255.255", "::1", "fc00::", "febf::1");
    private static final List<String> OF_NONE_USUAL = List.of("128.0.0.0", "11.0.0.0", "172.15.255.255",
            "172.32.0.0", "192.169.0.0", "169.255.0.0", "::2", "fbff::1", "fec0::1", "2001:db8::1");

    static ListenConditions random(SplittableRandom random) {
        boolean proxied = random.nextInt(6) == 0;
        int few = random.nextInt(3, 12);
        return new ListenConditions(random.nextInt(12) == 0, random.nextInt(12) == 0, proxied,
                proxied ? Conditions.pick(random, 0, 10, 30) : 0,
                proxied ? Conditions.pick(random, 0, 0, 5, 20) : 0, random.nextBoolean(),
                random.nextInt(6) == 0 ? Conditions.pick(random, 1, 2, few, few) : NO_LIMIT);
    }

    ListenConditions without(Set<Simplification> omitted) {
        boolean plain = omitted.contains(Simplification.DOOR);
        boolean direct = omitted.contains(Simplification.PROXIES);
        return new ListenConditions(unix && !plain, inherited && !plain, proxied && !direct, direct ? 0
                : wrong,
                direct ? 0 : strangers, named,
                omitted.contains(Simplification.REQUEST_LIMIT) ? NO_LIMIT : requests);
    }

    /** Whether anybody is asked where it comes from. */
    private boolean isWatched() {
        return proxied && !unix;
    }

    /** Whether somebody comes from elsewhere, and must not be let in. */
    boolean hasStranger(SplittableRandom random) {
        return random.nextInt(100) < strangers && isWatched();
    }

    /** Where somebody connects from. Where nobody is asked, it may be from anywhere. */
    SocketAddress address(int number, boolean stranger, SplittableRandom random) {
        if (unix) return UnixDomainSocketAddress.of("c" + number);
        List<String> trusted = named ? OF_NAMED : OF_USUAL;
        List<String> others = named ? OF_NONE_NAMED : OF_NONE_USUAL;
        boolean elsewhere = isWatched() ? stranger : random.nextInt(4) == 0;
        List<String> from = elsewhere ? others : trusted;
        return new InetSocketAddress(from.get(random.nextInt(from.size())), number);
    }

    /** What the server is told of the networks; null for nothing. */
    List<String> trusted() {
        return named ? NAMED : null;
    }
}
