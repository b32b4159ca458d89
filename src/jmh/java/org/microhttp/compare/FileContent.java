package org.microhttp.compare;

import java.util.Arrays;

/** What is asked for: a file of a size, or one after the other of a site's. */
public enum FileContent {

    TINY("99", "99 B", 99), SMALL("1.7k", "1.7 KiB", 1_741), MEDIUM("100k", "100 KiB", 102_400),
    LARGE("1.5m", "1.5 MB", 1_500_000), MIX("mix", "600 files", 0),

    /** Of the text among them the gzip variant is asked for, made before. */
    GZIP("mix-gzip", "600 files, gzip", 0),

    /** More than fits into 32 bits; all of it a hole, so that no disk is measured. */
    HUGE("5g", "5 GB", 5_000_000_000L),

    /** With real blocks on the disk, to be forgotten by the page cache. */
    COLD("cold", "256 MiB", 256 << 20);

    /** As the results have it, and the name of the file. */
    public final String name;

    public final String title;

    /** In bytes; 0 for many files. */
    public final long size;

    FileContent(String name, String title, long size) {
        this.name = name;
        this.title = title;
        this.size = size;
    }

    public static FileContent of(Case asked) {
        String name = asked.key().getOrDefault("content", COLD.name);
        return Arrays.stream(values()).filter(content -> content.name.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no size " + name));
    }

    /** A suffix that stands for text would make it a resource of which there can be several codings. */
    String target() { return "/" + name + ".bin"; }
}
