package org.microhttp.archives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.microhttp.files.ExpectedAnswer;
import org.microhttp.files.FileCommand;
import org.microhttp.files.FileCommand.Capacity;
import org.microhttp.files.FilePart;
import org.microhttp.measure.CpuMeter;
import org.microhttp.measure.CpuTime;
import org.microhttp.measure.LoadCount;
import org.microhttp.measure.PinnedServer;

/** A server that serves an archive, or the tree itself, pinned to its CPUs; and loads on it. */
final class ServedArchive {

    /** nginx has 20,000 descriptors: it keeps all files of the tree open, unless connections need them. */
    private static final int FEW = 7_500, ALL_CACHED = 12_000, MOST = 17_500, SOME_CACHED = 2_000;

    /** What a server is started for, so that it can go on in the next case. */
    private record Setup(ArchivePart part, int threads, boolean many) {

        static Setup of(ArchivePeer peer, ArchiveCase asked) {
            boolean many = peer == ArchivePeer.NGINX && asked.isMany();
            return new Setup(asked.part(), asked.threads(), many);
        }

        Capacity capacity() {
            return new Capacity(threads, many ? MOST : FEW, many ? SOME_CACHED : ALL_CACHED);
        }
    }

    final ArchivePeer peer;
    private final ArchivePlan plan;
    private final MeasuredArchive site;
    private final Setup setup;
    private final PinnedServer server;

    /** What it is warm for. */
    final Set<ArchiveContent> warm = new HashSet<>();

    ServedArchive(ArchivePeer peer, ArchiveCase asked, ArchivePlan plan, MeasuredArchive site)
            throws IOException {
        this.peer = peer;
        this.plan = plan;
        this.site = site;
        setup = Setup.of(peer, asked);
        int port = PinnedServer.freePort();
        Path folder = Files.createTempDirectory(peer.name);
        server = new PinnedServer(command(folder, port), folder, port,
                plan.cpus(asked.threads()).serverList(), plan.secondsAtMost());
    }

    private List<String> command(Path folder, int port) throws IOException {
        if (peer.isJava()) {
            return SiteArchiveCommand.ours().serve(peer, site.archive, port, setup.threads);
        }
        var start = new FileCommand("", "", "" + folder, "" + site.tree.root(), "", "" + port);
        start.configure(peer.files(), setup.capacity());
        return start.of(peer.files(), FilePart.MATRIX);
    }

    /** Whether this process is what a case needs, or one must be started for it. */
    boolean fits(ArchiveCase asked) { return server.isAlive() && setup.equals(Setup.of(peer, asked)); }

    void check(ArchiveContent content) throws IOException {
        for (ExpectedAnswer answer : site.expected(content)) answer.check(server.port());
    }

    CpuTime time() throws IOException { return server.time(); }

    CpuTime compilerTime() throws IOException { return server.compilerTime(); }

    void end() { server.end(); }

    ArchiveRound measure(ArchiveCase asked, int round) throws IOException {
        int connections = asked.reachable(plan.descriptors());
        CpuMeter meter = CpuMeter.start(server::time);
        LoadCount load = load(asked, connections, asked.seconds(plan.seconds()));
        CpuMeter.Spent spent = meter.stop();
        if (load.requests() == 0) throw new IOException("no answer in " + load.seconds() + " s");
        if (asked.connections() > 1000) CpuMeter.settle(server::time);
        return new ArchiveRound(asked, connections, plan.cpus(asked.threads()).shared(), round, peer,
                load.requests(), load.bytes(), load.seconds(), spent.server().user(), spent.server().system(),
                load.errors(), load.median(), load.high(), spent.generator(), spent.others());
    }

    LoadCount load(ArchiveCase asked, int connections, double seconds) throws IOException {
        LoadCpus cpus = plan.cpus(asked.threads());
        Path script = Files.createTempFile("wrk", ".lua");
        Files.writeString(script, script(asked.content()));
        List<String> command = new ArrayList<>(List.of("taskset", "-c", cpus.clientList()));
        String url = "http://127.0.0.1:" + server.port() + site.target(asked.content());
        // each of its threads needs a connection
        int threads = Math.min(cpus.clientThreads(), connections);
        command.addAll(command(threads, connections, seconds, "" + script, url));
        try {
            return LoadCount.run(command, seconds, 60, LoadCount::parse);
        } finally {
            Files.delete(script);
        }
    }

    private String script(ArchiveContent content) {
        return (content == ArchiveContent.ALL ? LoadCount.atRandom("" + site.list) : "") + LoadCount.DONE;
    }

    /** But for the CPUs that it is pinned to. */
    static List<String> command(int threads, int connections, double seconds, String script, String url) {
        return List.of("wrk", "-t" + threads, "-c" + connections, "-d" + (int) Math.ceil(seconds) + "s",
                "--timeout", "60s", "-s", script, url);
    }
}
