package org.microhttp.extras.accesslog;

import java.net.InetAddress;
import java.util.Arrays;

/** All addresses that begin with the same bits. */
record Network(byte[] address, int bits) {

    /**
     * Reads {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or one address.
     *
     * @throws IllegalArgumentException with a message for the user, if it is none of these
     */
    static Network of(String text) {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        // Address.parse would also take a port
        boolean bare = host.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
        InetAddress parsed = bare ? Address.parse(host) : null;
        if (parsed == null) {
            throw new IllegalArgumentException(
                    "\"" + text + "\"; allowed: addresses and networks, as in 10.0.0.0/8,::1");
        }
        byte[] address = parsed.getAddress();
        int most = 8 * address.length;
        String bits = slash < 0 ? "" + most : text.substring(slash + 1);
        if (!bits.matches("[0-9]{1,3}") || Integer.parseInt(bits) > most) {
            throw new IllegalArgumentException(
                    "\"" + text + "\"; allowed: 0 to " + most + " behind the slash");
        }
        return new Network(address, Integer.parseInt(bits));
    }

    boolean contains(InetAddress other) {
        byte[] bytes = other.getAddress();
        if (bytes.length != address.length) {
            return false;
        }
        int whole = bits / 8;
        int mask = 0xFF00 >> bits % 8 & 0xFF;
        return Arrays.equals(bytes, 0, whole, address, 0, whole)
                && (mask == 0 || (bytes[whole] & mask) == (address[whole] & mask));
    }
}
