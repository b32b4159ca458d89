package org.microhttp.extras.forms;

/**
 * What a form may take. Above a limit the client gets a 413. All but the number of parts are in bytes.
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
}
