package org.microhttp.extras.forms;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.extras.routing.RequestException;

/**
 * Bodies with the boundary {@code b}, whole, cut at every byte, and byte by byte. A part is shown as its
 * lines and its content, without the empty line between them.
 */
final class MultipartParserTest {

    private static final int MAX_HEAD = 200;

    /** Writes down what is found. */
    private static class Found implements MultipartParser.Parts {

        final List<String> parts = new ArrayList<>();
        private StringBuilder part;

        @Override
        public void begin(byte[] lines) {
            assertNull(part, "two parts at once");
            part = new StringBuilder(new String(lines, ISO_8859_1).replaceFirst("\r\n$", ""));
        }

        @Override
        public void add(ByteBuffer content) {
            assertTrue(content.hasRemaining(), "an empty piece");
            part.append(ISO_8859_1.decode(content));
        }

        @Override
        public void end() {
            parts.add(part.toString());
            part = null;
        }
    }

    private static List<String> parse(String boundary, List<byte[]> pieces)
            throws IOException {
        var found = new Found();
        var parser = new MultipartParser(boundary, MAX_HEAD, found);
        for (byte[] piece : pieces) {
            parser.parse(ByteBuffer.wrap(piece));
        }
        parser.end();
        return found.parts;
    }

    /** A body whole, in two pieces by each cut, byte by byte, and with a piece around each three bytes. */
    private static List<List<byte[]>> cuts(String text) {
        byte[] body = text.getBytes(ISO_8859_1);
        List<List<byte[]>> all = new ArrayList<>();
        all.add(List.of(body));
        all.add(pieces(body, 1));
        all.add(pieces(body, 3));
        for (int i = 0; i <= body.length; i++) {
            all.add(List.of(Arrays.copyOf(body, i), Arrays.copyOfRange(body, i, body.length)));
        }
        return all;
    }

    private static List<byte[]> pieces(byte[] body, int size) {
        List<byte[]> pieces = new ArrayList<>();
        for (int i = 0; i < body.length; i += size) {
            pieces.add(Arrays.copyOfRange(body, i, Math.min(body.length, i + size)));
        }
        return pieces;
    }

