package json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.extras.routing.RequestException;

/**
 * Reads a text of JSON as RFC 8259 has it, and nothing else: no comments, no trailing commas, no byte order
 * mark, no name twice in an object. What is wrong is a {@link RequestException}, which a route answers with
 * a 400. Its message has the position, counted from 0, and what is allowed, and repeats nothing of the text.
 * <p>
 * The text is in memory, so limit its size before. The values take up to some 60 times as much.
 */
public final class JsonReader {

    /** How deep arrays and objects may be nested: each level takes some of the thread's stack. */
    public static final int MAX_DEPTH = 64;

    // number = [ minus ] int [ frac ] [ exp ] (RFC 8259 §6)
    private static final Pattern NUMBER =
            Pattern.compile("(-?(?:0|[1-9][0-9]*+))((?:\\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+)");

    private static final int HEX_DIGITS = 4;

    private final String text;
    private int at;
    private int depth;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * Reads a text in UTF-8.
     *
     * @return a map, a list, a string, a long, a double, a boolean or null. Maps and lists are unmodifiable
     *         and in the order of the text. A number is a long if it has neither fraction nor exponent and
     *         fits into one
     * @throws RequestException if it is not JSON, is nested deeper than {@link #MAX_DEPTH}, or has a number
     *                            that is too large for a double
     */
    public static Object read(byte[] utf8) {
        try {
            // a decoder of our own, since String's replaces what is malformed (RFC 8259 §8.1)
            return read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
        } catch (CharacterCodingException e) {
            throw new RequestException("the JSON is not encoded in UTF-8");
        }
    }

    /** Reads a text; the rest is as above. */
    public static Object read(String text) {
        var reader = new JsonReader(text);
        Object value = reader.readValue();
        if (reader.peek() >= 0) {
            throw reader.wrong("the end");
        }
        return value;
    }

    private Object readValue() {
        return switch (peek()) {
            case '{' -> nested(this::readObject);
            case '[' -> nested(this::readArray);
            case '"' -> readString();
            case 't' -> readWord("true", true);
            case 'f' -> readWord("false", false);
            case 'n' -> readWord("null", null);
            default -> readNumber();
        };
    }

    private interface Reading { Object read(); }

    private Object nested(Reading reading) {
        if (depth == MAX_DEPTH) {
            throw wrong(MAX_DEPTH + " levels of arrays and objects");
        }
        depth++;
        at++;
        Object value = reading.read();
        depth--;
        return value;
    }

    private Map<String, Object> readObject() {
        Map<String, Object> members = new LinkedHashMap<>();
        if (takes('}')) {
            return Collections.unmodifiableMap(members);
        }
        do {
            if (peek() != '"') {
                throw wrong("a name in double quotes");
            }
            int begin = at;
            String name = readString();
            // names SHOULD be unique, and programs differ in which of two holds (RFC 8259 §4)
            if (members.containsKey(name)) {
                at = begin;
                throw wrong("a name that the object does not have yet");
            }
            expect(':', "a colon");
            members.put(name, readValue());
        } while (takes(','));
        expect('}', "a comma or }");
        return Collections.unmodifiableMap(members);
    }

    private List<Object> readArray() {
        List<Object> elements = new ArrayList<>();
        if (takes(']')) {
            return Collections.unmodifiableList(elements);
        }
        do {
            elements.add(readValue());
        } while (takes(','));
        expect(']', "a comma or ]");
        return Collections.unmodifiableList(elements);
    }

    private Object readWord(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value");
        }
        at += word.length();
        return value;
    }

    private Number readNumber() {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) {
            throw wrong("a value");
        }
        Number value = value(number.group(), number.group(2).isEmpty());
        if (Double.isInfinite(value.doubleValue())) {
            throw wrong("a number of up to 1.8E308");
        }
        at = number.end();
        return value;
    }

    private static Number value(String number, boolean whole) {
        if (whole && number.length() <= ("" + Long.MIN_VALUE).length()) {
            try {
                return Long.valueOf(number);
            } catch (NumberFormatException e) {
                // as a double, which is less exact
            }
        }
        return Double.valueOf(number);
    }

    private String readString() {
        at++;
        var string = new StringBuilder();
        while (true) {
            // unescaped = %x20-21 / %x23-5B / %x5D-10FFFF (RFC 8259 §7)
            if (at == text.length() || text.charAt(at) < ' ') {
                throw wrong("a character of a string, or a double quote; control characters as \\u001f");
            }
            char c = text.charAt(at++);
            if (c == '"') {
                return string.toString();
            }
            string.append(c == '\\' ? readEscape() : c);
        }
    }

    private String readEscape() {
        int begin = at;
        char c = at < text.length() ? text.charAt(at++) : 0;
        int simple = "\"\\/bfnrt".indexOf(c);
        if (c != 0 && simple >= 0) {
            return "\"\\/\b\f\n\r\t".substring(simple, simple + 1);
        }
        if (c != 'u') {
            at = begin;
            throw wrong("one of \" \\ / b f n r t u after a backslash");
        }
        char first = readHex();
        if (!Character.isSurrogate(first)) {
            return "" + first;
        }
        // half a pair is no character, and programs differ in what they make of it (RFC 8259 §8.2)
        boolean pair = Character.isHighSurrogate(first) && text.startsWith("\\u", at);
        at += pair ? 2 : 0;
        char second = pair ? readHex() : 0;
        if (!Character.isLowSurrogate(second)) {
            at = begin;
            throw wrong("both halves of a surrogate pair");
        }
        return "" + first + second;
    }

    private char readHex() {
        int value = 0;
        for (int i = 0; i < HEX_DIGITS; i++) {
            if (at == text.length() || !HexFormat.isHexDigit(text.charAt(at))) {
                throw wrong("four hexadecimal digits after \\u");
            }
            value = value << 4 | HexFormat.fromHexDigit(text.charAt(at));
            at++;
        }
        return (char) value;
    }

    /**
     * Skips white space (RFC 8259 §2).
     *
     * @return the next character; below 0 at the end
     */
    private int peek() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : -1;
    }

    private boolean takes(char c) {
        boolean there = peek() == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c, String allowed) {
        if (!takes(c)) {
            throw wrong(allowed);
        }
    }

    private RequestException wrong(String allowed) {
        return new RequestException("the JSON is wrong at position " + at + "; allowed: " + allowed);
    }
}
