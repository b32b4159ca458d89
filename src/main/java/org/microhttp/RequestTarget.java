package org.microhttp;

import static org.microhttp.Refusal.*;
import static org.microhttp.Syntax.*;

import java.util.regex.Matcher;

/** The forms of a request target (RFC 9112 §3.2), and of the authority in it and in Host (RFC 3986 §3.2). */
final class RequestTarget {

    /** unreserved / sub-delims (RFC 3986 §2) */
    private static final boolean[] NAME = table("09AZaz!!$$&.;;==__~~");

    /** scheme "://" authority [ path ] [ "?" query ]: http has no other absolute form (RFC 9110 §4.2.1) */
    static final String ABSOLUTE = "[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)";

    /** IPv4address (RFC 3986 §3.2.2): without zeros in front, for some take them for octal. */
    static final String IPV4 =
            "(octet(\\.octet){3})".replace("octet", "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])");

    /** IPv6address, in the forms that the RFC has of it. */
    static final String IPV6 = ("((h16:){6}ls32|::(h16:){5}ls32|(h16)?::(h16:){4}ls32"
            + "|((h16:){0,1}h16)?::(h16:){3}ls32|((h16:){0,2}h16)?::(h16:){2}ls32|((h16:){0,3}h16)?::h16:ls32"
            + "|((h16:){0,4}h16)?::ls32|((h16:){0,5}h16)?::h16|((h16:){0,6}h16)?::)")
            .replace("ls32", "(h16:h16|" + IPV4 + ")").replace("h16", "[0-9A-Fa-f]{1,4}");

    /** A number of up to 65535 that is not 0, without zeros in front. */
    static final String PORT = "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}"
            + "|655[0-2][0-9]|6553[0-5])";

    /** pct-encoded, and what stands for it: no octet, and of a name alone. */
    private static final String ESCAPE = "%[0-9A-Fa-f]{2}";
    private static final String ESCAPED = "\u0100";

    /** uri-host [ ":" port ], where uri-host = "[" ( IPv6address / IPvFuture ) "]" / reg-name */
    private static final String AUTHORITY = "(\\[(" + IPV6 + "|[vV][0-9A-Fa-f]+\\.[-.~\\w!$&'()*+,;=:]+)]"
            + "|[-.~\\w!$&'()*+,;=" + ESCAPED + "]++)(:0*+" + PORT + "?)?";

    private RequestTarget() { }

    /**
     * Checks a target of visible characters; {@code "*"} is for OPTIONS alone, and nothing is for CONNECT.
     */
    static void check(String method, String target) {
        CONNECT.when(method.equals("CONNECT"));
        if (target.startsWith("/") || target.equals("*") && method.equals("OPTIONS")) return;
        Matcher absolute = matcher(ABSOLUTE, target);
        BAD_TARGET.unless(absolute.lookingAt());
        String authority = absolute.group(1);
        TARGET_USERINFO.when(authority.contains("@"));
        BAD_TARGET.unless(isAuthority(octets(authority + " "), 0, authority.length()));
    }

    /**
     * A name must not be empty (RFC 9110 §4.2.1); a port may be, and may have zeros in front. Something that
     * is in no authority must be behind it.
     */
    static boolean isAuthority(byte[] bytes, int from, int to) {
        // most need no pattern: a name or groups of digits, and a port that has no more than five digits
        int end = bytes[from] == '[' ? endOfGroups(bytes, from, to) : endOf(NAME, bytes, from, to);
        int digits = to - end - 1;
        boolean port = digits > 0 && bytes[end] == ':' && endOf(DIGIT, bytes, end + 1, to) == to
                && digits <= 5 && Integer.parseInt(text(bytes, end + 1, to)) <= 65_535;
        return end > from && (end == to || port) || isAuthority(text(bytes, from, to));
    }

    /** Where "[" IPv6address "]" ends: eight groups, or fewer and "::" in front or among them; else from. */
    private static int endOfGroups(byte[] bytes, int from, int to) {
        boolean leading = matches(bytes, from + 1, Math.min(from + 3, to), "::", EXACTLY);
        int groups = 0, gaps = leading ? -1 : 0, at = from;
        do {
            int end = endOf(HEXDIG, bytes, at + 1, Math.min(at + 5, to));
            if (end > at + 1) {
                groups++;
            } else {
                gaps++;
            }
            at = end;
        } while (at < to && bytes[at] == ':');
        boolean whole = groups == 8 ? gaps == 0 : groups > 0 && groups < 8 && gaps == 1;
        boolean closed = at < to && bytes[at] == ']' && bytes[at - 1] != ':';
        return whole && closed && (leading || bytes[from + 1] != ':') ? at + 1 : from;
    }

    private static boolean isAuthority(String text) {
        return matcher(AUTHORITY, matcher(ESCAPE, text).replaceAll(ESCAPED)).matches();
    }
}
