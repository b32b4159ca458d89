package org.microhttp.extras.representation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.*;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.*;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.RandomCases;

/**
 * What must hold of {@code UrlDecoding} whatever is sent: what Java's own class
 * encodes is decoded to what it was; and of what nobody encoded comes a result, or the exception that the
 * classes document, with a message that may be shown.
 */
@Tier.Gate
final class UrlDecodingRandomTest {

    private static final int CASES = 8_000;
    private static final String HOSTILE = "%%%%&&==++;//..0123456789abcdefABCDEFzxu \0\r\n\"\\";

    private static final Pattern MESSAGE =
            Pattern.compile("at position (\\d+) of the (?:text|path) is [ -~]{1,110}");

    @Test
    void decodesTextThatJavaEncoded() throws Exception {
        RandomCases.forEach(CASES, random -> {
            String text = text(random);
            assertEquals(text, UrlDecoding.decode(encode(text).replace("+", "%20")));
            List<String> segments = Stream.generate(() -> text(random)).limit(1 + random.nextInt(8)).toList();
            String path = segments.stream().map(segment -> "/" + encode(segment).replace("+", "%20"))
                    .collect(joining());
            assertEquals(segments, UrlDecoding.segments(path));
        });
    }

    /** A prefix that ends behind a character is decoded, and any other is refused where that one begins. */
    @Test
    void takesAPrefixIfItIsOfWholeCharacters() throws Exception {
        RandomCases.forEach(CASES / 4, random -> {
            var text = new StringBuilder();
            var encoded = new StringBuilder();
            var whole = new TreeMap<Integer, String>(Map.of(0, ""));
            for (int c : text(random).codePoints().toArray()) {
                encoded.append(encode(Character.toString(c)).replace("+", "%20"));
                whole.put(encoded.length(), text.appendCodePoint(c).toString());
            }
            for (int end = 0; end <= encoded.length(); end++) {
                String prefix = encoded.substring(0, end);
                Supplier<String> first = () -> UrlDecoding.decode(prefix);
                if (whole.containsKey(end)) {
                    assertEquals(whole.get(end), first.get());
                } else {
                    var refused = assertThrows(IllegalArgumentException.class, first::get);
                    // within its last escape, or else at its first byte
                    int at = position(refused);
                    assertTrue(at >= whole.lowerKey(end) && at < end, refused.getMessage());
                }
            }
        });
    }

    /** Java's own class replaces what is malformed, and is right about all else. */
    @Test
    void javaDecodesAcceptedTextAlike() throws Exception {
        RandomCases.forEach(2 * CASES, random -> {
            String bytes = bytes(random);
            resultOrRefusal(bytes, () -> UrlDecoding.segments("/" + bytes));
            String decoded = resultOrRefusal(bytes, () -> UrlDecoding.decode(bytes));
            if (decoded != null) {
                assertEquals(URLDecoder.decode(bytes.replace("+", "%2B"), UTF_8), decoded);
            }
        });
    }

    /** Null if it is refused, as documented. */
    private static <T> T resultOrRefusal(String bytes, Supplier<T> decoding) {
        try {
            return decoding.get();
        } catch (IllegalArgumentException e) {
            assertEquals(IllegalArgumentException.class, e.getClass());
            assertTrue(position(e) <= bytes.length(), e.getMessage());
            return null;
        }
    }

    private static int position(IllegalArgumentException refused) {
        Matcher message = MESSAGE.matcher(refused.getMessage());
        assertTrue(message.matches(), refused.getMessage());
        return Integer.parseInt(message.group(1));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    /** Characters of each length in UTF-8; no half of a pair, which has no form in it. */
    private static String text(SplittableRandom random) {
        int[] bounds = {0x80, 0x800, 0xD800, 0x110000};
        return IntStream.range(0, random.nextInt(12))
                .map(i -> random.nextInt(bounds[random.nextInt(bounds.length)]))
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .mapToObj(Character::toString)
                .collect(joining());
    }

    /** Bytes as nobody encodes them: those that mean something, escapes, any. */
    private static String bytes(SplittableRandom random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(24); i > 0; i--) {
            switch (random.nextInt(8)) {
                case 0 -> text.append(String.format("%%%02x", random.nextInt(0x100)));
                case 1 -> text.append(encode(text(random)));
                case 2 -> text.append((char) random.nextInt(random.nextInt(16) == 0 ? 0x100 : 0x80));
                default -> text.append(HOSTILE.charAt(random.nextInt(HOSTILE.length())));
            }
        }
        // mostly whole escapes, or hardly any text would be taken
        return random.nextBoolean() ? text.toString() : text.toString().replaceAll("%(?![0-9a-fA-F]{2})", "");
    }
}
