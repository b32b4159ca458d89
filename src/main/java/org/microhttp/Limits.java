package org.microhttp;

/**
 * What one request may measure: bytes in all, bytes of its header section and of its trailers, fields in
 * each.
 */
record Limits(int requestSize, int headerSize, int fields) { }
