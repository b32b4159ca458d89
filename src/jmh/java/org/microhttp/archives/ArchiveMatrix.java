package org.microhttp.archives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.microhttp.files.FileCommand;
import org.microhttp.files.FilePart;
import org.microhttp.measure.Children;
import org.microhttp.measure.Machine;

/**
 * Measures SiteArchive: what it makes of a tree, what an archive costs beside none, and what it costs beside
 * servers of files. Writes the raw figures of every round to a file; {@code org.microhttp.report} makes
 * tables of it. Ends with 1 if something went wrong with ours or with nginx, and always ends.
 */
public final class ArchiveMatrix {

    private final ArchivePlan plan;
    private final Map<String, String> facts;
    private final ArchivedTree tree;
    private final ArchiveSizes sizes;
    private final ArchiveRounds loop;

    private ArchiveMatrix(ArchivePlan plan, Map<String, String> facts) throws IOException {
        this.plan = plan;
        this.facts = facts;
        Files.createDirectories(plan.folder());
        boolean made = plan.tree() == null;
        tree = made ? ArchivedTree.make(plan.folder().resolve("tree"), plan.files())
                : ArchivedTree.of(plan.tree());
        facts.put("tree", String.format(Locale.ROOT, "%,d files of %s", tree.files(),
                made ? "random words" : plan.tree().getFileName()));
        sizes = new ArchiveSizes(plan, tree, plan.folder());
        loop = new ArchiveRounds(plan);
    }

    public static void main(String[] args) throws IOException {
        ArchivePlan plan = ArchivePlan.of(args);
        Children.endAfter(plan.secondsAtMost());
        Map<String, String> facts = facts(plan);
        var measurement = new ArchiveMatrix(plan, facts);
        facts.forEach((key, value) -> System.out.println(key + ": " + value));
        System.out.printf("this takes some %.0f minutes%n", Math.ceil(plan.secondsProbably() / 60));
        measurement.run();
    }

    private void run() throws IOException {
        if (plan.parts().contains(ArchivePart.SIZES)) sizes.run();
        write();
        for (ArchivePart part : List.of(ArchivePart.DUMMY, ArchivePart.LOAD)) {
            if (plan.parts().contains(part)) load(part);
        }
        loop.end();
        plan.result().keep();
        List<String> problems = problems();
        problems.forEach(problem -> System.out.println("FAILED: " + problem));
        System.exit(problems.stream().anyMatch(problem -> !problem.startsWith("lighttpd")) ? 1 : 0);
    }

    private void load(ArchivePart part) throws IOException {
        Path folder = plan.folder().resolve(part.name);
        ArchivedTree served =
                part == ArchivePart.LOAD ? tree : ArchivedTree.hello(folder.resolve("tree"));
        MeasuredArchive site = new MeasuredArchive(served, folder, plan.secondsAtMost());
        for (ArchiveCase asked : plan.cases()) {
            if (asked.part() != part) continue;
            loop.run(asked, site);
            // what is measured is kept, whatever comes
            write();
        }
    }

    private void write() throws IOException {
        List<String> problems = problems();
        if (!problems.isEmpty()) facts.put("failed", String.join("; ", problems));
        plan.result().write(new ArchiveComparison(facts, sizes.sizes(), loop.rounds())::write);
    }

    private List<String> problems() {
        return Stream.of(sizes.problems(), loop.problems()).flatMap(List::stream).toList();
    }

    /** Of the kernel: from which ports clients connect, and how many connections may wait. */
    private static String setting(String name) {
        try {
            // these files are read at once or not at all, which readString does not do
            return Files.readAllLines(Path.of("/proc/sys/net", name)).get(0).replaceAll("\\s+", " to ");
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static Map<String, String> facts(ArchivePlan plan) {
        Map<String, String> facts = Machine.facts(plan.project());
        facts.put("command", plan.command());
        facts.put("rounds", plan.rounds() + " of " + plan.duration() + " s");
        facts.put("descriptors", plan.descriptors() + " for a process");
        facts.put("ports, listen queue", setting("ipv4/ip_local_port_range") + ", "
                + setting("core/somaxconn"));
        plan.cases().stream().map(ArchiveCase::threads).distinct().forEach(threads -> facts.put(
                "CPUs with " + threads + (threads == 1 ? " thread" : " threads"), plan.cpus(threads).text()));
        for (String program : List.of("wrk", "brotli")) {
            facts.put(program, Machine.version(program, program.equals("wrk") ? "-v" : "--version"));
        }
        for (ArchivePeer peer : plan.peers()) {
            if (!peer.isJava()) facts.put(peer.name, Machine.version(peer.name));
            facts.put("command of " + peer.name, String.join(" ", peer.isJava()
                    ? SiteArchiveCommand.SHOWN.serve(peer, "ARCHIVE", "PORT", 1)
                    : FileCommand.SHOWN.of(peer.files(), FilePart.MATRIX)));
        }
        facts.put("load, for example", String.join(" ",
                ServedArchive.command(1, 100, plan.seconds(), "SCRIPT", "http://SERVER/")));
        return facts;
    }
}
