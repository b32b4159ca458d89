package formserver;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameters of a query or a form, as {@code a=1&b=2&a=3}. A class to copy, with {@link UrlDecoding}.
 * <p>
 * {@code &} stands between parameters, the first {@code =} between a name and its value. A parameter without
 * one has the empty value, and nothing between two {@code &} is no parameter. Names and values are decoded
 * after that: {@code +} is a space, the rest as {@link UrlDecoding} says. Names may come again and be empty;
 * case matters.
 * <p>
 * Immutable. The work is in proportion to what was sent, whichever names a client chooses.
 */
public final class Parameters {

    /** How many there may be, since two octets become several objects. PHP and Django take as many. */
    public static final int MAX_PARAMETERS = 1000;

    private static final String FORM = "application/x-www-form-urlencoded";

    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[ \t]*" + FORM + "(?![^ \t;])", Pattern.CASE_INSENSITIVE);

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";

    private static final String QUOTED = "\"((?s:[^\"\\\\]|\\\\.)*+)\"";

    // parameters = *( OWS ";" OWS [ token "=" ( token / quoted-string ) ] ) (RFC 9110 §5.6.6), one at a
    // time. Possessive, so that it is matched by a loop: however long, it cannot exhaust the stack.
    private static final Pattern ATTRIBUTE = Pattern.compile(
            "\\G[ \t]*+;[ \t]*+(?:(" + TOKEN + ")=(?:(" + TOKEN + ")|" + QUOTED + "))?+");

    private final List<Map.Entry<String, String>> entries = new ArrayList<>();
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final String part;

    private Parameters(String part) {
        this.part = part;
    }

    /**
     * Takes a query apart.
     *
     * @param query as sent, without the question mark; null, as without one, has no parameters
     * @throws IllegalArgumentException if it is not encoded as it should be, or has more than
     *                                  {@link #MAX_PARAMETERS}
     */
    public static Parameters ofQuery(String query) {
        var parameters = new Parameters("query");
        if (query != null) {
            parameters.add(new UrlDecoding("query", query, true), query.length());
        }
        return parameters;
    }

    /**
     * Takes a form apart, as browsers send it with POST. Octets that need not have been encoded are taken as
     * they are, in UTF-8, so a line break at the end is part of the last value.
     *
     * @param contentType the value of the field Content-Type, null if there is none. It has to be
     *                    {@code application/x-www-form-urlencoded}, with no charset other than UTF-8
     * @param body        as received
     * @throws IllegalArgumentException if it is of another type, is not encoded as it should be, or has more
     *                                  than {@link #MAX_PARAMETERS}
     */
    public static Parameters ofForm(String contentType, byte[] body) {
        checkType(contentType);
        var parameters = new Parameters("form");
        parameters.add(new UrlDecoding("form", body, true), body.length);
        return parameters;
    }

    /** {@return the first value of that name, null if there is none} */
    public String first(String name) {
        return values.containsKey(name) ? values.get(name).get(0) : null;
    }

    /** {@return the values of that name in the order sent, empty if there is none; unmodifiable} */
    public List<String> all(String name) {
        return Collections.unmodifiableList(values.getOrDefault(name, List.of()));
    }

    /** {@return the names, each once, in the order in which they were first sent; unmodifiable} */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** {@return each name with a value, in the order sent; unmodifiable} */
    public List<Map.Entry<String, String>> entries() {
        return Collections.unmodifiableList(entries);
    }

    private void add(UrlDecoding text, int length) {
        int from = 0;
        while (from < length) {
            int end = text.find('&', from, length);
            if (end > from) {
                int equals = text.find('=', from, end);
                add(text.decode(from, equals), text.decode(Math.min(equals + 1, end), end));
            }
            from = end + 1;
        }
    }

    private void add(String name, String value) {
        if (entries.size() == MAX_PARAMETERS) {
            throw new IllegalArgumentException(
                    "the " + part + " has more parameters than are allowed: " + MAX_PARAMETERS);
        }
        entries.add(Map.entry(name, value));
        values.computeIfAbsent(name, key -> new ArrayList<>(1)).add(value);
    }

    /** RFC 9110 §8.3. What was sent is not repeated in messages. */
    private static void checkType(String contentType) {
        if (contentType == null) {
            throw new IllegalArgumentException("a form without Content-Type; allowed: " + FORM);
        }
        Matcher type = MEDIA_TYPE.matcher(contentType);
        if (!type.lookingAt()) {
            throw new IllegalArgumentException("the Content-Type is not that of a form; allowed: " + FORM);
        }
        checkCharset(contentType, type.end());
    }

    private static void checkCharset(String contentType, int from) {
        Matcher attribute = ATTRIBUTE.matcher(contentType).region(from, contentType.length());
        int end = from;
        while (attribute.find()) {
            String value = attribute.group(2) == null ? attribute.group(3) : attribute.group(2);
            if ("charset".equalsIgnoreCase(attribute.group(1)) && !"utf-8".equalsIgnoreCase(value)) {
                throw new IllegalArgumentException("the charset of the form is not allowed; allowed: utf-8");
            }
            end = attribute.end();
        }
        if (!contentType.substring(end).isBlank()) {
            throw new IllegalArgumentException("the Content-Type of the form is malformed at position " + end
                    + "; allowed: " + FORM + "; charset=utf-8");
        }
    }
}
