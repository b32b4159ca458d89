package org.microhttp.archives;

import java.util.Arrays;
import java.util.List;
import org.microhttp.files.FilePeer;

/** Who is compared, in the order of the tables, and who takes part in what. */
public enum ArchivePeer {

    MEMORY("archive-memory", "SiteArchive, in memory", "--archive-inmem"),
    MAPPED("archive-mapped", "SiteArchive, mapped", "--archive-mmap"),
    MEMORY_INDEXED("archive-memory-indexed", "SiteArchive, in memory, all indexes", "--archive-inmem",
            "--index-all"),
    MAPPED_INDEXED("archive-mapped-indexed", "SiteArchive, mapped, all indexes", "--archive-mmap",
            "--index-all"),
    DUMMY("archive-dummy", "SiteArchive --dummy", "--dummy"),
    NGINX("nginx", "nginx"), LIGHTTPD("lighttpd", "lighttpd");

    /** lighttpd takes no more than half as many as it may have descriptors. */
    private static final int LIGHTTPD_CONNECTIONS = 10_000;

    /** As the results have it and, of a program that is not Java's, the name of program and package. */
    public final String name;

    public final String title;

    /** Of {@code SiteArchive serve}. */
    final List<String> flags;

    ArchivePeer(String name, String title, String... flags) {
        this.name = name;
        this.title = title;
        this.flags = List.of(flags);
    }

    static ArchivePeer named(String name) {
        return Arrays.stream(values()).filter(peer -> peer.name.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no server " + name));
    }

    public boolean isJava() { return !flags.isEmpty(); }

    /** Who serves files, as the benchmark of these has it. */
    FilePeer files() { return this == NGINX ? FilePeer.NGINX : FilePeer.LIGHTTPD; }

    public boolean takesPart(ArchiveCase asked) {
        if (asked.part() == ArchivePart.DUMMY) return isJava();
        boolean tooMany = this == LIGHTTPD && asked.connections() > LIGHTTPD_CONNECTIONS * asked.threads();
        return this != DUMMY && !tooMany;
    }
}
