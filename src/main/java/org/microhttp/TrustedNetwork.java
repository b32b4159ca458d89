package org.microhttp;

import java.math.BigInteger;
import java.net.*;
import java.util.*;

/** A network, as {@code 10.0.0.0/8} (RFC 4632 §3.1) or {@code fc00::/7} (RFC 4291 §2.3). */
record TrustedNetwork(byte[] address, int bits) {

    /** Of this machine, of a link, and of private use (RFC 1122, RFC 3927, RFC 1918, RFC 4291, RFC 4193). */
    static final List<String> PRIVATE = List.of("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12",
            "192.168.0.0/16", "169.254.0.0/16", "::1/128", "fc00::/7", "fe80::/10");

    /** Addresses of version 4 that are written as 6 are of version 4 when they come. */
    private static final String TEXT = RequestTarget.IPV4 + "/(3[0-2]|[12]?[0-9])"
            + "|(?i:(?!(0+:){5}ffff:|[0:]*:ffff:(\\w+:\\w+|[\\d.]+)/))" + RequestTarget.IPV6
            + "/(12[0-8]|1[01][0-9]|[1-9]?[0-9])";

    /** Takes a text that was checked, or is to be. */
    static TrustedNetwork of(String text) {
        boolean valid = Syntax.matcher(TEXT, text).matches();
        Response.check(valid, "trustedProxies", text, "ADDRESS/BITS, as 10.0.0.0/8 or fc00::/7");
        String[] parts = text.split("/");
        byte[] address = new InetSocketAddress(parts[0], 0).getAddress().getAddress();
        return new TrustedNetwork(address, Integer.parseInt(parts[1]));
    }

    boolean has(InetSocketAddress socket) {
        byte[] other = socket.getAddress().getAddress();
        BigInteger differing = new BigInteger(1, address).xor(new BigInteger(1, other));
        return other.length == address.length && differing.bitLength() <= 8 * other.length - bits;
    }
}
