package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.microhttp.Header;

/**
 * The status and the fields of an answer: the value of a record. Its first line is the status, and each other
 * a field.
 *
 * @param status 200, 404, 410, or that of a redirect
 * @param fields each of another name, and none that the server makes for each answer
 */
public record Metadata(int status, List<Header> fields) {

    /** Those of a redirect (RFC 9110 §15.4), which have a Location. */
    public static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    public static final int OK = 200;
    public static final int MISSING = 404;
    public static final int GONE = 410;

    /** About a connection, a message, or the moment of an answer: what is stored cannot know them. */
    private static final Set<String> OF_SERVER = Set.of("accept-ranges", "connection", "content-length",
            "content-range", "date", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
            "upgrade");

    /** What a token has beside letters and digits (RFC 9110 §5.6.2). */
    private static final String MARKS = "!#$%&'*+-.^_`|~";

    private static final Pattern STATUS = Pattern.compile("[1-9][0-9]{2}");

    /**
     * @throws IllegalArgumentException if one of them is not allowed
     */
    public Metadata {
        fields = List.copyOf(fields);
        boolean redirect = REDIRECTS.contains(status);
        boolean known = redirect || status == OK || status == MISSING || status == GONE;
        check(known, "the status " + status, "200, 301, 302, 303, 307, 308, 404, 410");
        Set<String> names = new HashSet<>();
        for (Header field : fields) {
            check(!isOfServer(field.name()), "a field " + field.name(), "those that no server makes");
            check(isValue(field.value()), "a " + field.name() + " that is none", "visible ASCII");
            check(names.add(lower(field.name())), "two fields " + field.name(), "one of each name");
        }
        check(redirect == names.contains("location"), "the status " + status + " and "
                + (redirect ? "no" : "a") + " Location", "one with redirects, and with nothing else");
    }

    private static void check(boolean valid, String what, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException(what + "; allowed: " + allowed);
        }
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Says whether a text can be the name of a field: a token (RFC 9110 §5.1). */
    public static boolean isName(String text) {
        return !text.isEmpty() && text.chars().allMatch(Metadata::isOfToken);
    }

    private static boolean isOfToken(int character) {
        return character < 0x80 && Character.isLetterOrDigit(character) || MARKS.indexOf(character) >= 0;
    }

    /**
     * Says whether a text can be the value of a field: field-content without obs-text, which nobody agrees on
     * (RFC 9110 §5.5).
     */
    public static boolean isValue(String text) {
        return text.equals(text.strip()) && text.chars().allMatch(Metadata::isOfValue);
    }

    private static boolean isOfValue(int character) {
        return character >= ' ' && character <= '~' || character == '\t';
    }

    /** Says whether fields of this name are made for each answer, so that none is stored. */
    public static boolean isOfServer(String name) {
        return OF_SERVER.contains(lower(name));
    }

    /** {@return the value of the field of this name; null if there is none} */
    public String value(String name) {
        return value(fields, name);
    }

    /** {@return the value of the first of fields that has this name; null if none has} */
    public static String value(List<Header> fields, String name) {
        for (Header field : fields) {
            if (field.name().equalsIgnoreCase(name)) {
                return field.value();
            }
        }
        return null;
    }

    /** {@return the metadata of this value} */
    public static Metadata of(byte[] value) throws IOException {
        List<String> lines = ArchiveFormat.lines(value);
        if (lines.isEmpty() || !STATUS.matcher(lines.get(0)).matches()) {
            throw new IOException("metadata do not begin with a status");
        }
        try {
            List<Header> fields = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                int colon = line.indexOf(':');
                if (colon <= 0 || !line.startsWith(": ", colon)) {
                    throw new IOException("metadata have a line that is no field");
                }
                fields.add(new Header(line.substring(0, colon), line.substring(colon + 2)));
            }
            return new Metadata(Integer.parseInt(lines.get(0)), fields);
        } catch (IllegalArgumentException e) {
            throw new IOException("metadata have " + e.getMessage(), e);
        }
    }

    /** {@return the value of these metadata} */
    public byte[] bytes() {
        List<String> lines = new ArrayList<>(List.of("" + status));
        for (Header field : fields) {
            lines.add(field.name() + ": " + field.value());
        }
        return ArchiveFormat.bytes(lines);
    }
}
