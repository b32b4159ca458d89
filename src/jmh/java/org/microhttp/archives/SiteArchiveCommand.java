package org.microhttp.archives;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.files.FileCommand;
import org.microhttp.measure.Machine;

/** How SiteArchive, of the examples, is called. */
record SiteArchiveCommand(String java, String classes) {

    /** What the result file shows: nothing of where things are on this machine. */
    static final SiteArchiveCommand SHOWN = new SiteArchiveCommand("java", "CLASSES");

    private static final String PROGRAM = "sitearchive.SiteArchive";

    /** An archive in memory is not in the heap. */
    private static final String DIRECT = "-XX:MaxDirectMemorySize=3g";

    static SiteArchiveCommand ours() {
        return new SiteArchiveCommand(Machine.java(), System.getProperty("java.class.path"));
    }

    /** @param codings  as {@code --compress} takes them */
    List<String> archive(String sources, String archive, String codings) {
        return List.of(java, "-cp", classes, PROGRAM, "archive", "--sources", sources, "--archive", archive,
                "--compress", codings);
    }

    /** The peer's flags decide what is made of the archive. */
    List<String> serve(ArchivePeer peer, String archive, String port, int threads) {
        List<String> arguments = new ArrayList<>(List.of("serve"));
        if (peer != ArchivePeer.DUMMY) arguments.addAll(List.of("--archive", archive));
        arguments.addAll(peer.flags);
        arguments.addAll(List.of("--bind", "127.0.0.1:" + port, "--threads", "" + threads,
                "--listen-backlog", "16384", "--timeout-disable"));
        List<String> jvm = new ArrayList<>(FileCommand.JVM);
        jvm.add(DIRECT);
        return new FileCommand(java, classes, "", "", "", port).java(jvm, PROGRAM, arguments);
    }

    List<String> serve(ArchivePeer peer, Path archive, int port, int threads) {
        return serve(peer, "" + archive, "" + port, threads);
    }
}
