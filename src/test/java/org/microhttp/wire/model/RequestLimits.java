package org.microhttp.wire.model;

/**
 * What one request may measure.
 *
 * @param requestSize bytes in all
 * @param headerSize  bytes of its header section, and of its trailers
 * @param fields      fields in each
 * @param proxied     whether a connection begins with a PROXY header
 */
public record RequestLimits(int requestSize, int headerSize, int fields, boolean proxied) {

    public RequestLimits(int requestSize, int headerSize, int fields) {
        this(requestSize, headerSize, fields, false);
    }
}
