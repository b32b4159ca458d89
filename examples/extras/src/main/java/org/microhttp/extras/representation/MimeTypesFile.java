package org.microhttp.extras.representation;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a file of media types in one of two formats. nginx: a block of {@code types} in braces, in which a
 * semicolon ends each type and its suffixes. Apache: a line for each type and its suffixes. In both, a word
 * that begins with {@code #} begins a comment, up to the end of the line. Of several types for a suffix, the
 * last applies.
 */
final class MimeTypesFile {

    /** The front of a file in nginx's format, after comments. */
    private static final Pattern BLOCK =
            Pattern.compile("(?:\\s|#.*+)*+(?<block>types(?=[\\s{#])|\\{)?", Pattern.UNIX_LINES);

    private static final Pattern MARK_OR_WORD =
            Pattern.compile("#.*|[{};]|\"([^\"]*)\"|'([^']*)'|[^\\s{};]+");

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    // media-type = type "/" subtype parameters (RFC 9110 §8.3.1); parameters are not checked
    private static final Pattern TYPE = Pattern.compile(TOKEN + "/" + TOKEN + "(?:[ \t]*;[\t -~]*[!-~])?");

    private static final Pattern SUFFIX = Pattern.compile("[!-~&&[^./{};]][!-~&&[^/{};]]*");

    private final Map<String, String> bySuffix = new HashMap<>();
    private final String name;
    private int line;

    /** The type of the next suffixes; null if a type must come next. */
    private String type;

    /** In nginx's format: whether the word {@code types} was read, and whether its brace is open. */
    private boolean named;
    private boolean open;

    /** @param name of the file, for messages */
    private MimeTypesFile(String name) {
        this.name = name;
    }

    /**
     * {@return the types by their suffixes, in lower case}
     *
     * @param name of the file, for messages
     * @throws IllegalArgumentException with a message for the user that says what is wrong in which line
     */
    static Map<String, String> read(String name, String text) {
        var file = new MimeTypesFile(name);
        Matcher front = BLOCK.matcher(text);
        boolean block = front.lookingAt() && front.group("block") != null;
        for (String content : text.lines().toList()) {
            file.line++;
            if (block) {
                file.readPieces(content);
            } else {
                file.readLine(content);
            }
        }
        file.check(!file.named, "the end", "a } for each types {");
        return file.bySuffix;
    }

    private void readLine(String content) {
        type = null;
        for (String word : content.strip().split("\\s+")) {
            if (word.isEmpty() || word.startsWith("#")) {
                return;
            }
            readWord(word);
        }
    }

    private void readPieces(String content) {
        Matcher piece = MARK_OR_WORD.matcher(content);
        while (piece.find()) {
            if (!piece.group().startsWith("#")) {
                readPiece(piece);
            }
        }
    }

    private void readPiece(Matcher piece) {
        String text = piece.group();
        if (!named) {
            check(text.equals("types"), quoted(text), "types {");
            named = true;
        } else if (!open) {
            check(text.equals("{"), quoted(text), "types {");
            open = true;
        } else if (text.equals("}")) {
            check(type == null, "a }", "a ; behind the suffixes of a type");
            open = false;
            named = false;
        } else if (text.equals(";")) {
            check(type != null, "a ;", "a type before it");
            type = null;
        } else if (piece.group(1) != null) {
            readWord(piece.group(1));
        } else {
            readWord(piece.group(2) == null ? text : piece.group(2));
        }
    }

    private void readWord(String word) {
        if (type == null) {
            check(TYPE.matcher(word).matches(), quoted(word), "a media type, as in text/html");
            type = word;
        } else {
            check(SUFFIX.matcher(word).matches(), quoted(word), "a suffix without its dot, as in html");
            bySuffix.put(word.toLowerCase(Locale.ROOT), type);
        }
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    private void check(boolean valid, String what, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException(
                    quoted(name) + ", with " + what + " in line " + line + "; allowed: " + allowed);
        }
    }
}
