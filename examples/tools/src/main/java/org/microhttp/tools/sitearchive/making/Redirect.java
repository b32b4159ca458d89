package org.microhttp.tools.sitearchive.making;

import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/**
 * A path that is answered with where to go instead, or that nothing is there any more.
 *
 * @param host   null if there are no hosts
 * @param path   from the root of its site on, decoded
 * @param to     a URI reference; null if there is none
 * @param target the path that it leads to, decoded; null if there is none, or it may be that of another host
 * @param line   that says so
 */
record Redirect(String host, String path, int status, String to, String target, SettingLine line) {

    /** The path as it is in keys. */
    String name() {
        return ArchiveFormat.path(host, path);
    }

    /** Where it leads to as it is in keys; null for nowhere, or elsewhere. */
    String targetName() {
        return target == null ? null : ArchiveFormat.path(host, target);
    }
}
