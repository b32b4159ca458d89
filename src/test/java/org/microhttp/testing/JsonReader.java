package org.microhttp.testing;

import java.util.*;

/** Reads JSON (RFC 8259) into maps, lists, strings, longs or doubles, booleans and null. Trusts its input. */
public final class JsonReader {

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    public static Object read(String text) {
        return new JsonReader(text).readValue();
    }

    private Object readValue() {
        return switch (peek()) {
            case '{' -> readObject();
            case '[' -> readArray();
            case '"' -> readString();
            default -> readLiteral();
        };
    }

    private Map<String, Object> readObject() {
        var object = new LinkedHashMap<String, Object>();
        at++;
        while (peek() != '}') {
            String name = readString();
            expect(':');
            object.put(name, readValue());
            skipComma();
        }
        at++;
        return object;
    }

    private List<Object> readArray() {
        var array = new ArrayList<>();
        at++;
        while (peek() != ']') {
            array.add(readValue());
            skipComma();
        }
        at++;
        return array;
    }

    private String readString() {
        expect('"');
        var string = new StringBuilder();
        for (char c; (c = text.charAt(at++)) != '"'; ) {
            string.append(c == '\\' ? readEscape() : c);
        }
        return string.toString();
    }

    private char readEscape() {
        char c = text.charAt(at++);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) Integer.parseInt(text.substring(at, at += 4), 16);
            default -> c;
        };
    }

    private Object readLiteral() {
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String literal = text.substring(start, at);
        return switch (literal) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> number(literal);
        };
    }

    private static Number number(String literal) {
        if (literal.matches("-?\\d+")) {
            return Long.valueOf(literal);
        }
        return Double.valueOf(literal);
    }

    /** The next character that is not white space. */
    private char peek() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw new IllegalArgumentException("no " + c + " at " + at);
        }
        at++;
    }

    private void skipComma() {
        if (peek() == ',') {
            at++;
        }
    }
}
