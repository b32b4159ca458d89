package org.microhttp.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Headers of the PROXY protocol, as a proxy sends them, and with whatever else in them a test wants. */
public final class ProxyHeaders {

    /** A line of version 1, and the client that it names. */
    public static final String LINE = "PROXY TCP4 192.0.2.1 198.51.100.2 40001 80\r\n";
    public static final InetSocketAddress CLIENT = new InetSocketAddress("192.0.2.1", 40_001);

    public static final String SIGNATURE = "\r\n\r\n\0\r\nQUIT\n";

    /** Version 2 with a command in the second four bits. */
    public static final int LOCAL = 0x20;
    public static final int PROXY = 0x21;

    public static final int CHECKSUM = 3;

    private ProxyHeaders() {
    }

    /** Version 2: anything may follow the fixed part. */
    public static byte[] binary(int command, int family, byte[]... rest) {
        byte[] after = join(rest);
        var length = ByteBuffer.allocate(2).putChar((char) after.length).array();
        return join(bytes(SIGNATURE), new byte[] {(byte) command, (byte) family}, length, after);
    }

    /** Version 2 for that {@link #CLIENT}, with values after the addresses. */
    public static byte[] binary(byte[]... values) {
        return binary(PROXY, 0x11, ipv4(), join(values));
    }

    /** The ends of {@link #LINE}. */
    public static byte[] ipv4() {
        return ByteBuffer.allocate(12).put(new byte[] {(byte) 192, 0, 2, 1, (byte) 198, 51, 100, 2})
                .putChar((char) 40_001).putChar((char) 80).array();
    }

    public static byte[] value(int type, byte... value) {
        return ByteBuffer.allocate(3 + value.length).put((byte) type).putChar((char) value.length).put(value)
                .array();
    }

    /** Sets the checksum of a whole header to the right one; its value is at that index. */
    public static byte[] withChecksumAt(int index, byte[] header) {
        byte[] summed = header.clone();
        ByteBuffer.wrap(summed).putInt(index, 0);
        var sum = new CRC32C();
        sum.update(summed);
        ByteBuffer.wrap(summed).putInt(index, (int) sum.getValue());
        return summed;
    }

    public static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    public static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
