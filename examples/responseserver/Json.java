package responseserver;

import java.util.Locale;

/** Writes JSON (RFC 8259) in ASCII: numbers, strings, arrays, and objects of keys and values in turn. */
final class Json {

    private Json() {
    }

    static String object(Object... keysAndValues) {
        var text = new StringBuilder("{");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            text.append(i == 0 ? "" : ",").append(value(keysAndValues[i])).append(':')
                    .append(value(keysAndValues[i + 1]));
        }
        return text.append('}').toString();
    }

    private static String value(Object value) {
        if (value instanceof Double number) {
            return String.format(Locale.ROOT, "%.6f", number);
        } else if (value instanceof Number number) {
            return number.toString();
        } else if (value instanceof Object[] elements) {
            var text = new StringBuilder("[");
            for (int i = 0; i < elements.length; i++) {
                text.append(i == 0 ? "" : ",").append(value(elements[i]));
            }
            return text.append(']').toString();
        }
        return string(value.toString());
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
