package reporting;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON (RFC 8259) in ASCII: objects of maps, arrays of lists, numbers, and else strings. */
public final class Json {

    private Json() {
    }

    public static String text(Object value) {
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(member -> text(member.getKey()) + ":" + text(member.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        } else if (value instanceof List<?> elements) {
            return elements.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
        } else if (value instanceof Double number) {
            return String.format(Locale.ROOT, "%.6f", number);
        } else if (value instanceof Number number) {
            return number.toString();
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
