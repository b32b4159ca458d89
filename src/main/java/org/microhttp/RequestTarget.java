package org.microhttp;

import static org.microhttp.Refusal.*;
import static org.microhttp.Syntax.*;

import java.util.regex.*;

/** The forms of a request target (RFC 9112 §3.2), and of the authority in it and in Host (RFC 3986 §3.2). */
final class RequestTarget {

    /** unreserved / sub-delims (RFC 3986 §2) */
    private static final boolean[] NAME =
            table(c -> isAlphanumeric(c) || "-._~!$&'()*+,;=".indexOf(c) >= 0);
    /** scheme "://" authority [ path ] [ "?" query ]: http has no other absolute form (RFC 9110 §4.2.1) */
    private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)");

    /** IP-literal = "[" ( IPv6address / IPvFuture ) "]", in the forms that the RFC has of the first. */
    private static final Pattern LITERAL = Pattern.compile(("\\[((h16:){6}ls32|::(h16:){5}ls32"
            + "|(h16)?::(h16:){4}ls32|((h16:){0,1}h16)?::(h16:){3}ls32|((h16:){0,2}h16)?::(h16:){2}ls32"
            + "|((h16:){0,3}h16)?::h16:ls32|((h16:){0,4}h16)?::ls32|((h16:){0,5}h16)?::h16"
            + "|((h16:){0,6}h16)?::|[vV][0-9A-Fa-f]+\\.[-.~\\w!$&'()*+,;=:]+)]")
            .replace("ls32", "(h16:h16|octet(\\.octet){3})").replace("h16", "[0-9A-Fa-f]{1,4}")
            .replace("octet", "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"));

    private RequestTarget() { }

    /**
     * Checks a target of visible characters; {@code "*"} is for OPTIONS alone, and nothing is for CONNECT.
     */
    static void check(String method, String target) {
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
        return end > from && (end == to || bytes[end] == ':' && isPort(bytes, end + 1, to));
    }

    /** reg-name = *( unreserved / pct-encoded / sub-delims ); up to a broken escape. */
    private static int endOfName(byte[] bytes, int from, int to) {
        int end = endOf(NAME, bytes, from, to);
        while (end + 2 < to && bytes[end] == '%' && endOf(HEXDIG, bytes, end + 1, end + 3) == end + 3) {
            end = endOf(NAME, bytes, end + 3, to);
        }
        return end;
    }

    /** Says where the literal ends: where it begins, if it is none. */
    private static int endOfLiteral(byte[] bytes, int from, int to) {
        Matcher literal = LITERAL.matcher(text(bytes, from, to));
        return literal.lookingAt() ? from + literal.end() : from;
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
