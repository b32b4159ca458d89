package org.microhttp.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.microhttp.measure.Children;
import org.microhttp.measure.Machine;

/**
 * Compares FileServer with other servers of files on this machine. Writes the raw figures of every round to a
 * file; {@code org.microhttp.report} makes tables of it. Servers that are not installed are left out. Ends
 * with 1 if something went wrong with ours or with nginx, and always ends.
 */
public final class FileMatrix {

    private final FilePlan plan;
    private final Map<String, String> facts;
    private final FileRounds loop;
    private final ColdRounds cold;

    private FileMatrix(FilePlan plan, MeasuredSite site, Map<String, String> facts) {
        this.plan = plan;
        this.facts = facts;
        loop = new FileRounds(plan, site);
        cold = new ColdRounds(plan, site);
    }

    public static void main(String[] args) throws IOException {
        FilePlan plan = FilePlan.of(args);
        Children.endAfter(plan.secondsAtMost());
        Map<String, String> facts = facts(plan);
        facts.forEach((key, value) -> System.out.println(key + ": " + value));
        System.out.printf("this takes some %.0f minutes%n", Math.ceil(plan.secondsProbably() / 60));
        MeasuredSite site = new MeasuredSite(Path.of(plan.site()));
        // the tiny one is what others ask for while a large one is sent
        site.prepare(Stream.concat(Stream.of(ServedContent.TINY),
                plan.cases().stream().map(FileCase::content)).distinct().toList());
        new FileMatrix(plan, site, facts).run();
    }

    private void run() throws IOException {
        for (FileCase asked : plan.cases()) {
            if (asked.part() == FilePart.COLD) {
                cold.run(asked, loop.ready(asked));
            } else {
                loop.run(asked);
            }
            // what is measured is kept, whatever comes
            write();
        }
        loop.end();
        plan.result().keep();
        List<String> problems = problems();
        problems.forEach(problem -> System.out.println("FAILED: " + problem));
        System.exit(problems.stream().anyMatch(FileMatrix::matters) ? 1 : 0);
    }

    private void write() throws IOException {
        List<String> problems = problems();
        if (!problems.isEmpty()) facts.put("failed", String.join("; ", problems));
        plan.result().write(new FileComparison(facts, loop.rounds(), cold.rounds())::write);
    }

    private List<String> problems() {
        return Stream.of(loop.problems(), cold.problems()).flatMap(List::stream).toList();
    }

    /** That others fail at something is a result. */
    private static boolean matters(String problem) {
        return Stream.of(FilePeer.values()).filter(FilePeer::isPrincipal)
                .anyMatch(peer -> problem.startsWith(peer.title));
    }

    private static Map<String, String> facts(FilePlan plan) {
        Map<String, String> facts = Machine.facts(plan.project());
        facts.put("command", plan.command());
        facts.put("rounds", plan.rounds() + " of " + plan.duration() + " s");
        facts.put("descriptors", plan.descriptors() + " for a process");
        for (FilePeer peer : plan.peers()) {
            if (peer.isJava()) continue;
            facts.put(peer.name, Machine.version(peer.name, peer == FilePeer.PYTHON ? "-V" : "-v"));
        }
        facts.put("haproxy", Machine.version("haproxy"));
        facts.put("wrk", Machine.version("wrk"));
        facts.put("ab", Machine.version("ab", "-V"));
        for (FilePeer peer : plan.peers()) {
            facts.put("command of " + peer.name, String.join(" ",
                    FileCommand.SHOWN.of(peer, FilePart.MATRIX)));
        }
        FileCase asked = new FileCase(FilePart.MATRIX, ServedContent.TINY, 20, true, false);
        FileCase oldest = new FileCase(FilePart.OLDEST, ServedContent.TINY, 2, true, false);
        for (FileCase one : List.of(asked, oldest)) {
            facts.put("load of " + one.part().name + ", for example", String.join(" ",
                    FileLoad.command(one, one.connections(), plan.seconds(), "SCRIPT", "http://SERVER")));
        }
        return facts;
    }
}
