package org.microhttp.extras.routing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.microhttp.Request;
import org.microhttp.extras.representation.UrlDecoding;

/**
 * The parameters of a query, or of a form of the type {@code application/x-www-form-urlencoded}, by name. For
 * example:
 * <pre>{@code
 *   var query = Parameters.query(request);
 *   String search = query.text("q", "", 100);
 *   int limit = query.number("limit", 20, 1, 100);
 *   Order order = query.choice("order", Order.TITLE);
 *   LocalDate since = query.value("since", null, LocalDate::parse, "a date such as 2026-01-31");
 * }</pre>
 * With a second argument {@code otherwise}, a parameter may be missing; without, the parameter is required.
 * An empty value counts as missing, because browsers send one for a field that is left empty. Only {@link
 * #all} reads a name that is given twice.
 * <p>
 * A parameter that is missing, given twice, or not allowed causes a {@link RequestException}, which a {@link
 * Router} answers with a 400. Its message says what is wrong and what is allowed, as in {@code limit is
 * "abc"; allowed: a whole number from 1 to 100}. The message repeats at most 40 characters of the value, and
 * escapes characters that are special in HTML or not plain ASCII.
 * <p>
 * Names are case-sensitive. Names and values are decoded, and may have any character. There may be 1,000
 * parameters; their length is limited by the server's {@code maxHeaderSize} and {@code maxRequestSize}, and
 * by {@link Route#withMaxBody}. Immutable.
 */
public final class Parameters {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final int MOST = 1000;

