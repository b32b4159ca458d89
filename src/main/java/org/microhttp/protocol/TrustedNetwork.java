package org.microhttp.protocol;

import java.math.BigInteger;
import java.net.*;
import java.util.List;
import java.util.regex.Matcher;

/** A network, as {@code 10.0.0.0/8} (RFC 4632 §3.1) or {@code fc00::/7} (RFC 4291 §2.3). */
public record TrustedNetwork(byte[] address, int bits) {

    /** Loopback, link-local and private networks (RFC 1122, RFC 3927, RFC 1918, RFC 4291, RFC 4193). */
    public static final List<String> PRIVATE = List.of("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12",
            "192.168.0.0/16", "169.254.0.0/16", "::1/128", "fc00::/7", "fe80::/10");

    /** Parses a network; returns null if the text is not one. */
    public static TrustedNetwork parse(String text) {
        Matcher parts = Syntax.matcher("(.+)/(0|[1-9][0-9]{0,2})", text);
        if (!parts.matches()) return null;
        boolean v6 = IpAddress.isV6(parts.group(1));
        int bits = Integer.parseInt(parts.group(2));
        if (!v6 && !IpAddress.isV4(parts.group(1)) || bits > (v6 ? 128 : 32)) return null;
        byte[] address = new InetSocketAddress(parts.group(1), 0).getAddress().getAddress();
        // the JDK reads an IPv4-mapped IPv6 address as one of version 4, so no client would be in its network
        return address.length == (v6 ? 16 : 4) ? new TrustedNetwork(address, bits) : null;
    }

    public boolean has(InetSocketAddress socket) {
        byte[] other = socket.getAddress().getAddress();
        BigInteger differing = new BigInteger(1, address).xor(new BigInteger(1, other));
        return other.length == address.length && differing.bitLength() <= 8 * other.length - bits;
    }
}
