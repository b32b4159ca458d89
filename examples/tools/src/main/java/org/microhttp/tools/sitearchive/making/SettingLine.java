package org.microhttp.tools.sitearchive.making;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A line that a person wrote into a file of settings.
 *
 * @param of     says of which file, as {@code --headers is "fields"}
 * @param number from 1 on
 */
record SettingLine(String of, int number, String text) {

    /** {@return the lines of a file; one that is empty or begins with {@code #} is none} */
    static List<SettingLine> all(String of, byte[] bytes) {
        List<SettingLine> lines = new ArrayList<>();
        int number = 0;
        for (String text : text(of, bytes).lines().toList()) {
            number++;
            if (!text.isBlank() && !text.startsWith("#")) {
                lines.add(new SettingLine(of, number, text));
            }
        }
        return lines;
    }

    private static String text(String of, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        // no text has more characters than bytes in UTF-8
        CharBuffer out = CharBuffer.allocate(bytes.length);
        boolean valid = !StandardCharsets.UTF_8.newDecoder().decode(in, out, true).isError();
        out.flip();
        // one character more, so that the line that it stands in is one
        int number = (int) (out + "x").lines().count();
        new SettingLine(of, number, "").check(valid, "what is not text", "UTF-8");
        return out.toString();
    }

    /**
     * @throws IllegalArgumentException unless it is valid, with a message for who wrote the line
     */
    void check(boolean valid, String what, String allowed) {
        if (!valid) {
            throw refusal(what, allowed);
        }
    }

    IllegalArgumentException refusal(String what, String allowed) {
        return new IllegalArgumentException(
                of + ", with " + what + " in line " + number + "; allowed: " + allowed);
    }
}