    /** The longest text that a program's function gets, as some take much longer for more. */
    private static final int MOST_PARSED = 200;
    private static final int MOST_SHOWN = 40;

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,18}(\\.[0-9]{1,18})?");

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    private Parameters(String part, String encoded) {
        String[] all = encoded.split("&", MOST + 1);
        if (all.length > MOST) {
            throw new RequestException("the " + part + " has too many parameters; allowed: " + MOST);
        }
        for (String parameter : all) {
            // split before decoding: decoded text may have an & or a = itself
            String[] sides = parameter.split("=", 2);
            if (!parameter.isEmpty()) {
                String name = decode(part, null, sides[0]);
                String value = sides.length == 1 ? "" : decode(part, name, sides[1]);
                values.computeIfAbsent(name, key -> new ArrayList<>(1)).add(value);
            }
        }
    }

    /** Decodes a value, or a name if {@code name} is null. Error texts are slow, so made only on failure. */
    private static String decode(String part, String name, String text) {
        try {
            return UrlDecoding.decode(text.replace('+', ' '));
        } catch (IllegalArgumentException e) {
            String what = name == null ? "a name" : "the value of " + shown(name);
            throw new RequestException(what + " in the " + part + ": " + e.getMessage());
        }
    }

    /**
     * Reads the query of a request.
     *
     * @param request whose {@link Request#query} is read
     * @return the parameters; none if there is no query
     * @throws RequestException if a name or a value is not percent-encoded UTF-8, or there are more than
     *                            1,000 parameters
     */
    public static Parameters query(Request request) {
        return new Parameters("query", request.query() == null ? "" : request.query());
    }

    /**
     * Reads the form that is the body of a request. Forms with files have another type: see {@link
     * org.microhttp.extras.forms.FormHandler}.
     *
     * @param request whose body is in memory
     * @return the parameters; none if the body is empty
     * @throws RequestException with the status 415 if the body is not of the type {@code
     *                            application/x-www-form-urlencoded}, and otherwise as {@link #query}
     */
    public static Parameters form(Request request) {
        BodyType.check(request, List.of(FORM));
        // one character per byte; decoding refuses those that are not ASCII
        return new Parameters("form", new String(request.body(), ISO_8859_1));
    }

    /** {@return the names in the order of their first values, unmodifiable} */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /**
     * {@return all values of a name in their order, even empty ones; unmodifiable, and empty if there are
     * none}
     *
     * @param name of the parameter
     */
    public List<String> all(String name) {
        return List.copyOf(values.getOrDefault(name, List.of()));
    }

    /**
     * {@return a text}
     *
     * @param name of the parameter
     * @param most the allowed number of {@code char}
     * @throws RequestException if the value is missing, given twice, or longer
     */
    public String text(String name, int most) {
        return read(name, "a text of up to " + most + " characters",
                given -> given.length() > most ? null : given);
    }

    /**
     * {@return a text}
     *
     * @param name      of the parameter
     * @param otherwise the result for a missing parameter; may be null
     * @param most      the allowed number of {@code char}
     * @throws RequestException if the value is given twice, or longer
     */
    public String text(String name, String otherwise, int most) {
        return isMissing(name) ? otherwise : text(name, most);
    }

    /**
     * {@return a whole number in decimal digits, perhaps with a minus sign}
     *
     * @param name  of the parameter
     * @param least the least number that is allowed
     * @param most  the largest number that is allowed
     * @throws RequestException if the value is missing, given twice, or no such number
     */
    public int number(String name, int least, int most) {
        return (int) number(name, (long) least, (long) most);
    }

    /**
     * {@return a whole number in decimal digits, perhaps with a minus sign}
     *
     * @param name      of the parameter
     * @param otherwise the result for a missing parameter; any number
     * @param least     the least number that is allowed
     * @param most      the largest number that is allowed
     * @throws RequestException if the value is given twice, or no such number
     */
    public int number(String name, int otherwise, int least, int most) {
        return isMissing(name) ? otherwise : number(name, least, most);
    }

    /**
     * {@return a whole number in decimal digits, perhaps with a minus sign}
     *
     * @param name  of the parameter
     * @param least the least number that is allowed
     * @param most  the largest number that is allowed
     * @throws RequestException if the value is missing, given twice, or no such number
     */
    public long number(String name, long least, long most) {
        return read(name, "a whole number from " + least + " to " + most, given -> {
            // Long.parseLong alone would also take a plus sign, and digits of other alphabets
            Long number = WHOLE.matcher(given).matches() ? Long.valueOf(given) : null;
            return number == null || number < least || number > most ? null : number;
        });
    }

    /**
     * {@return a whole number in decimal digits, perhaps with a minus sign}
     *
     * @param name      of the parameter
     * @param otherwise the result for a missing parameter; any number
     * @param least     the least number that is allowed
     * @param most      the largest number that is allowed
     * @throws RequestException if the value is given twice, or no such number
     */
    public long number(String name, long otherwise, long least, long most) {
        return isMissing(name) ? otherwise : number(name, least, most);
    }

    /**
     * {@return a number such as {@code -12.50}: up to 18 digits, and up to 18 after a point; no exponent}
     *
     * @param name  of the parameter
     * @param least the least number that is allowed
     * @param most  the largest number that is allowed
     * @throws RequestException if the value is missing, given twice, or no such number
     */
    public BigDecimal decimal(String name, long least, long most) {
        return read(name, "a decimal number from " + least + " to " + most, given -> {
            // BigDecimal alone would also take an exponent: 1e999999999 plus 1 needs half a gigabyte
            if (!DECIMAL.matcher(given).matches()) {
                return null;
            }
            var number = new BigDecimal(given);
            boolean within = number.compareTo(BigDecimal.valueOf(least)) >= 0
                    && number.compareTo(BigDecimal.valueOf(most)) <= 0;
            return within ? number : null;
        });
    }

    /**
     * {@return a number such as {@code -12.50}: up to 18 digits, and up to 18 after a point; no exponent}
     *
     * @param name      of the parameter
     * @param otherwise the result for a missing parameter; may be null
     * @param least     the least number that is allowed
     * @param most      the largest number that is allowed
     * @throws RequestException if the value is given twice, or no such number
     */
    public BigDecimal decimal(String name, BigDecimal otherwise, long least, long most) {
        return isMissing(name) ? otherwise : decimal(name, least, most);
    }

    /**
     * {@return true for {@code true}, {@code on} or {@code 1}; false for {@code false}, {@code off} or {@code
     * 0}}
     *
     * @param name of the parameter
     * @throws RequestException if the value is missing, given twice, or none of these
     */
    public boolean flag(String name) {
        return read(name, "true, on, 1, false, off, 0", given -> switch (given) {
            case "true", "on", "1" -> true;
            case "false", "off", "0" -> false;
            default -> null;
        });
    }

    /**
     * {@return true for {@code true}, {@code on} or {@code 1}; false for {@code false}, {@code off} or {@code
     * 0}} For a checkbox, a browser sends {@code on} if it is checked, and nothing if not.
     *
     * @param name      of the parameter
     * @param otherwise the result for a missing parameter
     * @throws RequestException if the value is given twice, or none of these
     */
    public boolean flag(String name, boolean otherwise) {
        return isMissing(name) ? otherwise : flag(name);
    }

    /**
     * {@return the enum constant whose name in lower case is the value: {@code BY_DATE} for {@code by_date}}
     *
     * @param name of the parameter
     * @param type the class of the enum
     * @param <E>  the enum
     * @throws RequestException if the value is missing, given twice, or no such name
     */
    public <E extends Enum<E>> E choice(String name, Class<E> type) {
        List<E> constants = Arrays.asList(type.getEnumConstants());
        String allowed = constants.stream().map(Parameters::lower).collect(Collectors.joining(", "));
        return read(name, allowed, given ->
                constants.stream().filter(one -> lower(one).equals(given)).findFirst().orElse(null));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the enum constant whose name in lower case is the value: {@code BY_DATE} for {@code by_date}}
     *
     * @param name      of the parameter
     * @param otherwise the result for a missing parameter; not null, as its class is the enum
     * @param <E>       the enum
     * @throws RequestException if the value is given twice, or no such name
     */
    public <E extends Enum<E>> E choice(String name, E otherwise) {
        return isMissing(name) ? otherwise : choice(name, otherwise.getDeclaringClass());
    }

    /**
     * Returns a value of any other type. For example:
     * <pre>{@code
     *   UUID id = query.value("id", UUID::fromString, "a UUID");
     *   Duration wait = query.value("wait", Duration::parse, "a duration such as PT30S");
     *   Unit unit = query.value("unit", Map.of("km", Unit.KILOMETER, "mi", Unit.MILE)::get, "km, mi");
     * }</pre>
     *
     * @param name    of the parameter
     * @param parse   turns a text of up to 200 characters into the value. A longer text is not allowed, nor
     *                one for which this returns null, or throws an {@link IllegalArgumentException} or a
     *                {@link DateTimeException}
     * @param allowed what is allowed, for the message
     * @param <T>     the type of the value
     * @return the value, never null
     * @throws RequestException if the value is missing, given twice, or not allowed
     */
    public <T> T value(String name, Function<String, T> parse, String allowed) {
        return read(name, allowed, given -> given.length() > MOST_PARSED ? null : parse.apply(given));
    }

    /**
     * Returns a value of any other type, see {@link #value(String, Function, String)}.
     *
     * @param name      of the parameter
     * @param otherwise the result for a missing parameter; may be null
     * @param parse     turns a text into the value
     * @param allowed   what is allowed, for the message
     * @param <T>       the type of the value
     * @return the value; null only if {@code otherwise} is
     * @throws RequestException if the value is given twice, or not allowed
     */
    public <T> T value(String name, T otherwise, Function<String, T> parse, String allowed) {
        return isMissing(name) ? otherwise : value(name, parse, allowed);
    }

    private boolean isMissing(String name) {
        return values.getOrDefault(name, List.of("")).equals(List.of(""));
    }

    private <T> T read(String name, String allowed, Function<String, T> parse) {
        List<String> given = values.getOrDefault(name, List.of());
        String what = safe(name);
        if (given.size() > 1) {
            throw new RequestException(what + " is given " + given.size() + " times; allowed: once");
        }
        if (isMissing(name)) {
            throw new RequestException(what + " is missing; allowed: " + allowed);
        }
        T value = null;
        try {
            value = parse.apply(given.get(0));
        } catch (IllegalArgumentException | DateTimeException e) {
            // not allowed, as null
        }
        if (value == null) {
            throw new RequestException(what + " is " + shown(given.get(0)) + "; allowed: " + allowed);
        }
        return value;
    }

    /** {@return the beginning of a text in quotes, for a message} */
    static String shown(String text) {
        return "\"" + safe(text) + "\"";
    }

    /** {@return the beginning of a text, with escapes for characters special to HTML or a terminal} */
    private static String safe(String text) {
        var safe = new StringBuilder();
        text.chars().limit(MOST_SHOWN).forEach(c -> {
            boolean plain = c >= ' ' && c <= '~' && "\"'<>&\\".indexOf(c) < 0;
            safe.append(plain ? "" + (char) c : "\\u%04X".formatted(c));
        });
        return safe + (text.length() > MOST_SHOWN ? "..." : "");
    }
}
