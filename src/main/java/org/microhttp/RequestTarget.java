package org.microhttp;

import static org.microhttp.Syntax.refuseIf;

import java.net.*;
import java.util.regex.*;

/** The forms of a request target (RFC 9112 §3.2), and of the authority in it and in Host (RFC 3986 §3.2). */
final class RequestTarget {

    /** scheme "://" authority [ path ] [ "?" query ]: http has no other absolute form (RFC 9110 §4.2.1) */
    private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][0-9A-Za-z+.-]*://([^/?#]*).*");

    /** uri-host [ ":" port ], where uri-host = IP-literal / reg-name, but not empty (RFC 9110 §4.2.1) */
    private static final Pattern AUTHORITY = Pattern.compile(
            ("(?:(\\[(?![^]]{0,45}(?:HEX{5}|[:.]0[0-9]{1,3}\\.|\\.0[0-9]{1,3}]))[0-9A-Fa-f:.]{2,45}+])"
            + "|\\[[vV]HEX++\\.[:NAME]++]|(?:[NAME]++|%HEX{2})++)(?::0*+([0-9]{0,5}))?")
            .replace("HEX", "[0-9A-Fa-f]").replace("NAME", "0-9A-Za-z._~!$&'()*+,;=-"));

    private static final boolean[] NAME = Syntax.table(c -> Syntax.isAlphanumeric(c) || ".-".indexOf(c) >= 0);

    private RequestTarget() { }

    /**
     * Checks a target of visible characters; {@code "*"} is for OPTIONS alone, and an authority for CONNECT.
     */
    static void check(String method, String target) throws HttpError {
        boolean connect = method.equals("CONNECT");
        boolean asterisk = target.equals("*") && method.equals("OPTIONS");
        if (!connect && (target.startsWith("/") || asterisk)) return;
        boolean authority = connect && target.matches(".*:[0-9]+") && isAuthority(target);
        refuseIf(authority, 501, "connect: CONNECT is not supported (RFC 9110 §9.3.6)");
        refuseIf(connect || !isAbsolute(target), 400, "bad_target: of none of four forms (RFC 9112 §3.2)");
    }

    private static boolean isAbsolute(String target) throws HttpError {
        Matcher absolute = ABSOLUTE.matcher(target);
        if (!absolute.matches()) return false;
        String authority = absolute.group(1);
        refuseIf(authority.contains("@"), 400, "target_userinfo: the target has userinfo (RFC 9110 §4.2.4)");
        return isAuthority(authority);
    }

    static boolean isAuthority(byte[] bytes, int from, int to) {
        // the common case without a pattern: name or IPv4 address, and a port of at most four digits
        int end = Syntax.endOf(NAME, bytes, from, to);
        boolean port = end < to && bytes[end] == ':' && to - end <= 5
                && Syntax.endOf(Syntax.DIGIT, bytes, end + 1, to) == to;
        return end > from && (end == to || port) || isAuthority(Syntax.text(bytes, from, to));
    }

    private static boolean isAuthority(String text) {
        Matcher authority = AUTHORITY.matcher(text);
        if (!authority.matches()) return false;
        String port = authority.group(2);
        if (port != null && Integer.parseInt("0" + port) > 65_535) return false;
        try {
            // the JDK knows the grammar of IPv6; the brackets keep it from asking a name service
            return authority.group(1) == null || InetAddress.getByName(authority.group(1)) != null;
        } catch (UnknownHostException e) { return false; }
    }
}
