package org.microhttp.tools.reporting;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes JSON (RFC 8259) in ASCII: objects of maps, arrays of lists, numbers, booleans and null, and strings
 * of all else.
 */
public final class Json {

    private Json() {
    }

    /**
     * Writes a value.
     *
     * @throws IllegalArgumentException if a number is not finite, which JSON cannot express (RFC 8259 §6)
     */
    public static String text(Object value) {
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(member -> string("" + member.getKey()) + ":" + text(member.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        } else if (value instanceof List<?> elements) {
            return elements.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
        } else if (value instanceof Number number) {
            return number(number);
        } else if (value instanceof Boolean || value == null) {
            return "" + value;
        }
        return string(value.toString());
    }

    private static String number(Number number) {
        boolean real = number instanceof Double || number instanceof Float;
        if (real && !Double.isFinite(number.doubleValue())) {
            throw new IllegalArgumentException("a number is " + number + "; allowed: finite ones");
        }
        return number.toString();
    }

    private static String string(String value) {
        var text = new StringBuilder(value.length() + 16).append('"');
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7F) {
                text.append(c);
            } else {
                text.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
            }
        }
        return text.append('"').toString();
    }
}
