package org.microhttp.extras.representation;

import org.microhttp.Header;
import org.microhttp.Request;

/**
 * The fields of a request that decide its response, each null if missing. They are found in one pass, which
 * skips most fields by the length of their name alone.
 * <p>
 * Repeated fields are joined by commas (RFC 9110 §5.3): lists become one list, and a field that must not be
 * repeated becomes malformed, and so is ignored.
 */
final class RequestFields {

    String acceptEncoding;
    String ifMatch;
    String ifNoneMatch;
    String ifModifiedSince;
    String ifUnmodifiedSince;
    String ifRange;
    String range;

    RequestFields(Request request) {
        for (Header field : request.headers()) {
            add(field.name(), field.value());
        }
    }

    private void add(String name, String value) {
        switch (name.length()) {
            case 5 -> range = joined(name, "Range", range, value);
            case 8 -> {
                ifMatch = joined(name, "If-Match", ifMatch, value);
                ifRange = joined(name, "If-Range", ifRange, value);
            }
            case 13 -> ifNoneMatch = joined(name, "If-None-Match", ifNoneMatch, value);
            case 15 -> acceptEncoding = joined(name, "Accept-Encoding", acceptEncoding, value);
            case 17 -> ifModifiedSince = joined(name, "If-Modified-Since", ifModifiedSince, value);
            case 19 -> ifUnmodifiedSince = joined(name, "If-Unmodified-Since", ifUnmodifiedSince, value);
            default -> {
            }
        }
    }

    private static String joined(String name, String wanted, String known, String value) {
        if (!name.equalsIgnoreCase(wanted)) {
            return known;
        }
        return known == null ? value : known + ", " + value;
    }
}
