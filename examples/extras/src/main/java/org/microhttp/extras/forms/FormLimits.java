package org.microhttp.extras.forms;

import java.util.HashMap;
import java.util.Map;

/**
 * The limits of a form. Above a limit the client gets a 413 that says in which part. {@code parts} and {@code
 * files} are counts, the others are bytes. Begin with {@link #DEFAULT}:
 * {@code FormLimits.DEFAULT.withFile(100 << 20).withTotal(200 << 20)}.
 *
 * @param parts  fields and files together; empty ones count, too
 * @param files  files; a field in which the user has chosen none does not count
 * @param head   the lines of a part before its content
 * @param memory the fields, and the lines of all parts, which are kept in memory
 * @param file   a file
 * @param total  the whole body
 * @param named  the content of a field or file of that name, instead of {@code file}; {@code memory} and
 *               {@code total} apply, too
 */
public record FormLimits(int parts, int files, int head, int memory, long file, long total,
        Map<String, Long> named) {

    /**
     * 100 parts and as many files, lines of 4 KiB, 64 KiB in memory, files of 10 MiB, and 20 MiB in all; no
     * limit by name.
     */
    public static final FormLimits DEFAULT =
            new FormLimits(100, 100, 4 << 10, 64 << 10, 10 << 20, 20 << 20, Map.of());

    /**
     * Makes limits.
     *
     * @param parts see above
     * @param files see above
     * @param head see above
     * @param memory see above
     * @param file see above
     * @param total see above
     * @param named see above; copied
     * @throws IllegalArgumentException if a limit is below 1
     * @throws NullPointerException if the map, or something in it, is null
     */
    public FormLimits {
        check("parts", parts);
        check("files", files);
        check("head", head);
        check("memory", memory);
        check("file", file);
        check("total", total);
        named = Map.copyOf(named);
        named.forEach(FormLimits::check);
    }

    private static void check(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("the limit " + name + " is " + value + "; allowed: 1 or more");
        }
    }

    /** {@return how many bytes of content a part may have, within the limits of the whole form} */
    long content(PartHead part) {
        return named.getOrDefault(part.name(), part.fileName() == null ? memory : file);
    }

    /**
     * {@return a copy with this limit for fields and files together}
     *
     * @param most 1 or more
     */
    public FormLimits withParts(int most) {
        return new FormLimits(most, files, head, memory, file, total, named);
    }

    /**
     * {@return a copy with this limit for files}
     *
     * @param most 1 or more
     */
    public FormLimits withFiles(int most) {
        return new FormLimits(parts, most, head, memory, file, total, named);
    }

    /**
     * {@return a copy with this limit for the lines of a part}
     *
     * @param bytes 1 or more
     */
    public FormLimits withHead(int bytes) {
        return new FormLimits(parts, files, bytes, memory, file, total, named);
    }

    /**
     * {@return a copy with this limit for memory}
     *
     * @param bytes 1 or more
     */
    public FormLimits withMemory(int bytes) {
        return new FormLimits(parts, files, head, bytes, file, total, named);
    }

    /**
     * {@return a copy with this limit for each file}
     *
     * @param bytes 1 or more
     */
    public FormLimits withFile(long bytes) {
        return new FormLimits(parts, files, head, memory, bytes, total, named);
    }

    /**
     * {@return a copy with this limit for the whole body}
     *
     * @param bytes 1 or more
     */
    public FormLimits withTotal(long bytes) {
        return new FormLimits(parts, files, head, memory, file, bytes, named);
    }

    /**
     * {@return a copy with this limit for each part of a name} For example:
     * {@code FormLimits.DEFAULT.withPart("title", 200).withPart("photo", 5 << 20)}.
     *
     * @param name  of fields or files
     * @param bytes 1 or more
     */
    public FormLimits withPart(String name, long bytes) {
        var more = new HashMap<>(named);
        more.put(name, bytes);
        return new FormLimits(parts, files, head, memory, file, total, more);
    }
}
