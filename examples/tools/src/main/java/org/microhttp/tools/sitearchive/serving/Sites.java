package org.microhttp.tools.sitearchive.serving;

import java.util.Map;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/**
 * All that is served at a moment. An answer is made of one of these alone.
 *
 * @param byHost an archive for each host, or but that of the default one, which answers for all others
 */
record Sites(Map<String, Site> byHost, boolean needHost) {

    /** Before the start, and after the end. */
    static final Sites NONE = new Sites(Map.of());

    Sites(Map<String, Site> byHost) {
        this(Map.copyOf(byHost), needsHost(byHost));
    }

    private static boolean needsHost(Map<String, Site> byHost) {
        boolean one = byHost.size() == 1 && byHost.containsKey(ArchiveFormat.DEFAULT_HOST);
        return !one || byHost.get(ArchiveFormat.DEFAULT_HOST).hasHosts();
    }

    /** {@return null if nothing is served for that host} */
    Site of(String host) {
        Site own = byHost.get(host);
        return own == null ? byHost.get(ArchiveFormat.DEFAULT_HOST) : own;
    }
}
