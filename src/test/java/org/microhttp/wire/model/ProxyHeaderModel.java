package org.microhttp.wire.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.*;
import java.util.*;
import java.util.zip.CRC32C;

/**
 * What the text of the PROXY protocol (sections 2.1 and 2.2) says of the octets at the beginning of a
 * connection. Where it leaves a choice this reader makes that of the server: values that do not fill the
 * header exactly, a second checksum, control characters in a line are wrong; an address of version 6 may end
 * as one of version 4.
 */
public final class ProxyHeaderModel {

    /**
     * What comes of them.
     *
     * @param length of the header; 0 if it is wrong, less if more octets are needed
     * @param client null if the header does not tell
     */
    public record Verdict(int length, InetSocketAddress client) {

        public boolean isTaken() {
            return length > 0;
        }
    }

    public static final Verdict WRONG = new Verdict(0, null);
    public static final Verdict MORE = new Verdict(-1, null);

    private static final String SIGNATURE = "\r\n\r\n\0\r\nQUIT\n";
    private static final int LONGEST_LINE = 107;

    private ProxyHeaderModel() {
    }

    public static Verdict read(byte[] input) {
        try {
            String text = new String(input, ISO_8859_1);
            return text.startsWith("\r") ? readBinary(input, text) : readLine(text);
        } catch (IllegalArgumentException | UnknownHostException e) {
            return WRONG;
        }
    }

    private static Verdict readLine(String text) throws UnknownHostException {
        String first = text.substring(0, Math.min(text.length(), LONGEST_LINE));
        int end = first.indexOf("\r\n");
        if (end < 0) {
            return first.length() < LONGEST_LINE ? MORE : WRONG;
        }
        String line = first.substring(0, end);
        require(line.chars().allMatch(c -> c == '\t' || c >= ' ' && c != 0x7F));
        if (line.equals("PROXY UNKNOWN") || line.startsWith("PROXY UNKNOWN ")) {
            return new Verdict(end + 2, null);
        }
        String[] words = line.split(" ", -1);
        require(words.length == 6 && words[0].equals("PROXY") && List.of("TCP4", "TCP6").contains(words[1]));
        int size = words[1].equals("TCP4") ? 4 : 16;
        byte[] source = address(words[2], size);
        address(words[3], size);
        int port = number(words[4], 65_535);
        number(words[5], 65_535);
        return new Verdict(end + 2, new InetSocketAddress(InetAddress.getByAddress(source), port));
    }

    private static byte[] address(String text, int size) {
        List<Integer> octets = size == 4 ? dotted(text) : grouped(text);
        require(octets.size() == size);
        byte[] address = new byte[size];
        for (int i = 0; i < size; i++) {
            address[i] = octets.get(i).byteValue();
        }
        return address;
    }

    private static List<Integer> dotted(String text) {
        String[] numbers = text.split("\\.", -1);
        require(numbers.length == 4);
        return Arrays.stream(numbers).map(number -> number(number, 255)).toList();
    }

    /** Two colons in a row stand for as many zeroes as are missing, once. */
    private static List<Integer> grouped(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return groups(text);
        }
        List<Integer> before = groups(text.substring(0, gap));
        List<Integer> after = groups(text.substring(gap + 2));
        // in front of the gap there are only groups
        require(text.substring(0, gap).indexOf('.') < 0);
        int missing = 16 - before.size() - after.size();
        require(missing >= 2);
        var all = new ArrayList<>(before);
        all.addAll(java.util.Collections.nCopies(missing, 0));
        all.addAll(after);
        return all;
    }

    private static List<Integer> groups(String text) {
        var octets = new ArrayList<Integer>();
        if (text.isEmpty()) {
            return octets;
        }
        String[] groups = text.split(":", -1);
        for (int i = 0; i < groups.length; i++) {
            if (i == groups.length - 1 && groups[i].indexOf('.') >= 0) {
                octets.addAll(dotted(groups[i]));
                continue;
            }
            require(groups[i].length() >= 1 && groups[i].length() <= 4);
            require(groups[i].chars().allMatch(c -> "0123456789abcdefABCDEF".indexOf(c) >= 0));
            int value = Integer.parseInt(groups[i], 16);
            octets.add(value >> 8);
            octets.add(value & 0xFF);
        }
        return octets;
    }

    /** In decimal digits, without zeroes in front. */
    private static int number(String text, int most) {
        require(!text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9'));
        require(text.length() == 1 || text.charAt(0) != '0');
        int value = Integer.parseInt(text);
        require(value <= most);
        return value;
    }

    private static Verdict readBinary(byte[] input, String text) throws UnknownHostException {
        if (input.length < 16) {
            return MORE;
        }
        require(text.startsWith(SIGNATURE));
        int total = 16 + 256 * text.charAt(14) + text.charAt(15);
        if (input.length < total) {
            return MORE;
        }
        int command = text.charAt(12);
        require(command == 0x20 || command == 0x21);
        int family = text.charAt(13);
        var own = new Verdict(total, null);
        if (command == 0x20 || family == 0) {
            return own;
        }
        require(Set.of(0x11, 0x12, 0x21, 0x22, 0x31, 0x32).contains(family));
        int size = new int[] {0, 4, 16, 108}[family >> 4];
        int values = 16 + 2 * size + (size == 108 ? 0 : 4);
        require(values <= total);
        checkValues(input, text, values, total);
        if (size == 108) {
            return own;
        }
        var address = InetAddress.getByAddress(Arrays.copyOfRange(input, 16, 16 + size));
        int port = 256 * text.charAt(16 + 2 * size) + text.charAt(17 + 2 * size);
        return new Verdict(total, new InetSocketAddress(address, port));
    }

    private static void checkValues(byte[] input, String text, int from, int total) {
        int sums = 0;
        int at = from;
        while (at < total) {
            require(at + 3 <= total);
            int length = 256 * text.charAt(at + 1) + text.charAt(at + 2);
            require(at + 3 + length <= total);
            if (text.charAt(at) == 3) {
                sums++;
                require(length == 4 && sums == 1);
                checkSum(input, at + 3, total);
            }
            at += 3 + length;
        }
    }

    private static void checkSum(byte[] input, int at, int total) {
        byte[] header = Arrays.copyOf(input, total);
        Arrays.fill(header, at, at + 4, (byte) 0);
        var sum = new CRC32C();
        sum.update(header);
        for (int i = 0; i < 4; i++) {
            require(input[at + i] == (byte) (sum.getValue() >> 24 - 8 * i));
        }
    }

    private static void require(boolean right) {
        if (!right) {
            throw new IllegalArgumentException("not by the rules");
        }
    }
}
