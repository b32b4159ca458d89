package org.microhttp.extras.cookies;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.microhttp.Request;

/**
 * The cookies of a request: {@code Cookies.of(request).get("theme", "light")}. Immutable.
 * <p>
 * A client decides what it sends, so nothing is refused, and nothing throws. Left out are pairs without
 * {@code =}, pairs whose name is empty or no token, pairs above the size, and all pairs after the greatest
 * number. Values are as sent, with their quotes, not decoded; a value may have any character but a semicolon,
 * since scripts set such values. Names are case-sensitive.
 * <p>
 * A client may send a name more than once, if it has cookies of several paths or domains; the first is the
 * cookie with the longest path (RFC 6265bis §5.8.3). Another host of the domain may have set such a cookie,
 * unless the name begins with {@code __Host-}. Never trust a value: sign it, or let it be a random key.
 */
public final class Cookies {

    private static final int MOST = 200;
    private static final int MOST_BYTES = 4096;

    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final int mostBytes;

    /** How many more cookies are read. */
    private int left;

    private Cookies(int most, int mostBytes) {
        left = most;
        this.mostBytes = mostBytes;
    }

    /**
     * Reads the cookies of a request: 200 at most, each with 4096 bytes of name and value at most, as
     * browsers do. All cookies together are no larger than the server's {@code maxHeaderSize}, and nothing is
     * kept after the request.
     *
     * @param request that a client has sent
     * @return its cookies; none if it has none
     */
    public static Cookies of(Request request) {
        return of(request, MOST, MOST_BYTES);
    }

    /**
     * Reads the cookies of a request with other limits.
     *
     * @param request   that a client has sent
     * @param most      how many cookies, 0 or more; further cookies are left out
     * @param mostBytes how many bytes name and value of a cookie may have, 0 or more; larger cookies are left
     *                  out
     * @return its cookies; none if it has none
     * @throws IllegalArgumentException if a limit is negative
     */
    public static Cookies of(Request request, int most, int mostBytes) {
        if (most < 0 || mostBytes < 0) {
            throw new IllegalArgumentException(
                    "the limits are " + most + " and " + mostBytes + "; allowed: 0 or more");
        }
        var cookies = new Cookies(most, mostBytes);
        request.values("Cookie").forEach(cookies::read);
        return cookies;
    }

    // cookie-string = cookie-pair *( ";" SP cookie-pair ) (RFC 6265bis §4.2.1)
    private void read(String field) {
        for (int at = 0; at < field.length() && left > 0; ) {
            int semicolon = field.indexOf(';', at);
            int end = semicolon < 0 ? field.length() : semicolon;
            add(field.substring(at, end));
            at = end + 1;
        }
    }

    private void add(String pair) {
        int sign = pair.indexOf('=');
        if (sign < 0) {
            return;
        }
        String name = pair.substring(0, sign).strip();
        String value = pair.substring(sign + 1).strip();
        if (Cookie.IS_NAME.test(name) && name.length() + value.length() <= mostBytes) {
            values.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
            left--;
        }
    }

    /**
     * {@return the first value of a name; {@code otherwise} if there is none}
     *
     * @param name      as it was set
     * @param otherwise the value for a missing cookie; may be null
     */
    public String get(String name, String otherwise) {
        return values.containsKey(name) ? values.get(name).get(0) : otherwise;
    }

    /**
     * {@return all values of a name in their order; empty if there are none; unmodifiable}
     *
     * @param name as it was set
     */
    public List<String> all(String name) {
        return List.copyOf(values.getOrDefault(name, List.of()));
    }

    /** {@return the names, in the order of their first values; unmodifiable} */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** {@return the names; not the values, which may be secrets} */
    @Override
    public String toString() {
        return "cookies " + values.keySet();
    }
}
