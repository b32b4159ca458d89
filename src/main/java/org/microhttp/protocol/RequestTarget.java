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

    /** The characters of an IPv6address. */
    private static final boolean[] ADDRESS = table("09AFaf..::");

    /** An IP literal that is an IPvFuture. */
    private static final String FUTURE = "\\[[vV][0-9A-Fa-f]+\\.[-.~\\w!$&'()*+;=:]+]";

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
        BAD_TARGET.refuseUnless(isAuthority(bytes(authority + " "), 0, authority.length()));
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
     * reg-name, without a comma. A name must not be empty (RFC 9110 §4.2.1). A port may be empty, and may
     * begin with zeros. The byte after the authority must be one that no authority has.
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

    /** Returns where an IP literal ends; {@code from} if there is none. */
    private static int endOfLiteral(byte[] bytes, int from, int to) {
        int end = endOf(ADDRESS, bytes, from + 1, to);
        if (bytes[end] == ']' && IpAddress.isV6(bytes, from + 1, end)) return end + 1;
        Matcher future = matcher(FUTURE, text(bytes, from, to));
        return future.lookingAt() ? from + future.end() : from;
    }
}
