package org.microhttp.extras.accesslog;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes addresses. No name is ever looked up. */
final class Address {

    private static final String PORT = "(?::[\\w.-]{1,64})?";

    private static final Pattern V4 =
            Pattern.compile("([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})" + PORT);

    /** Without brackets; or in brackets, perhaps with a zone and a port. */
    private static final Pattern V6 = Pattern.compile(
            "([0-9A-Fa-f:.]{2,45})|\\[([0-9A-Fa-f:.]{2,45})(?:%[\\w.-]{1,64})?]" + PORT);

    private Address() {
    }

    /** The address in a text, which may have a port, as {@code [::1]:80}; null if there is no address. */
    static InetAddress parse(String text) {
        try {
            Matcher four = V4.matcher(text);
            if (four.matches()) {
                return four(four);
            }
            Matcher six = V6.matcher(text);
            // in brackets, getByName looks up no name and takes only an IPv6 address
            return six.matches()
                    ? InetAddress.getByName("[" + (six.group(1) == null ? six.group(2) : six.group(1)) + "]")
                    : null;
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static InetAddress four(Matcher digits) throws UnknownHostException {
        var bytes = new byte[4];
        for (int i = 0; i < 4; i++) {
            int value = Integer.parseInt(digits.group(i + 1));
            if (value > 255) {
                return null;
            }
            bytes[i] = (byte) value;
        }
        return InetAddress.getByAddress(bytes);
    }

    /** An address as it is usually written: IPv6 without its longest row of zeros (RFC 5952 §4). */
    static String text(InetAddress address) {
        String text = address.getHostAddress();
        if (address instanceof Inet4Address) {
            return text;
        }
        String groups = ":" + text + ":";
        for (int zeros = 8; zeros > 1; zeros--) {
            String row = ":0".repeat(zeros) + ":";
            int at = groups.indexOf(row);
            if (at >= 0) {
                String before = groups.substring(Math.min(1, at), at);
                String after = groups.substring(at + row.length());
                return before + "::" + after.replaceFirst(":$", "");
            }
        }
        return text;
    }
}
