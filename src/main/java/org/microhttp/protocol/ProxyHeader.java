package org.microhttp.protocol;

import static org.microhttp.protocol.Refusal.BAD_PROXY_HEADER;

import java.net.*;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The header by which a proxy names its client before anything else (PROXY protocol): a line of text in
 * version 1, a block of bytes in version 2.
 */
final class ProxyHeader {

    /** The longest line of version 1, with its end. */
    static final int LONGEST_LINE = 107;

    /** The line of version 1. Ports are at most 65535, without leading zeros; any text may follow UNKNOWN. */
    private static final String LINE =
            "(?s)PROXY (UNKNOWN( .*)?|TCP[46] [^ ]+ [^ ]+ (number|0) (number|0))"
            .replace("number", "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}"
                    + "|655[0-2][0-9]|6553[0-5])");

    /**
     * The beginning of version 2. After its 12 bytes come the command, the family of the addresses, and the
     * length of the rest, in two bytes.
     */
    private static final ByteBuffer SIGNATURE = ByteBuffer.wrap(Syntax.bytes("\r\n\r\n\0\r\nQUIT\n"));

    /** The length of the fixed part of version 2. */
    private static final int FIXED = 16;

    /** The commands: the connection is the proxy's own, or that of a client. */
    private static final int LOCAL = 0x20, PROXY = 0x21;

    /** The type of a value that is the CRC32C of the header, with zeros in its own place. */
    private static final int CHECKSUM = 3;

    private ProxyHeader() { }

    /** Returns the client that a line names; null if the line names none. The text has no CRLF. */
    static SocketAddress client(String text) {
        BAD_PROXY_HEADER.refuseUnless(Syntax.matcher(LINE, text).matches());
        String[] words = text.split(" ");
        if (words[1].equals("UNKNOWN")) return null;
        // both addresses are of the family
        boolean v6 = words[1].equals("TCP6");
        BAD_PROXY_HEADER.refuseUnless(v6 ? IpAddress.isV6(words[2]) && IpAddress.isV6(words[3])
                : IpAddress.isV4(words[2]) && IpAddress.isV4(words[3]));
        return new InetSocketAddress(words[2], Integer.parseInt(words[4]));
    }

    /**
     * Returns the length of a header of version 2; before that is known, a length greater than what has come.
     */
    static int length(ByteBuffer header) {
        if (header.limit() < FIXED) return FIXED;
        BAD_PROXY_HEADER.refuseUnless(header.slice(0, 12).equals(SIGNATURE));
        return FIXED + header.getChar(14);
    }

    /** Returns the client that a whole header of version 2 names; null if the header names none. */
    static SocketAddress client(ByteBuffer header) {
        int command = header.get(12);
        int family = header.get(13);
        BAD_PROXY_HEADER.refuseUnless(command == LOCAL || command == PROXY);
        // the rest of such a header is ignored
        if (command == LOCAL || family == 0) return null;
        // the end of the two addresses, of IPv4, IPv6 or Unix domain sockets, for streams or datagrams
        int end = switch (family) {
            case 0x11, 0x12 -> 28;
            case 0x21, 0x22 -> 52;
            case 0x31, 0x32 -> 232;
            default -> Integer.MAX_VALUE;
        };
        BAD_PROXY_HEADER.refuseIf(end > header.limit());
        check(header.position(end));
        if (end == 232) return null;
        byte[] address = new byte[end == 28 ? 4 : 16];
        header.get(FIXED, address);
        try {
            int port = header.getChar(FIXED + 2 * address.length);
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Checks the values after the addresses. Each has a type, a length in two bytes, and that many bytes. */
    private static void check(ByteBuffer header) {
        int sumAt = 0;
        while (header.hasRemaining()) {
            BAD_PROXY_HEADER.refuseIf(header.remaining() < 3);
            int type = header.get();
            int length = header.getChar();
            BAD_PROXY_HEADER.refuseIf(length > header.remaining());
            if (type == CHECKSUM) {
                // only one is allowed, because each costs a pass over all bytes
                BAD_PROXY_HEADER.refuseUnless(sumAt == 0 && length == 4);
                sumAt = header.position();
            }
            header.position(header.position() + length);
        }
        if (sumAt == 0) return;
        int stated = header.getInt(sumAt);
        header.putInt(sumAt, 0);
        var sum = new CRC32C();
        sum.update(header.rewind());
        BAD_PROXY_HEADER.refuseUnless(stated == (int) sum.getValue());
    }
}
