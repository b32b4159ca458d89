package org.microhttp.extras.representation;

import java.time.Instant;

/**
 * The conditions of a request for a variant, in the order in which they are checked (RFC 9110 §13.2.2).
 * Malformed dates are ignored, and so are all dates if the resource has none.
 */
final class Preconditions {

    private final RequestFields fields;
    private final Instant lastModified;
    private final String entityTag;

    Preconditions(RequestFields fields, Resource resource, Variant variant) {
        this.fields = fields;
        lastModified = resource.lastModified();
        entityTag = variant.entityTag();
    }

    /** Whether the client requires another version than this one: 412. */
    boolean fail() {
        if (fields.ifMatch != null) {
            // RFC 9110 §13.1.1
            return !EntityTags.matchStrongly(fields.ifMatch, entityTag);
        }
        // RFC 9110 §13.1.4
        Instant date = date(fields.ifUnmodifiedSince);
        return date != null && lastModified.isAfter(date);
    }

    /** Whether the client has this version already: 304. */
    boolean notModified() {
        if (fields.ifNoneMatch != null) {
            // RFC 9110 §13.1.2
            return EntityTags.matchWeakly(fields.ifNoneMatch, entityTag);
        }
        // RFC 9110 §13.1.3
        Instant date = date(fields.ifModifiedSince);
        return date != null && !lastModified.isAfter(date);
    }

    /**
     * Whether a part may be sent: without If-Range, or if that names this version (RFC 9110 §13.1.5). A tag
     * must be the same and strong. A date must be the same; only a tag can tell apart two versions of the
     * same second.
     */
    boolean allowPart() {
        if (fields.ifRange == null || fields.ifRange.equals(entityTag)) {
            return true;
        }
        Instant date = date(fields.ifRange);
        return date != null && date.equals(lastModified);
    }

    private Instant date(String field) {
        return field == null || lastModified == null ? null : HttpDate.parse(field);
    }
}
