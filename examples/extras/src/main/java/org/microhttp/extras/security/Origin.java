package org.microhttp.extras.security;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The origin of a page, as a browser sends it (RFC 6454 §6.2). */
final class Origin {

    private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9+.-]*)://"
            + "(([a-z0-9._-]+|\\[[0-9a-f:.]+])(?::([1-9][0-9]{0,4}))?)");

    private Origin() {
    }

    /** Says whether a browser could send this; browsers never send the default port of the scheme. */
    static boolean isValid(String text) {
        Matcher origin = FORM.matcher(text);
        if (!origin.matches()) {
            return false;
        }
        String port = "" + origin.group(4);
        String scheme = origin.group(1);
        return !(scheme.equals("http") && port.equals("80") || scheme.equals("https") && port.equals("443"));
    }

    /** Throws an exception if no browser could send this, or if it is {@code null}. */
    static void check(String text) {
        if (!isValid(text)) {
            throw new IllegalArgumentException("an origin is \"" + text
                    + "\"; allowed: as a browser sends it, such as https://example.com");
        }
    }

    /** Says whether a web page is of a host. A missing port is the default of the page's scheme. */
    static boolean isOf(String text, String host) {
        String origin = text.toLowerCase(Locale.ROOT);
        String own = host(origin);
        String port = origin.startsWith("https") ? ":443" : ":80";
        return own != null && host != null
                && withPort(own, port).equals(withPort(host.toLowerCase(Locale.ROOT), port));
    }

    private static String withPort(String host, String port) {
        return host.matches(".*:[0-9]+") ? host : host + port;
    }

    /** {@return the host and the port of an http or https origin; null for another text} */
    static String host(String text) {
        Matcher origin = FORM.matcher(text);
        boolean web = origin.matches() && origin.group(1).matches("https?");
        return web ? origin.group(2) : null;
    }
}
