package org.microhttp.files;

import java.util.Arrays;

/** The parts of the benchmark. */
public enum FilePart {

    MATRIX("matrix"),

    /** With ab: the form in which the oldest of these benchmarks were published. */
    OLDEST("oldest"),

    /** The 600 files, for a client that takes gzip. */
    CODED("coded"),

    /** A file of 5 GB. */
    HUGE("huge"),

    /** The library alone: a large body as an array, as a direct buffer, as a region of a file. */
    BODIES("bodies"),

    /** A file that is not in the page cache. */
    COLD("cold");

    public final String name;

    FilePart(String name) { this.name = name; }

    static FilePart named(String name) {
        return Arrays.stream(values()).filter(part -> part.name.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no part " + name));
    }
}
