package org.microhttp.extras.routing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.microhttp.extras.representation.UrlDecoding;

/**
 * The parameters of a query, or of a form of the type {@code application/x-www-form-urlencoded}: {@code
 * a=1&b=x+y}. Immutable.
 */
public final class Parameters {

    private static final int MOST = 1000;

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    private Parameters() {
    }

    /**
     * Reads parameters. For example:
     * <pre>{@code
     *   String search = Parameters.of(request.query()).get("q", "");
     *   Parameters form = Parameters.of(new String(request.body(), StandardCharsets.ISO_8859_1));
     * }</pre>
     *
     * @param encoded as sent; null for none
     * @return the parameters, none if nothing was sent
     * @throws IllegalArgumentException if a name or a value is not encoded as it should be, or there are more
     *                                  than a thousand; its message may be sent with a 400
     */
    public static Parameters of(String encoded) {
        var parameters = new Parameters();
        String[] all = encoded == null ? new String[0] : encoded.split("&", MOST + 1);
        if (all.length > MOST) {
            throw new IllegalArgumentException("there may be " + MOST + " parameters");
        }
        for (String parameter : all) {
            // split first: what is decoded may have an & or a = itself
            String[] sides = parameter.split("=", 2);
            if (!parameter.isEmpty()) {
                parameters.values.computeIfAbsent(decode(sides[0]), name -> new ArrayList<>())
                        .add(sides.length == 1 ? "" : decode(sides[1]));
            }
        }
        return parameters;
    }

    private static String decode(String text) {
        return UrlDecoding.decode(text.replace('+', ' '));
    }

    /**
     * {@return the first value of a name, or another if there is none}
     *
     * @param name decoded
     * @param otherwise may be null
     */
    public String get(String name, String otherwise) {
        return values.containsKey(name) ? values.get(name).get(0) : otherwise;
    }

    /**
     * {@return all values of a name in their order; empty if there are none}
     *
     * @param name decoded
     */
    public List<String> all(String name) {
        return List.copyOf(values.getOrDefault(name, List.of()));
    }

    /**
     * {@return the first value of a name as a number, or another if there is none}
     *
     * @param name decoded
     * @param otherwise the value if there is none, within the bounds too
     * @param least 0 or more
     * @param most at most 999,999,999
     * @throws IllegalArgumentException if it is no number from the least to the most; its message may be sent
     *                                  with a 400
     */
    public int number(String name, int otherwise, int least, int most) {
        String text = get(name, "" + otherwise);
        boolean digits = text.matches("[0-9]{1,9}");
        if (!digits || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
            throw new IllegalArgumentException(name + " is no number from " + least + " to " + most);
        }
        return Integer.parseInt(text);
    }
}
