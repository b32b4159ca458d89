package org.microhttp.wire.model;

/**
 * What one request may measure.
 *
 * @param requestSize bytes in all
 * @param headerSize  bytes of its header section, and of its trailers
 * @param fields      fields in each
 */
public record RequestLimits(int requestSize, int headerSize, int fields) { }
