package org.microhttp.extras.cookies;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.microhttp.Response;
import org.microhttp.extras.representation.HttpDate;

/**
 * A cookie for a client to keep (RFC 6265bis §4.1). Immutable: each {@code with} method returns a changed
 * copy, and checks it as the constructor does. A cookie that a client would ignore cannot be made, so none is
 * lost silently. For example:
 * <pre>{@code
 *   response = Cookie.of("__Host-session", id).withMaxAge(Duration.ofDays(30)).addTo(response);
 *   response = Cookie.of("__Host-session", "").deleted().addTo(response);
 * }</pre>
 * {@link #of} begins with safe values: the cookie is for all paths of only this host, is sent only over TLS,
 * is hidden from scripts, and is not sent with requests of other sites, except when a user follows a link.
 *
 * @param name        a token (RFC 9110 §5.6.2)
 * @param value       visible ASCII without quotes, comma, semicolon and backslash, perhaps in quotes, which
 *                    are a part of the value. Encode other values, in Base64 for example. Name and value have
 *                    4096 bytes together at most
 * @param path        begins with a slash; visible ASCII without semicolon, 1024 bytes at most; null for the
 *                    folder of the request's path
 * @param domain      this host or one above it, without a dot at its beginning; the cookie is for this domain
 *                    and all hosts below it; null for only this host, which is safer
 * @param maxAge      how long the client keeps the cookie, 1 s or more, in whole seconds; null for as long as
 *                    the client runs. Browsers keep none longer than 400 days
 * @param expires     until when the client keeps the cookie if maxAge is null, in a year from 1601 to 9999;
 *                    null for as long as the client runs. A client's clock may be wrong, so use maxAge
 * @param secure      whether the cookie is sent only over TLS, and to localhost
 * @param httpOnly    whether scripts cannot read the cookie
 * @param sameSite    which requests of other sites have the cookie; null for the client's default
 * @param partitioned whether each site that embeds this one has its own cookie
 */