    /** Lines end in CRLF, but for an {@code \n} that is written so. */
    static Stream<List<String>> accepted() {
        return Stream.of(
                List.of("--b--"),
                List.of("--b--\r\n"),
                List.of("--b\r\n\r\n\r\n--b--", ""),
                List.of("--b\r\n\r\nx\r\n--b--\r\n", "x"),
                List.of("--b\r\nA: b\r\n\r\nx\r\n--b\r\nC: d\r\n\r\ny\r\n--b--\r\n",
                        "A: b\r\nx", "C: d\r\ny"),
                List.of("before\r\n--not\r\n--b\r\n\r\nx\r\n--b--after\r\n--b\r\n", "x"),
                List.of("\r\n--b\r\n\r\nx\r\n--b--", "x"),
                List.of("--b \t \r\n\r\nx\r\n--b\t\r\n\r\ny\r\n--b--", "x", "y"),
                // what is almost a boundary
                List.of("--b\r\n\r\n\r\n--\r\n-\r\n--c\r\r\n\n--b\r--b\r\n-b\r\n--b--",
                        "\r\n--\r\n-\r\n--c\r\r\n\n--b\r--b\r\n-b"),
                List.of("--b\r\n\r\n\r\n\r\n\r\r\n--b--", "\r\n\r\n\r"),
                List.of("--b\r\n\r\n--b--\r\n--b--", "--b--"),
                List.of("--b\r\n\r\n\0\u00FF\r\n\u0080\r\n--b--", "\0\u00FF\r\n\u0080"));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void partsAreTheSameHoweverTheBodyIsCut(List<String> bodyAndParts) throws Exception {
        for (List<byte[]> pieces : cuts(bodyAndParts.get(0))) {
            assertEquals(bodyAndParts.subList(1, bodyAndParts.size()), parse("b", pieces));
        }
    }

    @Test
    void findsLongBoundariesThatRepeatThemselves() throws Exception {
        String boundary = "--b----b--".repeat(7);
        String almost = boundary.substring(0, boundary.length() - 1);
        String content = "\r\n----b----b--\r\n--" + boundary.substring(1) + "\r\n--" + almost;
        String body = "--" + boundary + "\r\n\r\n" + content + "\r\n--" + boundary + "--";
        for (List<byte[]> pieces : cuts(body)) {
            assertEquals(List.of(content), parse(boundary, pieces));
        }
    }

    /** What Chromium sent, with a file that has the beginning of its boundary; and what curl did. */
    @ParameterizedTest
    @ValueSource(strings = {"----WebKitFormBoundaryKVCt4MxCvuFIRaVF",
        "------------------------34b935602660f2f6"})
    void partsOfRealClientsAreFoundHoweverTheBodyIsCut(String boundary) throws Exception {
        String field = "Content-Disposition: form-data; name=\"text\"\r\n";
        String file = "Content-Disposition: form-data; name=\"file\"; "
                + "filename=\"na\u00C3\u00AFve %22q%22.bin\"\r\nContent-Type: image/png\r\n";
        String none = "Content-Disposition: form-data; name=\"none\"; filename=\"\"\r\n"
                + "Content-Type: application/octet-stream\r\n";
        String text = "two\r\nlines --\r\n";
        String content = "\0\r\n--\u00FF\r\n--" + boundary.substring(0, 12);
        String line = "--" + boundary + "\r\n";
        String body = line + field + "\r\n" + text + "\r\n" + line + file + "\r\n" + content + "\r\n" + line
                + none + "\r\n\r\n--" + boundary + "--\r\n";
        for (List<byte[]> pieces : cuts(body)) {
            assertEquals(List.of(field + text, file + content, none), parse(boundary, pieces));
        }
    }

    /** Random content of the bytes of a delimiter: what is found is what was put in. */
    @Test
    void findsRandomContentOfTheBytesOfABoundary() throws Exception {
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            var content = new StringBuilder();
            for (int j = random.nextInt(30); j > 0; j--) {
                content.append("\r\n-b".charAt(random.nextInt(4)));
            }
            if (("\r\n" + content + "\r\n--b").indexOf("\r\n--b") <= content.length()) {
                // it has a boundary itself
                continue;
            }
            byte[] body = ("--b\r\n\r\n" + content + "\r\n--b--").getBytes(ISO_8859_1);
            List<byte[]> pieces = pieces(body, 1 + random.nextInt(9));
            assertEquals(List.of("" + content), parse("b", pieces), "" + content);
        }
    }

    /** What is found in a whole body, by searching; null if it is no multipart body. */
    private static List<String> reference(String body) {
        List<String> parts = new ArrayList<>();
        String text = "\r\n" + body;
        int at = text.indexOf("\r\n--b");
        while (at >= 0) {
            at += "\r\n--b".length();
            if (text.startsWith("--", at)) {
                return parts;
            }
            // padding, lines without CR and LF inside, and an empty one
            Matcher head = Pattern.compile("[ \t]*\r\n((?:[^\r\n]+\r\n)*)\r\n").matcher(text).region(at,
                    text.length());
            if (!head.lookingAt()) {
                return null;
            }
            at = text.indexOf("\r\n--b", head.end());
            if (at >= 0) {
                parts.add(head.group(1) + text.substring(head.end(), at));
            }
        }
        return null;
    }

