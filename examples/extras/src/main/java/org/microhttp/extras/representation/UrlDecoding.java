package org.microhttp.extras.representation;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * Decodes what is percent-encoded (RFC 3986 §2.1): text, and the segments of a path.
 * <p>
 * Nothing is repaired. A broken escape, and bytes that are not UTF-8 (overlong, surrogates or cut off), cause
 * an {@link IllegalArgumentException}. Its message says where, counted from 0, and what is allowed. The
 * message repeats nothing of the text but the value of a byte, so it may be sent as it is, with a 400.
 * <p>
 * Decoded text may have any character: a slash, a line break, {@code U+0000}. Decode once and never again:
 * {@code %2541} is {@code %41}.
 */
public final class UrlDecoding {

    private final String part;
    private final String text;
    private final byte[] bytes;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();

    /** Takes ASCII text: nobody knows which bytes other characters were. */
    private UrlDecoding(String part, String text) {
        this.part = part;
        this.text = text;
        bytes = text.getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) > 0x7F) {
                throw wrong(at, "a character that is not ASCII; allowed: its UTF-8, percent-encoded");
            }
        }
    }

    /**
     * Decodes a text, such as {@code "caf%C3%A9"}. A {@code +} stays: it means a space only in queries and
     * forms.
     *
     * @param text as sent
     * @return the decoded text
     * @throws IllegalArgumentException if the text is badly encoded
     */
    public static String decode(String text) {
        var decoding = new UrlDecoding("text", text);
        return decoding.decode(0, decoding.bytes.length);
    }

    /**
     * Splits a path, such as {@code "/a/b%2Fc/"} into {@code "a"}, {@code "b/c"} and {@code ""}. The path is
     * split before it is decoded, so an encoded slash is part of a segment. Nothing is left out: {@code /} is
     * one empty segment, {@code //} two, and {@code .} and {@code ..} are segments like others, encoded or
     * not.
     * <p>
     * So a segment may have a slash or lead to a parent: check it by {@link #isName} before it becomes part
     * of another path.
     *
     * @param path as sent, with the slash at its front and without the query
     * @return the decoded segments, at least one; unmodifiable
     * @throws IllegalArgumentException if the path is badly encoded, or has no slash at its front, such as
     *                                  the {@code *} of OPTIONS
     */
    public static List<String> segments(String path) {
        var decoding = new UrlDecoding("path", path);
        if (!path.startsWith("/")) {
            throw decoding.wrong(0, "no slash; allowed: a path that begins with one");
        }
        List<String> segments = new ArrayList<>();
        int from = 1;
        while (from <= path.length()) {
            int end = decoding.find('/', from, path.length());
            segments.add(decoding.decode(from, end));
            from = end + 1;
        }
        return Collections.unmodifiableList(segments);
    }

    /**
     * Says whether every program takes a decoded segment as one name: the segment is not empty, no other
     * folder ({@code .}, {@code ..}), and has no slash, backslash or control character, at which some
     * programs end a name.
     *
     * @param segment a decoded segment of a path
     * @return whether it is
     */
    public static boolean isName(String segment) {
        return !segment.isEmpty() && !segment.equals(".") && !segment.equals("..")
                && segment.chars().noneMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c));
    }

    /** The index of the first such byte, or else the end. */
    private int find(char value, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != value) {
            at++;
        }
        return at;
    }

    /** Decodes a stretch of the bytes. */
    private String decode(int from, int end) {
        if (find('%', from, end) == end) {
            return text.substring(from, end);
        }
        byte[] decoded = new byte[end - from];
        int length = 0;
        int at = from;
        while (at < end) {
            if (bytes[at] == '%') {
                decoded[length] = escaped(at, end);
                at += 3;
            } else {
                decoded[length] = bytes[at];
                at++;
            }
            length++;
        }
        var rest = ByteBuffer.wrap(decoded, 0, length);
        try {
            // a decoder of our own, since String's replaces malformed bytes
            return utf8.decode(rest).toString();
        } catch (CharacterCodingException e) {
            // the decoder stops at the first byte of what it cannot decode
            String value = HexFormat.of().withUpperCase().toHexDigits(rest.get());
            throw wrong(origin(from, rest.position() - 1), "%" + value
                    + ", which begins no character of UTF-8; allowed: whole characters");
        }
    }

    // pct-encoded = "%" HEXDIG HEXDIG (RFC 3986 §2.1), in either case
    private byte escaped(int at, int end) {
        boolean whole = at + 2 < end && HexFormat.isHexDigit(bytes[at + 1])
                && HexFormat.isHexDigit(bytes[at + 2]);
        if (!whole) {
            throw wrong(at, "a % without two hexadecimal digits behind it; allowed: %25 for a % itself");
        }
        return (byte) (HexFormat.fromHexDigit(bytes[at + 1]) << 4 | HexFormat.fromHexDigit(bytes[at + 2]));
    }

    /** The position in the text from which the decoded byte of this number came. */
    private int origin(int from, int number) {
        int at = from;
        for (int i = 0; i < number; i++) {
            at += bytes[at] == '%' ? 3 : 1;
        }
        return at;
    }

    private IllegalArgumentException wrong(int at, String what) {
        return new IllegalArgumentException("at position " + at + " of the " + part + " is " + what);
    }
}
