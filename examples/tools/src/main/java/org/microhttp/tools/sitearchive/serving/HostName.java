package org.microhttp.tools.sitearchive.serving;

import java.util.Locale;
import org.microhttp.Request;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/** The host that a request is for, as archives and their keys are named by it. */
final class HostName {

    private HostName() {
    }

    /**
     * {@return the host in lower case, without its port and the dot at its end; the default one for a request
     * that names none}
     */
    static String of(Request request) {
        String host = name(authority(request)).toLowerCase(Locale.ROOT);
        String bare = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return bare.isEmpty() ? ArchiveFormat.DEFAULT_HOST : bare;
    }

    /** That of the absolute form goes before the field (RFC 9112 §3.2.2), which HTTP/1.0 need not have. */
    private static String authority(Request request) {
        String target = request.target();
        int scheme = target.startsWith("/") ? -1 : target.indexOf("://");
        if (scheme < 0) {
            String field = request.header("Host");
            return field == null ? "" : field;
        }
        int from = scheme + 3;
        int end = from;
        while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
            end++;
        }
        return target.substring(from, end);
    }

    // uri-host [ ":" port ], where an IP-literal has colons in its brackets (RFC 9110 §7.2)
    private static String name(String authority) {
        int port = authority.indexOf(':', authority.indexOf(']') + 1);
        return port < 0 ? authority : authority.substring(0, port);
    }
}