    /** Random bodies of what could be taken for something else, cut at random, beside the reference. */
    @Test
    void randomBodiesAreParsedAsByTheReference() throws Exception {
        var random = new Random(2);
        String[] words = {"\r\n--b", "\r\n--b\r\n\r\n", "\r\n--b--", "\r\n", "--b", "--", "-", "b", "\r",
            "\n", " ", "\t", "A: b\r\n",
            "x", "\0\u00FF"};
        int accepted = 0;
        int withParts = 0;
        for (int i = 0; i < 60_000; i++) {
            var body = new StringBuilder(random.nextInt(4) == 0 ? "" : "--b");
            for (int j = random.nextInt(12); j > 0; j--) {
                body.append(words[random.nextInt(words.length)]);
            }
            body.append(random.nextBoolean() ? "" : "\r\n--b--");
            List<String> expected = reference("" + body);
            List<byte[]> pieces = pieces(("" + body).getBytes(ISO_8859_1), 1 + random.nextInt(30));
            if (expected == null) {
                assertThrows(RequestException.class, () -> parse("b", pieces), "" + body);
            } else {
                assertEquals(expected, parse("b", pieces), "" + body);
                accepted++;
                withParts += expected.isEmpty() ? 0 : 1;
            }
        }
        assertTrue(accepted > 6_000 && withParts > 1_500, accepted + ", " + withParts);
    }

    /** Heads of random pieces are read, or refused with a reason. */
    @Test
    void readsOrRefusesRandomHeads() {
        var random = new Random(3);
        String[] words = {"Content-Disposition", "content-type", ":", " ", "form-data", ";", "name",
            "filename", "*", "=", "\"", "\\", "a", "%22", "\r\n", "\t", "\0", "\u00C3\u00A9", "\u00FF", ",",
            "utf-8''"};
        int read = 0;
        for (int i = 0; i < 60_000; i++) {
            var lines = new StringBuilder(random.nextInt(4) == 0 ? ""
                    : "Content-Disposition: form-data; name=\"n\"");
            for (int j = random.nextInt(9); j > 0; j--) {
                lines.append(words[random.nextInt(words.length)]);
            }
            try {
                PartHead head = PartHead.of((lines + "\r\n\r\n").getBytes(ISO_8859_1));
                assertNotNull(head.name());
                read++;
            } catch (RequestException e) {
                assertEquals(400, e.status(), "" + lines);
            }
        }
        assertTrue(read > 3_000, "" + read);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "`` | does not end",
        "x | does not end",
        "--b | does not end",
        "--b- | does not end",
        "--b\\r\\n\\r\\nx | does not end",
        "--b\\r\\n\\r\\nx\\r\\n--b | does not end",
        "--b\\r\\n\\r\\nx\\r\\n--b- | does not end",
        "--b\\r\\n\\r\\nx\\r\\n--b\\r\\n | does not end",
        "--b\\r\\nA: b\\r\\n | does not end",
        "--b-x | one dash",
        "--bx\\r\\n | no line end",
        "--b --\\r\\n | no line end",
        "--b\\n\\n | no line end",
        "--b\\rx | CR without LF",
        "--b\\r\\nA: b\\n\\n | CR or LF alone",
        "--b\\r\\nA: b\\rc: d\\r\\n | CR or LF alone",
        "--b\\r\\n\\n | CR or LF alone",
        "--b\\r\\n\\r\\nx\\r\\n--bc\\r\\n | no line end"})
    void invalidMultipartBodyGets400(String body, String message) {
        for (List<byte[]> pieces : cuts(body.translateEscapes())) {
            var refused = assertThrows(RequestException.class, () -> parse("b", pieces));
            assertTrue(refused.getMessage().contains(message), refused.getMessage());
            assertEquals(400, refused.status());
        }
    }

    /** Parts of a program's own refuse as those of the handler do. */
    @Test
    void partsMayRefuse() {
        var parser = new MultipartParser("b", MAX_HEAD, new Found() {
            @Override
            public void end() {
                throw new RequestException(413, "mine");
            }
        });
        var body = ByteBuffer.wrap("--b\r\n\r\nx\r\n--b--".getBytes(ISO_8859_1));
        assertEquals("mine", assertThrows(RequestException.class, () -> parser.parse(body)).getMessage());
    }

    @ParameterizedTest
    @CsvSource({"--b\\r\\n, a", "--b, ' '"})
    void refusesLinesAndPaddingWithoutEnd(String begin, String repeated) {
        String body = begin.translateEscapes() + repeated.repeat(MAX_HEAD + 1);
        for (List<byte[]> pieces : cuts(body)) {
            assertEquals(413, assertThrows(RequestException.class, () -> parse("b", pieces)).status());
        }
    }
}
