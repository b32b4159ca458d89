package org.microhttp;

import static org.microhttp.HttpError.refuseIf;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The forms of a request target (RFC 9112 §3.2), and of the authority in it and in Host (RFC 3986 §3.2). */
final class RequestTarget {

    private static final boolean[] SCHEME = Syntax.join(Syntax.ALNUM, Syntax.of("+-."));
    private static final boolean[] IPV6 = Syntax.join(Syntax.HEXDIG, Syntax.of(":."));

    /** unreserved and sub-delims; percent escapes are looked at by themselves */
    private static final boolean[] REG_NAME = Syntax.join(Syntax.ALNUM, Syntax.of("-._~!$&'()*+,;="));

    private RequestTarget() { }

    /**
     * Checks a target of visible characters; {@code "*"} is for OPTIONS alone, and an authority for CONNECT.
     */
    static void check(String method, byte[] bytes, int from, int to) throws HttpError {
        boolean connect = method.equals("CONNECT");
        boolean authority = connect && isAuthority(bytes, from, to) && endOfHost(bytes, from, to) + 1 < to;
        refuseIf(authority, 501, "connect: CONNECT is not supported (RFC 9110 §9.3.6)");
        boolean asterisk = to - from == 1 && bytes[from] == '*' && method.equals("OPTIONS");
        boolean valid = !connect && (bytes[from] == '/' || asterisk || isAbsolute(bytes, from, to));
        refuseIf(!valid, 400, "bad_target: the target is in none of the four forms (RFC 9112 §3.2)");
    }

    /** absolute-form, with the authority that http requires: scheme "://" authority [ path ] [ "?" query ] */
    private static boolean isAbsolute(byte[] bytes, int from, int to) throws HttpError {
        int colon = Syntax.endOf(SCHEME, bytes, from, to);
        int authority = colon + 3;
        boolean scheme = Character.isLetter(bytes[from]) && authority <= to;
        if (!scheme || !Syntax.equals(bytes, colon, authority, "://")) return false;
        int end = authority;
        for (; end < to && "/?#".indexOf(bytes[end]) < 0; end++) {
            refuseIf(bytes[end] == '@', 400, "target_userinfo: the target has userinfo (RFC 9110 §4.2.4)");
        }
        return isAuthority(bytes, authority, end);
    }

    /** uri-host [ ":" port ]; http has no empty host (RFC 9110 §4.2.1), and TCP no port above 65535. */
    static boolean isAuthority(byte[] bytes, int from, int to) {
        int end = endOfHost(bytes, from, to);
        if (end == to) return to > from;
        int port = 0;
        for (int i = end + 1; i < to && port <= 65_535; i++) {
            port = Syntax.DIGIT[bytes[i] & 0xFF] ? port * 10 + bytes[i] - '0' : 65_536;
        }
        return end > from && bytes[end] == ':' && port <= 65_535;
    }

    /**
     * Says where uri-host = IP-literal / IPv4address / reg-name ends; before {@code from} if it is not one.
     */
    private static int endOfHost(byte[] bytes, int from, int to) {
        if (from < to && bytes[from] == '[') {
            int end = Syntax.endOf(IPV6, bytes, from + 1, to);
            return end < to && bytes[end] == ']' && isIpv6(Syntax.text(bytes, from, end + 1)) ? end + 1 : -1;
        }
        int i = Syntax.endOf(REG_NAME, bytes, from, to);
        while (i < to && bytes[i] == '%') {
            if (Syntax.endOf(Syntax.HEXDIG, bytes, i + 1, Math.min(i + 3, to)) != i + 3) return -1;
            i = Syntax.endOf(REG_NAME, bytes, i + 3, to);
        }
        return i;
    }

    /** The JDK knows the grammar; the brackets keep it from asking a name service. */
    private static boolean isIpv6(String literal) {
        try {
            return literal.contains(":") && InetAddress.getByName(literal) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