public record Cookie(String name, String value, String path, String domain, Duration maxAge, Instant expires,
        boolean secure, boolean httpOnly, SameSite sameSite, boolean partitioned) {

    /** Which requests that other sites cause have a cookie. */
    public enum SameSite {

        /** None. */
        STRICT("Strict"),

        /** Those by which a user comes to this site, as by a link. */
        LAX("Lax"),

        /** All, which needs Secure. */
        NONE("None");

        private final String token;

        SameSite(String token) {
            this.token = token;
        }
    }

    private static final int MOST_BYTES = 4096;
    private static final int MOST_ATTRIBUTE_BYTES = 1024;
    private static final int MOST_DOMAIN_BYTES = 253;

    static final Predicate<String> IS_NAME =
            Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+").asMatchPredicate();

    // cookie-value = *cookie-octet / ( DQUOTE *cookie-octet DQUOTE ) (RFC 6265bis §4.1.1)
    private static final Predicate<String> IS_VALUE =
            Pattern.compile("(\"?)[\\x21-\\x7E&&[^\",;\\\\]]*\\1").asMatchPredicate();
    private static final Predicate<String> IS_PATH =
            Pattern.compile("/[\\x21-\\x3A\\x3C-\\x7E]*").asMatchPredicate();
    private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
    private static final Predicate<String> IS_DOMAIN =
            Pattern.compile(LABEL + "(?:\\." + LABEL + ")*").asMatchPredicate();

    private static final Instant FIRST = Instant.parse("1601-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    /**
     * Makes a cookie.
     *
     * @param name        see above
     * @param value       see above
     * @param path        see above
     * @param domain      see above
     * @param maxAge      see above
     * @param expires     see above
     * @param secure      see above
     * @param httpOnly    see above
     * @param sameSite    see above
     * @param partitioned see above
     * @throws IllegalArgumentException if a value is not as above; if {@code SameSite=None} or {@code
     *                                  Partitioned} is without Secure; or if the cookie breaks a rule of its
     *                                  name's prefix, in upper or lower case: {@code __Secure-}, {@code
     *                                  __Host-}, {@code __Http-} and {@code __Host-Http-} require Secure;
     *                                  {@code __Host-} and {@code __Host-Http-} also no domain and the path
     *                                  {@code /}; {@code __Http-} and {@code __Host-Http-} also HttpOnly
     * @throws NullPointerException     if the name or the value is null
     */
    public Cookie {
        check(IS_NAME.test(name), "a name is \"" + name + "\"; allowed: a token, such as session_id");
        // a value may be a secret, and a message may be logged
        check(IS_VALUE.test(value), "the value of " + name + " has characters that are not allowed; allowed:"
                + " visible ASCII without quotes, comma, semicolon and backslash, perhaps in quotes");
        int bytes = name.length() + value.length();
        check(bytes <= MOST_BYTES, "name and value have " + bytes + " bytes; allowed: " + MOST_BYTES);
        check(path == null || path.length() <= MOST_ATTRIBUTE_BYTES && IS_PATH.test(path), "the path of "
                + name + " is \"" + path + "\"; allowed: a slash and visible ASCII without semicolon, "
                + MOST_ATTRIBUTE_BYTES + " bytes at most");
        check(domain == null || domain.length() <= MOST_DOMAIN_BYTES && IS_DOMAIN.test(domain),
                "the domain of " + name + " is \"" + domain + "\"; allowed:"
                + " such as example.com, without a dot before it");
        check(maxAge == null || maxAge.toSeconds() >= 1, "maxAge is " + maxAge + "; allowed: 1 s or more, and"
                + " deleted() for a cookie that is not kept");
        check(expires == null || !expires.isBefore(FIRST) && expires.isBefore(END),
                "expires is " + expires + "; allowed: years from 1601 to 9999");
        check(secure || sameSite != SameSite.NONE, "SameSite=None is not secure; allowed: with Secure");
        check(secure || !partitioned, "a partitioned cookie is not secure; allowed: with Secure");
        String prefix = name.toLowerCase(Locale.ROOT);
        boolean host = prefix.startsWith("__host-");
        boolean http = prefix.startsWith("__http-") || prefix.startsWith("__host-http-");
        check(secure || !host && !http && !prefix.startsWith("__secure-"),
                name + " is not secure; allowed: with Secure, as its prefix says");
        check(!host || domain == null && "/".equals(path),
                name + " has a domain or a path; allowed: no domain and the path /, as its prefix says");
        check(httpOnly || !http, name + " is for scripts, too; allowed: with HttpOnly, as its prefix says");
    }

    private static void check(boolean valid, String rule) {
        if (!valid) {
            throw new IllegalArgumentException(rule);
        }
    }

    /**
     * Makes a cookie with {@code Path=/; Secure; HttpOnly; SameSite=Lax}, kept as long as the client runs.
     *
     * @param name  see above
     * @param value see above
     * @return the cookie
     * @throws IllegalArgumentException if the name or the value is not as above
     */
    public static Cookie of(String name, String value) {
        return new Cookie(name, value, "/", null, null, null, true, true, SameSite.LAX, false);
    }

    /**
     * {@return the same with another path}
     *
     * @param other see above
     */
    public Cookie withPath(String other) {
        return new Cookie(name, value, other, domain, maxAge, expires, secure, httpOnly, sameSite,
                partitioned);
    }

    /**
     * {@return the same with another domain}
     *
     * @param other see above
     */
    public Cookie withDomain(String other) {
        return new Cookie(name, value, path, other, maxAge, expires, secure, httpOnly, sameSite, partitioned);
    }

    /**
     * {@return the same, kept for another time}
     *
     * @param time see above
     */
    public Cookie withMaxAge(Duration time) {
        return new Cookie(name, value, path, domain, time, expires, secure, httpOnly, sameSite, partitioned);
    }

    /**
     * {@return the same, kept until another time}
     *
     * @param time see above
     */
    public Cookie withExpires(Instant time) {
        return new Cookie(name, value, path, domain, maxAge, time, secure, httpOnly, sameSite, partitioned);
    }

    /** {@return the same, also sent without TLS} */
    public Cookie withoutSecure() {
        return new Cookie(name, value, path, domain, maxAge, expires, false, httpOnly, sameSite, partitioned);
    }

    /** {@return the same, which scripts can read} */
    public Cookie withoutHttpOnly() {
        return new Cookie(name, value, path, domain, maxAge, expires, secure, false, sameSite, partitioned);
    }

    /**
     * {@return the same with another SameSite}
     *
     * @param other see above
     */
    public Cookie withSameSite(SameSite other) {
        return new Cookie(name, value, path, domain, maxAge, expires, secure, httpOnly, other, partitioned);
    }

    /** {@return the same, partitioned} */
    public Cookie withPartitioned() {
        return new Cookie(name, value, path, domain, maxAge, expires, secure, httpOnly, sameSite, true);
    }

    /**
     * Makes a cookie that makes the client remove this one: with an empty value, and expired. Name, path,
     * domain and partitioned must be those of the cookie that the client has.
     *
     * @return the cookie
     */
    public Cookie deleted() {
        return new Cookie(name, "", path, domain, null, Instant.EPOCH, secure, httpOnly, sameSite,
                partitioned);
    }

    /**
     * Adds this cookie to a response, as a field Set-Cookie; cookies that the response has stay.
     *
     * @param response is not changed
     * @return a copy with the cookie
     */
    public Response addTo(Response response) {
        return response.withAddedHeader("Set-Cookie", text(value));
    }

    // set-cookie-string = cookie-pair *( ";" SP cookie-av ) (RFC 6265bis §4.1.1)
    private String text(String shown) {
        return name + "=" + shown
                + attribute("Path", path)
                + attribute("Domain", domain)
                + attribute("Max-Age", maxAge == null ? null : "" + maxAge.toSeconds())
                + attribute("Expires", expires == null ? null : HttpDate.format(expires))
                + (secure ? "; Secure" : "")
                + (httpOnly ? "; HttpOnly" : "")
                + attribute("SameSite", sameSite == null ? null : sameSite.token)
                + (partitioned ? "; Partitioned" : "");
    }

    private static String attribute(String name, String value) {
        return value == null ? "" : "; " + name + "=" + value;
    }

    /** {@return name and attributes; not the value, which may be a secret} */
    @Override
    public String toString() {
        return text("...");
    }
}
