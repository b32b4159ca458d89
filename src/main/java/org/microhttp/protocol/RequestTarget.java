package org.microhttp.protocol;

import static org.microhttp.protocol.Refusal.*;
import static org.microhttp.protocol.Syntax.*;

import java.util.regex.Matcher;

/** The forms of a request target (RFC 9112 §3.2) and of the authority in it and in Host (RFC 3986 §3.2). */
public final class RequestTarget {

    /** unreserved / sub-delims (RFC 3986 §2), but no comma: a proxy takes it for a list of hosts. */
    private static final boolean[] NAME = table("09AZaz!!$$&+-.;;==__~~");

    /**
     * The start of scheme "://" authority [ path ] [ "?" query ], with the path's first slash: http has no
     * other absolute form (RFC 9110 §4.2.1).
     */
    public static final String ABSOLUTE = "^[A-Za-z][A-Za-z0-9+.-]*+://([^/?#]*+)/?";

    /** IPv4address (RFC 3986 §3.2.2), without leading zeros, which some programs take for octal. */
    static final String IPV4 =
            "(octet(\\.octet){3})".replace("octet", "([1-9]?[0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])");

    /** IPv6address, in the nine forms of the RFC. */
    static final String IPV6 = ("((h16:){6}ls32|::(h16:){5}ls32|(h16)?::(h16:){4}ls32"
            + "|((h16:){0,1}h16)?::(h16:){3}ls32|((h16:){0,2}h16)?::(h16:){2}ls32|((h16:){0,3}h16)?::h16:ls32"
            + "|((h16:){0,4}h16)?::ls32|((h16:){0,5}h16)?::h16|((h16:){0,6}h16)?::)")
            .replace("ls32", "(h16:h16|" + IPV4 + ")").replace("h16", "[0-9A-Fa-f]{1,4}");

    /** The other ends of an IP literal than a group: an IPv4address, or an IPvFuture. */
    private static final String TAIL = ":" + IPV4 + "(?=])|\\[[vV][0-9A-Fa-f]+\\.[-.~\\w!$&'()*+;=:]+(?=])";

    private RequestTarget() { }

    /** Checks a target of visible characters. {@code "*"} is for OPTIONS alone; CONNECT is not supported. */
    static void check(String method, String target) {
        CONNECT.refuseIf(method.equals("CONNECT"));
        if (target.startsWith("/") || target.equals("*") && method.equals("OPTIONS")) return;
        Matcher absolute = matcher(ABSOLUTE, target);
        BAD_TARGET.refuseUnless(absolute.lookingAt());
        String authority = absolute.group(1);
        TARGET_USERINFO.refuseIf(authority.contains("@"));
        COMMA_IN_AUTHORITY.refuseIf(authority.contains(","));
        BAD_TARGET.refuseUnless(isAuthority(octets(authority + " "), 0, authority.length()));
    }

    /** Says whether a target of visible characters passes {@link #check}. */
    public static boolean isValid(String method, String target) {
        try {
            check(method, target);
            return true;
        } catch (RefusalException e) {
            return false;
        }
    }

    /**
     * Says whether bytes are uri-host [ ":" port ], where uri-host = "[" ( IPv6address / IPvFuture ) "]" /
     * reg-name, without a comma. A name must not be empty (RFC 9110 §4.2.1); a port may be, and may begin
     * with zeros. The byte after the authority must be one that no authority has.
     */
    static boolean isAuthority(byte[] bytes, int from, int to) {
        int end = endOf(NAME, bytes, from, to);
        // pct-encoded (RFC 3986 §2.1)
        while (bytes[end] == '%' && endOf(HEXDIG, bytes, end + 1, end + 3) == end + 3) {
            end = endOf(NAME, bytes, end + 3, to);
        }
        if (bytes[from] == '[') end = endOfLiteral(bytes, from, to);
        boolean port = bytes[end] == ':' && endOf(DIGIT, bytes, end + 1, to) == to
                && number(bytes, end + 1, to, 10) <= 65_535;
        return end > from && (end == to || port);
    }

    /**
     * Returns where an IP literal ends; {@code from} if it is none. An IPv6address has eight groups of
     * hexadecimal digits, or fewer and one "::"; an IPv4address may stand for the last two. (Matching
     * {@link #IPV6} takes ten times as long.)
     * <p>
     * The loop reads groups and the colons between them. In {@code [1:2::3]} it stops at the bracket, after
     * three groups and a gap. In {@code [::1.2.3.4]} it stops at the first period, after a gap and the group
     * "1"; the expression then matches the address from the colon before it, which is one more group.
     */
    private static int endOfLiteral(byte[] bytes, int from, int to) {
        int groups = 0, gaps = 0, at = from + 1, end;
        while (true) {
            end = endOf(HEXDIG, bytes, at, at + 4);
            if (end > at) groups++;
            if (matches(bytes, end, end + 2, "::", EXACTLY)) {
                gaps++;
                at = end + 2;
            } else if (end > at && bytes[end] == ':' && HEXDIG[bytes[end + 1] & 0xFF]) {
                at = end + 1;
            } else {
                break;
            }
        }
        if (bytes[end] != ']') {
            Matcher tail = matcher(TAIL, text(bytes, at - 1, to));
            if (!tail.lookingAt()) return from;
            end = at - 1 + tail.end();
            if (at == from + 1) return end + 1;
            groups++;
        }
        return groups == 8 && gaps == 0 || groups < 8 && gaps == 1 ? end + 1 : from;
    }
}
