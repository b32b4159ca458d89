package org.microhttp.extras.forms;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.microhttp.extras.routing.RequestException;

/**
 * The lines before the content of a part (RFC 7578 §4). Nothing is decoded, because decoding is ambiguous:
 * in a name, browsers send {@code %22}, {@code %0D} and {@code %0A} for a quote, CR and LF, but leave a
 * percent sign as it is.
 *
 * @param name     of the field
 * @param fileName empty if the user has chosen no file; null if the part is no file. Never make a path of it
 *                 without a check
 * @param type     the media type; null if there is none
 */
public record PartHead(String name, String fileName, String type) {

    /**
     * Reads the lines that {@link MultipartParser.Parts#begin} gets.
     *
     * @param lines each with its line end, and the empty one after them
     * @return the head
     * @throws RequestException if the lines are no head of a part of a form
     */
    public static PartHead of(byte[] lines) {
        Map<String, String> fields = fields(text(lines));
        String disposition = fields.get("content-disposition");
        FormRefusal.check(disposition != null, "a part has no Content-Disposition (RFC 7578 section 4.2)");
        FieldValue value = FieldValue.of(disposition);
        String name = value.parameters().get("name");
        FormRefusal.check(value.value().equals("form-data") && name != null,
                "the Content-Disposition of a part is not form-data with a name (RFC 7578 section 4.2)");
        String fileName = value.parameters().get("filename");
        // "filename*" MUST NOT be used; if both are there, all programs read "filename"
        FormRefusal.check(fileName != null
                || value.parameters().keySet().stream().noneMatch(key -> key.startsWith("filename*")),
                "the name of a file is filename, not filename* (RFC 7578 section 4.2)");
        String coding = fields.getOrDefault("content-transfer-encoding", "binary").toLowerCase(Locale.ROOT);
        // nobody sends others; encoded content would be taken as it is
        FormRefusal.check(coding.matches("7bit|8bit|binary"),
                "the Content-Transfer-Encoding of a part is not binary (RFC 7578 section 4.7)");
        String type = fields.get("content-type");
        // curl sends one for -F name=@a,b; it would be taken for a text
        FormRefusal.check(fileName != null || !FieldValue.of("" + type).value().startsWith("multipart/"),
                "a part is a multipart itself: each file is a part of its own (RFC 7578 section 4.3)");
        return new PartHead(name, fileName, type);
    }

    /** Browsers send names in the encoding of their page, which should be UTF-8 (RFC 7578 §5.1.2). */
    static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new RequestException("a field or a name is not encoded in UTF-8");
        }
    }

    // field-name ":" OWS field-value OWS CRLF, without folding (RFC 9112 §5)
    private static Map<String, String> fields(String lines) {
        Map<String, String> fields = new HashMap<>();
        for (String line : lines.split("\r\n")) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            boolean valid = name.matches("[!#$%&'*+.^_`|~0-9a-z-]+")
                    && line.chars().noneMatch(c -> c < ' ' && c != '\t' || c == 0x7F);
            FormRefusal.check(valid, "a line of a part is no field (RFC 9112 section 5)");
            FormRefusal.check(fields.put(name, line.substring(colon + 1).strip()) == null,
                    "a part has a field twice");
        }
        return fields;
    }
}
