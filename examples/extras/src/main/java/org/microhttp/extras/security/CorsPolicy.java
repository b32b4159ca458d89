package org.microhttp.extras.security;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.representation.Vary;

/**
 * What pages of other origins may do (Fetch standard, section "HTTP extensions"). Begin with {@link #of}:
 * <pre>{@code
 *   var policy = CorsPolicy.of("https://app.example.com").withHeaders("Content-Type").withCredentials();
 * }</pre>
 * An origin is a scheme, a host and a port as a browser sends them: in lower case, without a slash at its end
 * and without the default port of the scheme. {@code *} stands for all origins except {@code null}, which is
 * the origin of local files and sandboxed frames, whoever wrote them. {@code null} is allowed only if named.
 *
 * @param origins        which may read responses: at least one, or {@code *}
 * @param methods        which a preflight may ask for, case-sensitive; by default GET, HEAD and POST
 * @param headers        which fields a request may have besides the few that are always allowed; by default
 *                       none. A JSON body needs Content-Type. Case does not matter
 * @param exposedHeaders which fields of a response a page may read besides the few that are always readable;
 *                       by default none
 * @param credentials    whether browsers send cookies, and let the page read the response; by default false
 * @param maxAge         how long a browser may keep the answer to a preflight, 0 to 86,400 s, rounded down to
 *                       seconds; by default 10 minutes. Browsers have limits of their own
 */
