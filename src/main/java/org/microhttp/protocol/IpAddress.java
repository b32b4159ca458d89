package org.microhttp.protocol;

import static org.microhttp.protocol.Syntax.*;

/** The grammar of IP addresses (RFC 3986 §3.2.2): in Host and targets, in networks and PROXY headers. */
final class IpAddress {

    /** IPv4address, without leading zeros, which some programs take for octal. */
    private static final String V4 =
            "number(\\.number){3}".replace("number", "([1-9]?[0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])");

    private IpAddress() { }

    static boolean isV4(String text) { return matcher(V4, text).matches(); }

    static boolean isV6(String text) { return isV6(bytes(text + "]"), 0, text.length()); }

    /**
     * Says whether bytes are an IPv6address. It has eight groups of hexadecimal digits, or fewer and one
     * "::"; an IPv4address may stand for the last two. The byte after them must be one that no address has.
     * (A regular expression takes ten times as long.)
     * <p>
     * The loop reads groups and the colons between them. In {@code 1:2::3} it stops at the end, after three
     * groups and a gap. In {@code ::1.2.3.4} it stops at the first period, after a gap and the group "1"; the
     * IPv4address begins with that group, and is one more.
     */
    static boolean isV6(byte[] bytes, int from, int to) {
        int groups = 0, gaps = 0, at = from, end;
        while (true) {
            end = endOf(HEXDIG, bytes, at, Math.min(at + 4, to));
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
        if (end < to) {
            if (at == from || !isV4(text(bytes, at, to))) return false;
            groups++;
        }
        return groups == 8 && gaps == 0 || groups < 8 && gaps == 1;
    }
}
