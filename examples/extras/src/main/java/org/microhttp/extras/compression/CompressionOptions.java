package org.microhttp.extras.compression;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which responses a {@link CompressionHandler} compresses, and how. Begin with {@link #DEFAULT}: {@code
 * CompressionOptions.DEFAULT.withMinSize(4096).withLevel(1)}. Immutable.
 *
 * @param types      the media types to compress: whole ones such as {@code application/json}, all of a kind
 *                   such as {@code text/*}, or all with a suffix such as {@code *+json}; in upper or lower
 *                   case. Parameters of a Content-Type do not count. A response without a Content-Type is not
 *                   compressed
 * @param minSize    the least size of a body, in bytes, 0 or more; bodies of unknown size are always
 *                   compressed
 * @param level      1, the fastest, to 9, the smallest
 * @param maxStreams how many bodies above 8 KiB, or of a publisher, are compressed at a time, 1 or more;
 *                   further bodies are sent as they are. Each takes some 300 KiB, mostly outside the heap
 */
public record CompressionOptions(Set<String> types, int minSize, int level, int maxStreams) {

    /**
     * Text of all kinds, JSON, JavaScript, XML (so SVG, too), WebAssembly and uncompressed fonts, from 1 KiB
     * on, at level 6; 256 streams, which take 75 MiB at most.
     */
    public static final CompressionOptions DEFAULT = new CompressionOptions(Set.of("text/*",
            "application/json", "application/x-ndjson", "application/javascript", "application/xml",
            "application/wasm", "font/otf", "font/ttf", "*+json", "*+xml"), 1024, 6, 256);

    private static final int BEST_LEVEL = 9;

    /**
     * Makes options.
     *
     * @param types      see above
     * @param minSize    see above
     * @param level      see above
     * @param maxStreams see above
     * @throws IllegalArgumentException if a value is not as above
     * @throws NullPointerException     if the types, or one of them, are null
     */
    public CompressionOptions {
        within("minSize", minSize, 0, Integer.MAX_VALUE);
        within("level", level, 1, BEST_LEVEL);
        within("maxStreams", maxStreams, 1, Integer.MAX_VALUE);
        Set<String> all = new HashSet<>();
        for (String type : types) {
            // type "/" subtype, both tokens without an asterisk (RFC 9110 §8.3.1)
            String token = "[a-z0-9!#$&^_.+-]+";
            String lower = type.toLowerCase(Locale.ROOT);
            if (!Pattern.matches(token + "/(" + token + "|\\*)|\\*\\+" + token, lower)) {
                throw new IllegalArgumentException("a type is \"" + type
                        + "\"; allowed: such as text/html, text/* and *+json");
            }
            all.add(lower);
        }
        types = Set.copyOf(all);
    }

    private static void within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; allowed: " + least + " to " + most);
        }
    }

    /**
     * {@return the same, with these types instead}
     *
     * @param others see above
     */
    public CompressionOptions withTypes(Collection<String> others) {
        return new CompressionOptions(new HashSet<>(others), minSize, level, maxStreams);
    }

    /**
     * {@return the same, with another least size}
     *
     * @param bytes see above
     */
    public CompressionOptions withMinSize(int bytes) {
        return new CompressionOptions(types, bytes, level, maxStreams);
    }

    /**
     * {@return the same, with another level}
     *
     * @param other see above
     */
    public CompressionOptions withLevel(int other) {
        return new CompressionOptions(types, minSize, other, maxStreams);
    }

    /**
     * {@return the same, with so many streams at a time}
     *
     * @param most see above
     */
    public CompressionOptions withMaxStreams(int most) {
        return new CompressionOptions(types, minSize, level, most);
    }

    /** Says whether a Content-Type, which may be null, is one of the types. */
    boolean isWorthIt(String contentType) {
        if (contentType == null) {
            return false;
        }
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        int slash = type.indexOf('/');
        int plus = type.lastIndexOf('+');
        return types.contains(type) || slash > 0 && types.contains(type.substring(0, slash) + "/*")
                || plus > slash && types.contains("*" + type.substring(plus));
    }
}
