package org.microhttp.archives;

import java.util.Arrays;

/** What is asked for. */
public enum ArchiveContent {

    /** The only page of an archive. */
    HELLO("hello", "a page of 13 B"),

    ONE("one", "one address"), ALL("all", "all addresses");

    /** As the results have it. */
    public final String name;

    public final String title;

    ArchiveContent(String name, String title) {
        this.name = name;
        this.title = title;
    }

    static ArchiveContent named(String name) {
        return Arrays.stream(values()).filter(content -> content.name.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no content " + name));
    }
}
