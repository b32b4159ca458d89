package org.microhttp.tools.cdb;

/** Where in a file a value is. */
public record CdbValue(long position, long length) {
}
