package org.microhttp;

import static org.microhttp.Refusal.BAD_PROXY_HEADER;

import java.net.*;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What a proxy sends before everything else to say who its client is (the PROXY protocol): in version 1 a
 * line of text, in version 2 some octets.
 */
final class ProxyHeader {

    /** The longest line of version 1, with its end. */
    static final int LONGEST_LINE = 107;

    /**
     * Both ends are of the family, and have ports, up to 65535 and without zeros in front; of a client that
     * is not known anything may be told.
     */
    private static final String LINE =
            "(?s)PROXY (UNKNOWN( .*)?|(TCP4 v4 v4|TCP6 v6 v6) (number|0) (number|0))"
            .replace("v4", RequestTarget.IPV4).replace("v6", RequestTarget.IPV6)
            .replace("number", "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}"
                    + "|655[0-2][0-9]|6553[0-5])");

    /** What version 2 begins with. */
    private static final ByteBuffer SIGNATURE = ByteBuffer.wrap(Syntax.octets("\r\n\r\n\0\r\nQUIT\n"));

    /** How long its part is that is always there; at the end of that is the length of the rest. */
    private static final int FIXED = 16;

    /** Of the proxy itself; of a client. */
    private static final int LOCAL = 0x20, PROXY = 0x21;

    /** The type of a value that is the CRC32C of the header, itself taken for 0. */
    private static final int CHECKSUM = 3;

    private ProxyHeader() { }

    /** Who the client is by a line, without its end; or, if the proxy does not know, somebody else. */
    static SocketAddress client(String text, SocketAddress otherwise) {
        BAD_PROXY_HEADER.unless(Syntax.matcher(LINE, text).matches());
        String[] words = text.split(" ");
        if (words[1].equals("UNKNOWN")) return otherwise;
        return new InetSocketAddress(words[2], Integer.parseInt(words[4]));
    }

    /** How many octets version 2 has; more than are here if that is not yet known. */
    static int length(ByteBuffer header) {
        if (header.limit() < FIXED) return FIXED;
        BAD_PROXY_HEADER.unless(header.slice(0, FIXED - 4).equals(SIGNATURE));
        return FIXED + header.getChar(FIXED - 2);
    }

    /** Who the client is by a whole header; or, if the proxy does not know, somebody else. */
    static SocketAddress client(ByteBuffer header, SocketAddress otherwise) {
        int command = header.get(FIXED - 4);
        int family = header.get(FIXED - 3);
        BAD_PROXY_HEADER.unless(command == LOCAL || command == PROXY);
        // of these nothing else is looked at
        if (command == LOCAL || family == 0) return otherwise;
        // both ends: IP of version 4 or 6 with ports, or Unix domain sockets; each for streams or datagrams
        int size = switch (family) {
            case 0x11, 0x12 -> 12;
            case 0x21, 0x22 -> 36;
            case 0x31, 0x32 -> 216;
            default -> header.limit();
        };
        BAD_PROXY_HEADER.when(FIXED + size > header.limit());
        check(header.position(FIXED + size));
        if (size == 216) return otherwise;
        byte[] address = new byte[size == 12 ? 4 : 16];
        header.get(FIXED, address);
        try {
            int port = header.getChar(FIXED + 2 * address.length);
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Checks what is behind the addresses: values, each a type, a length, and as many octets. */
    private static void check(ByteBuffer header) {
        int sumAt = 0;
        while (header.hasRemaining()) {
            BAD_PROXY_HEADER.when(header.remaining() < 3);
            int type = header.get();
            int length = header.getChar();
            BAD_PROXY_HEADER.when(length > header.remaining());
            if (type == CHECKSUM) {
                // one is enough: each is a look at all octets
                BAD_PROXY_HEADER.unless(sumAt == 0 && length == 4);
                sumAt = header.position();
            }
            header.position(header.position() + length);
        }
        if (sumAt == 0) return;
        int told = header.getInt(sumAt);
        header.putInt(sumAt, 0);
        var sum = new CRC32C();
        sum.update(header.rewind());
        BAD_PROXY_HEADER.unless(told == (int) sum.getValue());
    }
}
