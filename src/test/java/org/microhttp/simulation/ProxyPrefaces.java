package org.microhttp.simulation;

import static org.microhttp.testing.ProxyHeaders.*;

import java.net.*;
import java.nio.ByteBuffer;
import java.util.*;

/** Draws what proxies send before all else: of either version, of any form, right or wrong. */
final class ProxyPrefaces {

    /** What is wrong with one. */
    private enum Wrong { MISSING, CUT_OFF, LINE, SIGNATURE, COMMAND, FAMILY, SHORT, VALUE, SUM }

    /** With a and b for addresses, c and d for ports. */
    private static final String[] WRONG_LINES = {"PROXY", "PROXY ", "PROXY UNKNOWNX", "PROXY TCP4",
            "PROXY unknown", "proxy TCP4 a b c d", "PROXY  TCP4 a b c d", "PROXY TCP4 a b c",
            "PROXY TCP4 a b c d ", " PROXY UNKNOWN", "PROXY TCP4 a b c d e", "PROXY TCP6 a b c d",
            "PROXY TCP4 ::1 ::2 c d", "PROXY TCP4 0a b c d", "PROXY TCP4 a b 65536 d", "PROXY TCP4 a b 01 d",
            "PROXY TCP4 a b -1 d", "PROXY TCP4 a b c 99999", "PROXY TCP4 a.1 b c d",
            "PROXY TCP4 localhost b c d", "PROXY TCP6 ::1 :::1 c d", "PROXY\tTCP4 a b c d",
            "PROXY TCP6 1:2:3:4:5:6:7 ::1 c d", "PROXY TCP6 ::12345 ::1 c d", "PROXY UDP4 a b c d", "",
            "PROXY UNKNOWN\n", "PROXY UNKNOWN\rx", "PROXY UNKNOWN \0", "PROXY UNKNOWN " + "x".repeat(94)};

    private final SplittableRandom random;

    private ProxyPrefaces(SplittableRandom random) {
        this.random = random;
    }

    /** What one client sends; nothing where nothing is asked for. */
    static ProxyPreface.Draft draw(long seed, ListenConditions door) {
        if (!door.proxied()) return new ProxyPreface.Draft(ProxyPreface.NONE.bytes(), null, true, false,
                null);
        var random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        var drawn = new ProxyPrefaces(random);
        return random.nextInt(100) < door.wrong() ? drawn.wrong() : drawn.right();
    }

    private ProxyPreface.Draft right(byte[] bytes, InetSocketAddress client) {
        return new ProxyPreface.Draft(bytes, client, true, false, pieces());
    }

    private ProxyPreface.Draft wrong(byte[] bytes) {
        return new ProxyPreface.Draft(bytes, null, false, false, pieces());
    }

    private ProxyPreface.Pieces pieces() {
        return Conditions.pick(random, ProxyPreface.Pieces.values());
    }

    private ProxyPreface.Draft right() {
        return random.nextInt(5) < 2 ? line() : version2();
    }

    private ProxyPreface.Draft line() {
        if (random.nextInt(5) == 0) {
            String told = Conditions.pick(random, "", " ", " 1.2.3.4 5.6.7.8 1 2", " " + "x".repeat(91));
            return right(bytes("PROXY UNKNOWN" + told + "\r\n"), null);
        }
        int port = port();
        boolean four = random.nextBoolean();
        byte[] address = address(four ? 4 : 16);
        String text = four ? dotted(address, 0) : text(address);
        String line = "PROXY %s %s %s %d %d\r\n".formatted(four ? "TCP4" : "TCP6", text,
                four ? "10.0.0.1" : "::1", port, port());
        return right(bytes(line), socket(address, port));
    }

    /** Of any family, with values behind the addresses, one of which may be their sum. */
    private ProxyPreface.Draft version2() {
        int command = random.nextInt(8) == 0 ? 0x20 : 0x21;
        int family = Conditions.pick(random, 0x11, 0x11, 0x12, 0x21, 0x21, 0x22, 0x31, 0);
        byte[] ends = address(size(family));
        int port = port();
        if (family == 0) ends = address(random.nextInt(20));
        boolean inet = family >> 4 == 1 || family >> 4 == 2;
        if (inet) ByteBuffer.wrap(ends).putChar(ends.length - 4, (char) port);
        byte[] values = command == 0x20 || family == 0 ? address(random.nextInt(30)) : values();
        byte[] all = header(command, family, ends, values);
        boolean told = inet && command == 0x21;
        byte[] client = Arrays.copyOf(ends, family >> 4 == 1 ? 4 : 16);
        return right(all, told ? socket(client, port) : null);
    }

    private static int size(int family) {
        return switch (family >> 4) {
            case 1 -> 12;
            case 2 -> 36;
            case 3 -> 216;
            default -> 0;
        };
    }

    private byte[] values() {
        var all = new ArrayList<byte[]>();
        for (int i = random.nextInt(4); i > 0; i--) {
            int type = Conditions.pick(random, 1, 2, 4, 5, 0x20, 0x30, 0xE0, 0xFF);
            int most = random.nextInt(10) == 0 ? 2_000 : 40;
            all.add(value(type, address(random.nextInt(most))));
        }
        if (random.nextBoolean()) all.add(value(CHECKSUM, new byte[4]));
        if (random.nextInt(4) == 0) all.add(value(4, new byte[random.nextInt(5)]));
        return join(all.toArray(byte[][]::new));
    }

