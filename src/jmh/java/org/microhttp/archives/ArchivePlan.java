package org.microhttp.archives;

import static org.microhttp.measure.Usage.take;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.microhttp.measure.Children;
import org.microhttp.measure.Machine;
import org.microhttp.measure.ResultPlace;
import org.microhttp.measure.Usage;

/** What is measured, how often, how long and where. */
record ArchivePlan(String project, ResultPlace result, Path folder, Path tree, int files, int rounds,
                   double seconds, int warmup, long descriptors, List<ArchivePart> parts,
                   List<ArchiveCase> cases, List<ArchivePeer> peers, List<String> cpus, List<String> given) {

    private static final Usage USAGE = new Usage("""
            usage: src/jmh/archive [OPTIONS]
              --smoke             a run of a minute at most, that shows that it works and leaves no result
              --parts LIST        sizes, dummy, load; default all
              --tree FOLDER       what is archived, such as the JDK's API documentation; default files that
                                  are made, alike on every machine
              --files N           how many are made, default 10000
              --rounds N          how often each server is measured in each case of load, default 3; four
                                  times as often beside dummy
              --seconds N         how long each time, default 1, with thousands of connections at least 10;
                                  less than 1 only to see that it works
              --warmup N          seconds at most before a JVM counts as warm, default 60; another such time
                                  for each new case
              --contents LIST     of load: one, all; default both
              --connections LIST  of load: from 1 to 99999; default 16,128,512,2048,4096,16384
              --threads LIST      of load: from 1 to 99; default 1,2
              --servers LIST      names, separated by commas, default all; ratios need nginx and
                                  archive-dummy
              --cpus LIST         default those that this process may use: of these a server has one for each
                                  thread, and the load generator the next, or all if no other is left
              --result FILE       default src/jmh/results/archive.tsv, when all of it has run; of a part,
                                  chosen by LISTs, target/jmh/archive.tsv; in less than 1 second none
            """);

    private static final List<String> CHOICES =
            List.of("--parts", "--files", "--contents", "--connections", "--threads", "--servers");

    /** What the page of one archive is asked for on. */
    private static final int DUMMY_CONNECTIONS = 100, DUMMY_ROUNDS = 4;

    /** What starting, connecting and ending takes beside the seconds of a run. */
    private static final double BESIDE = 0.5, BESIDE_MANY = 5;

    /** To make the tree and its archives, and to ask for everything in it, for each of its files. */
    private static final double SECONDS_A_FILE = 0.02;

    static ArchivePlan of(String[] args) throws IOException {
        Map<String, String> given = USAGE.given(args, 3);
        List<String> shown = Usage.shown(given, "--tree", "--result");
        String cpus = take(given, "--cpus", String.join(",", Machine.cpus()));
        String tree = take(given, "--tree", null);
        double seconds = USAGE.number(take(given, "--seconds", "1"), "[1-9][0-9]{0,2}|0[.][1-9]");
        ResultPlace result =
                ResultPlace.of(given, CHOICES, seconds < 1, Path.of(args[0]), "archive.tsv");
        List<ArchivePart> parts =
                USAGE.named(take(given, "--parts", null), ArchivePart.values(), ArchivePart::named);
        ArchivePlan plan = new ArchivePlan(args[0], result, Path.of(args[1]),
                tree == null ? null : Path.of(tree),
                (int) USAGE.number(take(given, "--files", "10000"), "[1-9][0-9]{0,5}"),
                (int) USAGE.number(take(given, "--rounds", "3"), "[1-9][0-9]{0,2}"),
                seconds,
                (int) USAGE.number(take(given, "--warmup", "60"), "[0-9]{1,3}"),
                (long) USAGE.number(args[2], "[0-9]{1,9}"), parts, cases(given, parts),
                installed(USAGE.named(take(given, "--servers", null), ArchivePeer.values(),
                        ArchivePeer::named)),
                List.of(cpus.split(",")), shown);
        if (!given.isEmpty()) throw USAGE.wrong("unknown: " + given.keySet());
        return plan;
    }

    private static List<ArchiveCase> cases(Map<String, String> given, List<ArchivePart> parts) {
        List<ArchiveContent> contents = USAGE.named(take(given, "--contents", null),
                new ArchiveContent[] {ArchiveContent.ONE, ArchiveContent.ALL}, ArchiveContent::named);
        if (contents.contains(ArchiveContent.HELLO)) throw USAGE.wrong("hello is no content of load");
        List<Integer> connections = USAGE.named(take(given, "--connections", "16,128,512,2048,4096,16384"),
                new Integer[0], text -> (int) USAGE.number(text, "[1-9][0-9]{0,4}"));
        List<Integer> threads = USAGE.named(take(given, "--threads", "1,2"), new Integer[0],
                text -> (int) USAGE.number(text, "[1-9][0-9]?"));
        List<ArchiveCase> cases = new ArrayList<>();
        if (parts.contains(ArchivePart.DUMMY)) {
            cases.add(new ArchiveCase(ArchivePart.DUMMY, ArchiveContent.HELLO, DUMMY_CONNECTIONS, 1));
        }
        if (!parts.contains(ArchivePart.LOAD)) return cases;
        for (int count : threads) {
            for (ArchiveContent content : contents) {
                connections.forEach(c -> cases.add(new ArchiveCase(ArchivePart.LOAD, content, c, count)));
            }
        }
        return cases;
    }

    /** How often a server is measured in a case; what is told with an interval more often. */
    int rounds(ArchiveCase asked) {
        return asked.part() == ArchivePart.DUMMY && rounds > 1 ? DUMMY_ROUNDS * rounds : rounds;
    }

    LoadCpus cpus(int threads) { return LoadCpus.of(cpus, threads); }

    List<ArchivePeer> peers(ArchiveCase asked) {
        return peers.stream().filter(peer -> peer.takesPart(asked)).toList();
    }

    /** What all of it takes, as far as one can say beforehand. */
    double secondsProbably() {
        double all = parts.contains(ArchivePart.SIZES) ? SECONDS_A_FILE * files : 0;
        for (ArchiveCase asked : cases) {
            double one = asked.seconds(seconds) + (asked.isMany() ? BESIDE_MANY : BESIDE);
            // a JVM is warm long before it has to be
            all += peers(asked).size() * (one * rounds(asked) + Math.min(warmup, 5));
        }
        return all;
    }

    /** The limit of everything that is started. */
    double secondsAtMost() {
        double slowest = tree == null ? 0 : 1800;
        long warmups = cases.stream().mapToLong(asked -> peers(asked).size()).sum();
        return 300 + slowest + 3 * secondsProbably() + (double) warmup * warmups;
    }

    String duration() { return seconds < 1 ? "" + seconds : "" + (int) seconds; }

    /** What to type for the same again. */
    String command() {
        Stream<String> tree = this.tree == null ? Stream.of() : Stream.of("--tree", "FOLDER");
        return String.join(" ",
                Stream.of(Stream.of("src/jmh/archive"), tree, given.stream()).flatMap(s -> s).toList());
    }

    private static List<ArchivePeer> installed(List<ArchivePeer> peers) {
        return peers.stream().filter(peer -> peer.isJava() || Children.isThere(peer.name, peer.title))
                .toList();
    }
}
