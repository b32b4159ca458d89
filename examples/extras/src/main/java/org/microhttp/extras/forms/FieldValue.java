package org.microhttp.extras.forms;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.microhttp.extras.routing.RequestException;

/**
 * A field value with parameters, as {@code form-data; name="a"; filename="b.txt"} (RFC 9110 §5.6.6).
 *
 * @param value      what is before the first semicolon, in lower case
 * @param parameters by name, in lower case
 */
record FieldValue(String value, Map<String, String> parameters) {

    /** How many parameters a field may have; two are used. */
    private static final int MOST = 20;
    private static final String TCHAR = "!#$%&'*+-.^_`|~";

    /** @throws RequestException if the text is malformed, or has a parameter twice or too many */
    static FieldValue of(String text) {
        int end = text.indexOf(';');
        String value = (end < 0 ? text : text.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        var reader = new Reader(text, end < 0 ? text.length() : end);
        return new FieldValue(value, reader.readParameters());
    }

    /** Reads the parameters from the first semicolon on. */
    private static final class Reader {

        private final String text;
        private int at;

        Reader(String text, int at) {
            this.text = text;
            this.at = at;
        }

        // parameters = *( OWS ";" OWS [ parameter ] ) (RFC 9110 §5.6.6)
        Map<String, String> readParameters() {
            Map<String, String> parameters = new LinkedHashMap<>();
            skipSpace();
            while (at < text.length()) {
                check(text.charAt(at) == ';');
                at++;
                skipSpace();
                if (at < text.length() && text.charAt(at) != ';') {
                    String name = readToken().toLowerCase(Locale.ROOT);
                    check(at < text.length() && text.charAt(at) == '=');
                    at++;
                    check(parameters.put(name, readValue()) == null && parameters.size() <= MOST);
                    skipSpace();
                }
            }
            return parameters;
        }

        private void skipSpace() {
            while (at < text.length() && " \t".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private String readToken() {
            int begin = at;
            while (at < text.length() && isTchar(text.charAt(at))) {
                at++;
            }
            check(at > begin);
            return text.substring(begin, at);
        }

        private static boolean isTchar(char c) {
            return c < 0x80 && Character.isLetterOrDigit(c) || TCHAR.indexOf(c) >= 0;
        }

        private String readValue() {
            if (at == text.length() || text.charAt(at) != '"') {
                return readToken();
            }
            at++;
            var value = new StringBuilder();
            while (true) {
                check(at < text.length());
                char c = text.charAt(at++);
                if (c == '"') {
                    return value.toString();
                }
                // quoted-pair (RFC 9110 §5.6.4), only of quote and backslash: browsers escape no backslash
                if (c == '\\' && at < text.length() && "\"\\".indexOf(text.charAt(at)) >= 0) {
                    c = text.charAt(at++);
                }
                value.append(c);
            }
        }

        private static void check(boolean valid) {
            FormRefusal.check(valid, "the parameters of a field are malformed (RFC 9110 section 5.6.6)");
        }
    }
}