    /** All together, with its sum where there is a place for it. */
    private static byte[] header(int command, int family, byte[] ends, byte[] values) {
        byte[] all = binary(command, family, ends, values);
        if (command != PROXY || family == 0) return all;
        var read = ByteBuffer.wrap(all);
        for (int at = 16 + ends.length; at + 7 <= all.length; at += 3 + read.getChar(at + 1)) {
            boolean sum = read.get(at) == CHECKSUM && read.getChar(at + 1) == 4;
            if (sum) return withChecksumAt(at + 3, all);
        }
        return all;
    }

    private ProxyPreface.Draft wrong() {
        return switch (Conditions.pick(random, Wrong.values())) {
            case MISSING -> wrong(new byte[0]);
            case CUT_OFF -> {
                byte[] whole = right().bytes();
                byte[] cut = Arrays.copyOf(whole, random.nextInt(whole.length));
                yield new ProxyPreface.Draft(cut, null, false, true, pieces());
            }
            case LINE -> wrong(bytes(wrongLine()));
            case SIGNATURE -> {
                byte[] all = header(0x21, 0x11, address(12), values());
                all[1 + random.nextInt(11)] ^= (byte) (1 << random.nextInt(8));
                yield wrong(all);
            }
            case COMMAND -> wrong(Conditions.pick(random, 0x22, 0x2F, 0x11, 0x31, 0x01, 0), 0x11, 12);
            case FAMILY ->
                    wrong(0x21, Conditions.pick(random, 0x10, 0x13, 0x23, 0x41, 0x33, 0x01, 0xFF), 216);
            case SHORT -> {
                int family = Conditions.pick(random, 0x11, 0x21, 0x31);
                yield wrong(0x21, family, random.nextInt(size(family)));
            }
            case VALUE -> wrong(header(0x21, 0x12, address(12), wrongValue()));
            case SUM -> {
                byte[] all = header(0x21, 0x11, address(12), sums());
                // of one that is right a byte of an address is another
                all[16 + random.nextInt(12)] ^= (byte) (1 << random.nextInt(8));
                yield wrong(all);
            }
        };
    }

    private ProxyPreface.Draft wrong(int command, int family, int length) {
        return wrong(header(command, family, address(length), new byte[0]));
    }

    private String wrongLine() {
        String line = Conditions.pick(random, WRONG_LINES).replace("a", "192.0.2.1").replace("b", "10.0.0.1");
        return line.replace("c", "4000").replace("d", "80") + "\r\n";
    }

    /** Some that are right, and one that is not whole. */
    private byte[] wrongValue() {
        byte[] cut = Conditions.pick(random, new byte[] {4}, new byte[] {4, 0}, new byte[] {4, 0, 1},
                new byte[] {(byte) 0xE0, (byte) 0xFF, (byte) 0xFF, 1}, new byte[] {3, 0, 4, 1, 2, 3});
        byte[] right = random.nextBoolean() ? value(5, address(random.nextInt(50))) : new byte[0];
        return join(right, cut);
    }

    /** A place for a sum, too short or too long at times, or two. */
    private byte[] sums() {
        byte[] sum = value(CHECKSUM, new byte[Conditions.pick(random, 3, 4, 4, 4, 5)]);
        return random.nextInt(4) == 0 ? join(sum, value(CHECKSUM, new byte[4])) : sum;
    }

    private int port() {
        return random.nextInt(8) == 0 ? Conditions.pick(random, 0, 1, 9, 10, 65_535) : random.nextInt(65_536);
    }

    private byte[] address(int length) {
        var address = new byte[length];
        for (int i = 0; i < length; i++) {
            address[i] = (byte) random.nextInt(256);
        }
        return address;
    }

    private static String dotted(byte[] address, int from) {
        var text = new StringBuilder();
        for (int i = from; i < from + 4; i++) {
            text.append(i == from ? "" : ".").append(address[i] & 0xFF);
        }
        return text.toString();
    }

    /** In one of the forms of RFC 4291 §2.2; sets some to 0 to have more of these. */
    private String text(byte[] address) {
        int from = 2 * random.nextInt(4);
        int to = from + 2 * random.nextInt(1, 4);
        if (random.nextBoolean()) Arrays.fill(address, from, to, (byte) 0);
        boolean zero = Arrays.equals(address, from, to, new byte[16], from, to);
        String group = Conditions.pick(random, "%x", "%04x", "%04X");
        boolean dots = random.nextInt(4) == 0;
        var text = new StringBuilder();
        for (int i = 0; i < (dots ? 12 : 16); i += 2) {
            if (zero && i >= from && i < to) {
                if (i == from) text.append(i == 0 ? "::" : ":");
                continue;
            }
            text.append(group.formatted(ByteBuffer.wrap(address).getChar(i) + 0)).append(':');
        }
        if (dots) return text + dotted(address, 12);
        return text.substring(0, text.length() - (zero && to == 16 ? 0 : 1));
    }

    private static InetSocketAddress socket(byte[] address, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
