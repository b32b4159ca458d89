package org.microhttp.extras.security;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The origin of a page, as a browser sends it (RFC 6454 §6.2). */
final class Origin {

    private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9+.-]*)://"
            + "(([a-z0-9._-]+|\\[[0-9a-f:.]+])(?::([1-9][0-9]{0,4}))?)");

    private Origin() {
    }

    /** Says whether a browser could send this: also not a port that the scheme has by default. */
    static boolean isValid(String text) {
        Matcher origin = FORM.matcher(text);
        if (!origin.matches()) {
            return false;
        }
        String port = "" + origin.group(4);
        String scheme = origin.group(1);
        return !(scheme.equals("http") && port.equals("80") || scheme.equals("https") && port.equals("443"));
    }

    /** {@return the host and the port of a page of the web; null if it has none} */
    static String host(String text) {
        Matcher origin = FORM.matcher(text);
        boolean web = origin.matches() && origin.group(1).matches("https?");
        return web ? origin.group(2) : null;
    }
}
