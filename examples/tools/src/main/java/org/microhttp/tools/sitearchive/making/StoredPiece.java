package org.microhttp.tools.sitearchive.making;

/**
 * A content as it is stored.
 *
 * @param length in bytes
 */
record StoredPiece(String id, long length) {
}
