package org.microhttp.archives;

import java.util.Arrays;

/** The parts of the benchmark. */
public enum ArchivePart {

    /** How long it takes to make an archive, how large it is, and whether all of it is served as it was. */
    SIZES("sizes"),

    /** An archive with one page beside no archive at all. */
    DUMMY("dummy"),

    /** Beside servers of files. */
    LOAD("load");

    public final String name;

    ArchivePart(String name) { this.name = name; }

    static ArchivePart named(String name) {
        return Arrays.stream(values()).filter(part -> part.name.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no part " + name));
    }
}
