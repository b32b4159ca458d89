package sitearchive.making;

import sitearchive.format.ArchiveFormat;

/**
 * A path that is answered with where to go instead, or that nothing is there any more.
 *
 * @param host  null if there are no hosts
 * @param path  from the root of its site on, decoded
 * @param to    a URI reference; null if there is none
 * @param where the line that says so
 */
record Redirect(String host, String path, int status, String to, String where) {

    /** The path as it is in keys. */
    String from() {
        return host == null ? path : ArchiveFormat.path(host, path);
    }
}