public record CorsPolicy(Set<String> origins, List<String> methods, List<String> headers,
        List<String> exposedHeaders, boolean credentials, Duration maxAge) {

    private static final String ALL = "*";
    private static final String NULL = "null";
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'+.^_`|~0-9A-Za-z-]+");

    private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
    private static final String ALLOW_CREDENTIALS = "Access-Control-Allow-Credentials";
    private static final String EXPOSE_HEADERS = "Access-Control-Expose-Headers";
    private static final String REQUEST_METHOD = "Access-Control-Request-Method";

    /**
     * Makes a policy.
     *
     * @param origins        see above
     * @param methods        see above
     * @param headers        see above
     * @param exposedHeaders see above
     * @param credentials    see above
     * @param maxAge         see above
     * @throws IllegalArgumentException if an argument is not as above, or credentials are allowed for all
     *                                  origins: then every site could act for the users of this one
     * @throws NullPointerException     if an argument is null
     */
    public CorsPolicy {
        origins = Set.copyOf(origins);
        methods = List.copyOf(methods);
        headers = List.copyOf(headers);
        exposedHeaders = List.copyOf(exposedHeaders);
        check(!origins.isEmpty(), "there is no origin; allowed: at least one, or *");
        for (String origin : origins) {
            check(origin.equals(ALL) || origin.equals(NULL) || Origin.isValid(origin), "an origin is \""
                    + origin + "\"; allowed: *, null, or as a browser sends it, such as https://example.com");
        }
        Stream.of(methods, headers, exposedHeaders).flatMap(List::stream).forEach(name -> check(
                TOKEN.matcher(name).matches(),
                "a method or a field is \"" + name + "\"; allowed: names, without an asterisk"));
        check(!credentials || !origins.contains(ALL),
                "credentials are allowed for all origins; allowed: for origins that are named");
        check(!maxAge.isNegative() && maxAge.compareTo(DAY) <= 0,
                "maxAge is " + maxAge + "; allowed: 0 to " + DAY);
    }

    private static void check(boolean valid, String rule) {
        if (!valid) {
            throw new IllegalArgumentException(rule);
        }
    }

    /**
     * Makes a policy with the defaults.
     *
     * @param origins such as {@code https://example.com}; {@code *} for all, {@code "null"} for pages without
     *                an origin
     * @return the policy
     * @throws IllegalArgumentException if there is no origin, or one is not as above
     */
    public static CorsPolicy of(String... origins) {
        return new CorsPolicy(Set.copyOf(List.of(origins)), List.of("GET", "HEAD", "POST"), List.of(),
                List.of(), false, TEN_MINUTES);
    }

    /**
     * {@return a copy with these methods instead}
     *
     * @param names see above
     */
    public CorsPolicy withMethods(String... names) {
        return new CorsPolicy(origins, List.of(names), headers, exposedHeaders, credentials, maxAge);
    }

    /**
     * {@return a copy with these fields of requests instead}
     *
     * @param names see above
     */
    public CorsPolicy withHeaders(String... names) {
        return new CorsPolicy(origins, methods, List.of(names), exposedHeaders, credentials, maxAge);
    }

    /**
     * {@return a copy with these fields of responses instead}
     *
     * @param names see above
     */
    public CorsPolicy withExposedHeaders(String... names) {
        return new CorsPolicy(origins, methods, headers, List.of(names), credentials, maxAge);
    }

    /**
     * {@return a copy with credentials}
     *
     * @throws IllegalArgumentException if all origins are allowed
     */
    public CorsPolicy withCredentials() {
        return new CorsPolicy(origins, methods, headers, exposedHeaders, true, maxAge);
    }

    /**
     * {@return a copy with another time for the answers to preflights}
     *
     * @param time see above
     */
    public CorsPolicy withMaxAge(Duration time) {
        return new CorsPolicy(origins, methods, headers, exposedHeaders, credentials, time);
    }

    /**
     * Adds the fields that let a page read a response, if the request's Origin is allowed, and removes such
     * fields that the response has already. {@link CorsHandler} does this for its handler's responses. For
     * responses of the server itself, such as a 413, have an error handler do it:
     * <pre>{@code
     *   options.withErrorHandler(error -> policy.allow(error.request(), error.response()))
     * }</pre>
     *
     * @param request  the request that gets the response
     * @param response the response
     * @return a copy
     * @throws NullPointerException if an argument is null
     */
    public Response allow(Request request, Response response) {
        Objects.requireNonNull(request, "request");
        Response allowed = Vary.on("Origin", response).withoutHeader(ALLOW_ORIGIN)
                .withoutHeader(ALLOW_CREDENTIALS).withoutHeader(EXPOSE_HEADERS);
        for (Header field : isAllowed(request) ? allowFields(request) : List.<Header>of()) {
            allowed = allowed.withHeader(field.name(), field.value());
        }
        boolean exposing = !exposedHeaders.isEmpty() && allowed.hasHeader(ALLOW_ORIGIN);
        return exposing ? allowed.withHeader(EXPOSE_HEADERS, String.join(", ", exposedHeaders)) : allowed;
    }

    /** Says whether a browser asks before it sends the request itself. */
    static boolean isPreflight(Request request) {
        return request.method().equals("OPTIONS") && request.hasHeader("Origin")
                && request.hasHeader(REQUEST_METHOD);
    }

    /** {@return a 204, which allows nothing if the request is not allowed} */
    Response preflight(Request request) {
        List<Header> fields = new ArrayList<>(List.of(new Header("Vary", "Origin")));
        boolean allowed = isAllowed(request) && methods.contains(request.header(REQUEST_METHOD))
                && request.values(REQUEST_METHOD).size() == 1;
        if (allowed && request.values("Access-Control-Request-Headers").stream().allMatch(this::allowsAll)) {
            fields.addAll(allowFields(request));
            fields.add(new Header("Access-Control-Allow-Methods", String.join(", ", methods)));
            if (!headers.isEmpty()) {
                fields.add(new Header("Access-Control-Allow-Headers", String.join(", ", headers)));
            }
            fields.add(new Header("Access-Control-Max-Age", "" + maxAge.toSeconds()));
        }
        return new Response(204, fields, new byte[0]);
    }

    private boolean allowsAll(String list) {
        return Stream.of(list.split(",")).map(String::strip)
                .allMatch(name -> name.isEmpty() || headers.stream().anyMatch(name::equalsIgnoreCase));
    }

    private boolean isAllowed(Request request) {
        List<String> given = request.values("Origin");
        return given.size() == 1 && (origins.contains(given.get(0))
                || origins.contains(ALL) && Origin.isValid(given.get(0)));
    }

    private List<Header> allowFields(Request request) {
        String origin = origins.contains(ALL) ? ALL : request.header("Origin");
        var allowOrigin = new Header(ALLOW_ORIGIN, origin);
        return credentials ? List.of(allowOrigin, new Header(ALLOW_CREDENTIALS, "true"))
                : List.of(allowOrigin);
    }
}
