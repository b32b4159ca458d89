package org.microhttp;

import static org.microhttp.Refusal.*;
import static org.microhttp.Syntax.*;

import java.net.*;
import java.util.regex.*;

/** The forms of a request target (RFC 9112 §3.2), and of the authority in it and in Host (RFC 3986 §3.2). */
final class RequestTarget {

    /** unreserved / sub-delims (RFC 3986 §2) */
    private static final boolean[] NAME =
            table(c -> isAlphanumeric(c) || "-._~!$&'()*+,;=".indexOf(c) >= 0);
    /** scheme "://" authority [ path ] [ "?" query ]: http has no other absolute form (RFC 9110 §4.2.1) */
    private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)");

    /** IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ) */
    private static final Pattern FUTURE =
            Pattern.compile("\\[[vV][0-9A-Fa-f]+\\.[-.~\\w!$&'()*+,;=:]+]");

    /** What may be an IPv6 address; the JDK, which decides, takes too many digits and leading zeros. */
    private static final Pattern IPV6 = Pattern.compile("\\[(?![^]]{0,45}(?:[0-9A-Fa-f]{5}"
            + "|[:.]0[0-9]{1,3}\\.|\\.0[0-9]{1,3}]))[0-9A-Fa-f:.]{2,45}+]");

    private RequestTarget() { }

    /**
     * Checks a target of visible characters; {@code "*"} is for OPTIONS alone, and nothing is for CONNECT.
     */
    static void check(String method, String target) throws RefusalException {
        CONNECT.when(method.equals("CONNECT"));
        if (target.startsWith("/") || target.equals("*") && method.equals("OPTIONS")) return;
        Matcher absolute = ABSOLUTE.matcher(target);
        BAD_TARGET.unless(absolute.lookingAt());
        String authority = absolute.group(1);
        TARGET_USERINFO.when(authority.contains("@"));
        byte[] bytes = octets(authority);
        BAD_TARGET.unless(isAuthority(bytes, 0, bytes.length));
    }

    /** uri-host [ ":" port ], where uri-host = IP-literal / reg-name, but not empty (RFC 9110 §4.2.1) */
    static boolean isAuthority(byte[] bytes, int from, int to) {
        if (from == to) return false;
        int end = bytes[from] == '[' ? endOfLiteral(bytes, from, to) : endOfName(bytes, from, to);
        if (end <= from) return false;
        return end == to || bytes[end] == ':' && isPort(bytes, end + 1, to);
    }

    /** reg-name = *( unreserved / pct-encoded / sub-delims ); -1 for a broken escape. */
    private static int endOfName(byte[] bytes, int from, int to) {
        int end = endOf(NAME, bytes, from, to);
        while (end < to && bytes[end] == '%') {
            if (to - end < 3 || endOf(HEXDIG, bytes, end + 1, end + 3) < end + 3) return -1;
            end = endOf(NAME, bytes, end + 3, to);
        }
        return end;
    }

    /** IP-literal = "[" ( IPv6address / IPvFuture ) "]"; -1 if it is none. */
    private static int endOfLiteral(byte[] bytes, int from, int to) {
        String rest = text(bytes, from, to);
        String literal = rest.substring(0, rest.indexOf(']') + 1);
        boolean valid = FUTURE.matcher(literal).matches() || isIpv6(literal);
        return valid ? from + literal.length() : -1;
    }

    private static boolean isIpv6(String bracketed) {
        if (!IPV6.matcher(bracketed).matches()) return false;
        try {
            // the JDK knows the grammar; the brackets keep it from asking a name service
            return InetAddress.getByName(bracketed) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Up to 65535, with any zeros in front; none at all is allowed, too. */
    private static boolean isPort(byte[] bytes, int from, int to) {
        int port = 0;
        for (int i = from; i < to && port <= 65_535; i++) {
            if (!DIGIT[bytes[i] & 0xFF]) return false;
            port = port * 10 + bytes[i] - '0';
        }
        return port <= 65_535;
    }
}
