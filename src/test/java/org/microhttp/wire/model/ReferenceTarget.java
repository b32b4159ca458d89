package org.microhttp.wire.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Request targets and authorities by the grammar of RFC 9112 §3.2 and RFC 3986, for {@link
 * ReferenceParser}.
 */
public final class ReferenceTarget {

    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    static final String IPV4 = OCTET + "(?:\\." + OCTET + "){3}";
    private static final String H16 = "[0-9A-Fa-f]{1,4}";
    private static final String LS32 = "(?:" + H16 + ":" + H16 + "|" + IPV4 + ")";

    /** The nine lines of RFC 3986, in its order. */
    static final String IPV6 = "(?:"
            + "(?:" + H16 + ":){6}" + LS32
            + "|::(?:" + H16 + ":){5}" + LS32
            + "|(?:" + H16 + ")?::(?:" + H16 + ":){4}" + LS32
            + "|(?:(?:" + H16 + ":){0,1}" + H16 + ")?::(?:" + H16 + ":){3}" + LS32
            + "|(?:(?:" + H16 + ":){0,2}" + H16 + ")?::(?:" + H16 + ":){2}" + LS32
            + "|(?:(?:" + H16 + ":){0,3}" + H16 + ")?::" + H16 + ":" + LS32
            + "|(?:(?:" + H16 + ":){0,4}" + H16 + ")?::" + LS32
            + "|(?:(?:" + H16 + ":){0,5}" + H16 + ")?::" + H16
            + "|(?:(?:" + H16 + ":){0,6}" + H16 + ")?::)";

    private static final String REG_NAME = "(?:[A-Za-z0-9._~!$&'()*+;=-]|%[0-9A-Fa-f]{2})++";

    private static final String IP_FUTURE = "[vV][0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+;=:-]+";

    private static final Pattern AUTHORITY =
            Pattern.compile("(?:\\[(?:" + IPV6 + "|" + IP_FUTURE + ")\\]|" + REG_NAME + ")(?::([0-9]*))?");

    private static final Pattern ABSOLUTE =
            Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*+)(?:[/?#].*)?");

    private ReferenceTarget() {
    }

    /** uri-host [ ":" port ], the host not empty and without a comma, the port at most 65535. */
    public static boolean isAuthority(String text) {
        Matcher matcher = AUTHORITY.matcher(text);
        return matcher.matches() && port(matcher.group(1)).compareTo("65535") <= 0;
    }

    /** Five digits, so that they compare as numbers do; one that has more sorts behind all. */
    private static String port(String digits) {
        String number = digits == null ? "" : digits.replaceFirst("^0+", "");
        return number.length() > 5 ? "9" : "0".repeat(5 - number.length()) + number;
    }

    /** origin-form, asterisk-form for OPTIONS, absolute-form without userinfo. */
    static boolean isServed(String target, String method) {
        Matcher absolute = ABSOLUTE.matcher(target);
        return target.startsWith("/") || target.equals("*") && method.equals("OPTIONS")
                || absolute.matches() && isAuthority(absolute.group(1));
    }
}
