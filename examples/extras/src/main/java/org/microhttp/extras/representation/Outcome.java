package org.microhttp.extras.representation;

import java.util.ArrayList;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.Request;

/**
 * The response to a GET or HEAD of a resource: what is sent, or why nothing is.
 *
 * @param kind    what is sent, or why nothing is
 * @param variant the chosen variant; null if the client accepts none
 * @param first   index in the variant of the first byte that is sent
 * @param length  how many bytes of the variant are sent; 0 if none
 */
public record Outcome(Kind kind, Variant variant, long first, long length) {

    /** What is sent: the variant, a part of it, or nothing. */
    public enum Kind {

        /** The whole variant. */
        WHOLE(200),

        /** The requested range of the variant. */
        PART(206),

        /** Nothing: the client has this version. */
        NOT_MODIFIED(304),

        /** Nothing: the client accepts no variant. */
        NOT_ACCEPTABLE(406),

        /** Nothing: a condition of the request fails. */
        PRECONDITION_FAILED(412),

        /** Nothing: the range begins after the end of the variant, or is empty. */
        RANGE_NOT_SATISFIABLE(416);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        /** {@return the status of the response} */
        public int status() {
            return status;
        }
    }

    /** In each response, since Accept-Encoding chooses the variant, or excludes all (RFC 9110 §12.5.5). */
    public static final Header VARY = new Header("Vary", "Accept-Encoding");
    private static final Header ACCEPT_RANGES = new Header("Accept-Ranges", "bytes");

    /**
     * Decides by the request's fields. First a variant is chosen, since conditions and ranges are about one
     * variant; if none can be chosen, no other field counts (RFC 9110 §13.2.1). Then come the conditions, and
     * then the range (RFC 9110 §13.2.2). Any fields have an outcome, also malformed ones.
     *
     * @param request of a method GET or HEAD
     * @param resource what the request is for
     * @return the outcome, never null
     */
    public static Outcome of(Request request, Resource resource) {
        var fields = new RequestFields(request);
        Variant variant = Negotiation.choose(resource.variants(), fields.acceptEncoding);
        if (variant == null) {
            return new Outcome(Kind.NOT_ACCEPTABLE, null, 0, 0);
        }
        var conditions = new Preconditions(fields, resource, variant);
        if (conditions.fail()) {
            return new Outcome(Kind.PRECONDITION_FAILED, variant, 0, 0);
        }
        if (conditions.notModified()) {
            return new Outcome(Kind.NOT_MODIFIED, variant, 0, 0);
        }
        // only GET has ranges, and empty content has no parts (RFC 9110 §14.2)
        boolean ranged = fields.range != null && request.method().equals("GET") && variant.length() > 0;
        return ranged && conditions.allowPart()
                ? part(variant, ByteRange.parse(fields.range))
                : new Outcome(Kind.WHOLE, variant, 0, variant.length());
    }

    /**
     * Chooses a variant for a response that ignores conditions and range, such as any but a 200 (RFC 9110
     * §13.2.1, §14.2). A client that accepts no variant gets the first one, which says more than a 406 (RFC
     * 9110 §12.5.3).
     *
     * @param request whose Accept-Encoding counts
     * @param resource what is sent
     * @return one of its variants
     */
    public static Variant unconditional(Request request, Resource resource) {
        List<Variant> variants = resource.variants();
        if (!resource.isNegotiable()) {
            return variants.get(0);
        }
        Variant chosen = Negotiation.choose(variants, new RequestFields(request).acceptEncoding);
        return chosen == null ? variants.get(0) : chosen;
    }

    private static Outcome part(Variant variant, ByteRange range) {
        long length = variant.length();
        if (range == null) {
            return new Outcome(Kind.WHOLE, variant, 0, length);
        }
        if (!range.isSatisfiable(length)) {
            // also if If-Range is true: this tells a client that it has everything (RFC 9110 §14.2)
            return new Outcome(Kind.RANGE_NOT_SATISFIABLE, variant, 0, 0);
        }
        long first = range.from(length);
        return new Outcome(Kind.PART, variant, first, range.to(length) - first);
    }

    /** {@return the status of the response} */
    public int status() {
        return kind.status;
    }

    /** {@return the reason phrase of the status} */
    public String reason() {
        return Reason.of(kind.status);
    }

    /**
     * {@return all fields of the response but those that the server adds; if nothing of the variant is sent,
     * Content-Type is missing, too, since it depends on what is sent instead}
     *
     * @param resource the resource of this outcome
     */
    public List<Header> fields(Resource resource) {
        List<Header> fields = new ArrayList<>();
        if (kind == Kind.WHOLE || kind == Kind.PART) {
            addContent(fields, resource);
        }
        if (variant != null) {
            addVersion(fields, resource);
        }
        // also if there is only one variant: a client may exclude even that
        fields.add(VARY);
        switch (kind) {
            case WHOLE -> fields.add(ACCEPT_RANGES);
            case PART -> fields.add(contentRange(first + "-" + (first + length - 1)));
            case RANGE_NOT_SATISFIABLE -> fields.add(contentRange("*"));
            default -> {
            }
        }
        return List.copyOf(fields);
    }

    /** Also for a part: only a client that sent If-Range has these fields already (RFC 9110 §15.3.7). */
    private void addContent(List<Header> fields, Resource resource) {
        add(fields, "Content-Type", resource.mediaType());
        if (variant.coding() != Coding.IDENTITY) {
            add(fields, "Content-Encoding", variant.coding().token());
        }
    }

    /** A 304 has no Last-Modified (RFC 9110 §15.4.5); only what may be stored has Cache-Control. */
    private void addVersion(List<Header> fields, Resource resource) {
        add(fields, "ETag", variant.entityTag());
        if (kind != Kind.NOT_MODIFIED && resource.lastModified() != null) {
            add(fields, "Last-Modified", HttpDate.format(resource.lastModified()));
        }
        if (kind.status < 400) {
            add(fields, "Cache-Control", resource.cacheControl());
        }
    }

    private static void add(List<Header> fields, String name, String value) {
        if (value != null) {
            fields.add(new Header(name, value));
        }
    }

    // Content-Range = range-unit SP ( first-pos "-" last-pos / "*" ) "/" complete-length (RFC 9110 §14.4)
    private Header contentRange(String range) {
        return new Header("Content-Range", "bytes " + range + "/" + variant.length());
    }
}
