package org.microhttp.wire.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.*;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A second reader of PROXY headers, written from sections 2.1 and 2.2 of the protocol. Where the text leaves
 * a choice this is ours: values that do not fill the header exactly, a second checksum, and control
 * characters in a line are wrong; an address of IPv6 may end as one of IPv4.
 */
public final class ReferenceProxyHeader {

    private static final String SIGNATURE = "\r\n\r\n\0\r\nQUIT\n";
    private static final int LONGEST_LINE = 107;
    private static final String PORT = "(0|[1-9][0-9]{0,4})";
    private static final Pattern LINE = Pattern.compile("PROXY (?:UNKNOWN(?: [\\t -~\\x80-\\xFF]*)?|TCP(?:"
            + lineOf("4", ReferenceTarget.IPV4) + "|" + lineOf("6", ReferenceTarget.IPV6) + "))\r\n");

    private ReferenceProxyHeader() {
    }

    private static String lineOf(String family, String address) {
        return family + " (?:(" + address + ") " + address + " " + PORT + " " + PORT + ")";
    }

    /** Returns the client's address and port, "-" if the header names none, null if it is wrong or cut. */
    public static String client(byte[] header) {
        String text = new String(header, ISO_8859_1);
        try {
            return text.startsWith("\r") ? binary(header, text) : line(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String line(String text) throws UnknownHostException {
        Matcher matcher = LINE.matcher(text.substring(0, Math.min(text.length(), LONGEST_LINE)));
        if (!matcher.lookingAt()) return null;
        int group = matcher.group(1) != null ? 1 : 4;
        if (matcher.group(group) == null) return "-";
        int port = Integer.parseInt(matcher.group(group + 1));
        boolean valid = port <= 65_535 && Integer.parseInt(matcher.group(group + 2)) <= 65_535;
        return valid ? name(InetAddress.getByName(matcher.group(group)), port) : null;
    }

    private static String name(InetAddress address, int port) {
        return address.getHostAddress() + ":" + port;
    }

    private static String binary(byte[] header, String text) throws UnknownHostException {
        if (header.length < 16 || !text.startsWith(SIGNATURE)) return null;
        ByteBuffer bytes = ByteBuffer.wrap(header).slice(0, Math.min(header.length, 16 + lengthOf(header)));
        int command = bytes.get(12);
        if (bytes.limit() < 16 + lengthOf(header) || command != 0x20 && command != 0x21) return null;
        int family = bytes.get(13);
        if (command == 0x20 || family == 0) return "-";
        int size = switch (family) {
            case 0x11, 0x12 -> 4;
            case 0x21, 0x22 -> 16;
            case 0x31, 0x32 -> 108;
            default -> 1 << 16;
        };
        int ports = 16 + 2 * size;
        int values = ports + (size == 108 ? 0 : 4);
        if (values > bytes.limit() || !areValues(bytes, values)) return null;
        if (size == 108) return "-";
        byte[] address = new byte[size];
        bytes.get(16, address);
        return name(InetAddress.getByAddress(address), bytes.getChar(ports));
    }

    private static int lengthOf(byte[] header) {
        return ByteBuffer.wrap(header).getChar(14);
    }

    private static boolean areValues(ByteBuffer bytes, int from) {
        int sums = 0;
        int at = from;
        while (at < bytes.limit()) {
            if (at + 3 > bytes.limit()) return false;
            int length = bytes.getChar(at + 1);
            if (at + 3 + length > bytes.limit()) return false;
            if (bytes.get(at) == 3 && (length != 4 || ++sums > 1 || !isSum(bytes, at + 3))) return false;
            at += 3 + length;
        }
        return true;
    }

    private static boolean isSum(ByteBuffer bytes, int at) {
        byte[] header = new byte[bytes.limit()];
        bytes.get(0, header);
        ByteBuffer.wrap(header).putInt(at, 0);
        var sum = new CRC32C();
        sum.update(header);
        return (int) sum.getValue() == bytes.getInt(at);
    }
}
