package org.microhttp.extras.representation;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * A resource, without regard to any request.
 *
 * @param mediaType    the value of Content-Type; null for none
 * @param lastModified null for none. Fractions of a second are cut off. A time that HTTP cannot write counts
 *                     as none, and a time in the future as now, for conditions too
 * @param cacheControl the value of Cache-Control; null for none
 * @param variants     at least one, each of another coding; identity may be missing; copied
 */
public record Resource(String mediaType, Instant lastModified, String cacheControl, List<Variant> variants) {

    /**
     * Makes a resource.
     *
     * @param variants see above
     * @param mediaType see above
     * @param lastModified see above
     * @param cacheControl see above
     * @throws IllegalArgumentException if there is no variant
     * @throws NullPointerException     if the list, or a variant, is null
     */
    public Resource {
        variants = List.copyOf(variants);
        if (variants.isEmpty()) {
            throw new IllegalArgumentException("a resource without a variant; allowed: one or more");
        }
        if (lastModified != null) {
            boolean writable = HttpDate.canWrite(lastModified);
            Instant now = Instant.now();
            // never later than Date (RFC 9110 §8.8.2.1)
            Instant time = lastModified.isAfter(now) ? now : lastModified;
            lastModified = writable ? time.truncatedTo(ChronoUnit.SECONDS) : null;
        }
    }

    /** Whether Accept-Encoding decides what a client is sent. */
    boolean isNegotiable() {
        return variants.size() > 1 || variants.get(0).coding() != Coding.IDENTITY;
    }
}
