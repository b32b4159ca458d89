package org.microhttp.extras.forms;

/**
 * What a form may take. Above a limit the client gets a 413. All but the number of parts are in bytes. Begin
 * with {@link #DEFAULT}: {@code FormLimits.DEFAULT.withFile(100 << 20).withTotal(200 << 20)}.
 *
 * @param parts  fields and files together; empty ones count, too
 * @param head   the lines of a part before its content
 * @param memory what is kept in memory: the fields, and the lines of all parts
 * @param file   a file
 * @param total  the whole body
 */
public record FormLimits(int parts, int head, int memory, long file, long total) {

    /** 100 parts, lines of 4 KiB, 64 KiB in memory, files of 10 MiB, and 20 MiB in all. */
    public static final FormLimits DEFAULT = new FormLimits(100, 4 << 10, 64 << 10, 10 << 20, 20 << 20);

    /**
     * Makes limits.
     *
     * @param parts see above
     * @param head see above
     * @param memory see above
     * @param file see above
     * @param total see above
     * @throws IllegalArgumentException if one is below 1
     */
    public FormLimits {
        check("parts", parts);
        check("head", head);
        check("memory", memory);
        check("file", file);
        check("total", total);
    }

    private static void check(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("the limit " + name + " is " + value + "; allowed: 1 or more");
        }
    }

    /**
     * {@return the same, with so many fields and files}
     *
     * @param most 1 or more
     */
    public FormLimits withParts(int most) {
        return new FormLimits(most, head, memory, file, total);
    }

    /**
     * {@return the same, with so many bytes for the lines of a part}
     *
     * @param bytes 1 or more
     */
    public FormLimits withHead(int bytes) {
        return new FormLimits(parts, bytes, memory, file, total);
    }

    /**
     * {@return the same, with so many bytes in memory}
     *
     * @param bytes 1 or more
     */
    public FormLimits withMemory(int bytes) {
        return new FormLimits(parts, head, bytes, file, total);
    }

    /**
     * {@return the same, with so many bytes for each file}
     *
     * @param bytes 1 or more
     */
    public FormLimits withFile(long bytes) {
        return new FormLimits(parts, head, memory, bytes, total);
    }

    /**
     * {@return the same, with so many bytes in all}
     *
     * @param bytes 1 or more
     */
    public FormLimits withTotal(long bytes) {
        return new FormLimits(parts, head, memory, file, bytes);
    }
}
