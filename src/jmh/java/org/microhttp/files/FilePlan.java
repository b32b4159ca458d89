package org.microhttp.files;

import static org.microhttp.measure.Usage.take;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.microhttp.measure.Children;
import org.microhttp.measure.Machine;
import org.microhttp.measure.ResultPlace;
import org.microhttp.measure.Usage;

/** What is compared, how often, how long and where. */
record FilePlan(String project, ResultPlace result, String site, int rounds, double seconds, int warmup,
                long descriptors, List<FileCase> cases, List<FilePeer> peers, String serverCpu,
                String clientCpu, List<String> given) {

    private static final Usage USAGE = new Usage("""
            usage: src/jmh/files [OPTIONS]
              --smoke             a run of a minute at most, that shows that it works and leaves no result
              --rounds N          how often each server is measured in each case, default 3
              --seconds N         how long each time, default 1; less than 1 only to see that it works
              --warmup N          seconds at least before a JVM counts as warm, default 8, and 1 for each
                      new case; then as long as it compiles, 20 at most
              --parts LIST        matrix, oldest, coded, huge, bodies, cold; default all
              --sizes LIST        of the matrix: 99, 1.7k, 100k, 1.5m, mix; default all
              --connections LIST  of the matrix: from 1 to 99999; default 1,2,20,100,500,10000
              --persistence LIST  of the matrix: keep-alive, close; default both
              --tls LIST          of the matrix and ab: no, yes; default both
              --servers LIST      names, separated by commas, default all; ratios need nginx
              --site FOLDER       where the files are made, and stay; default a temporary one
              --result FILE       default src/jmh/results/files.tsv, when all of it has run; of a part,
                                  chosen by LISTs, target/jmh/files.tsv; in less than 1 second none
              --server-cpu N      the CPU for servers, default the first that this process may use
              --client-cpu N      the CPU for the load generator, default the second
            """);

    /** What starting, connecting and ending takes beside the seconds of a run. */
    private static final double BESIDE = 0.25;

    /** What makes it a part of the whole. */
    private static final List<String> CHOICES = List.of("--parts", "--sizes", "--connections",
            "--persistence", "--tls", "--servers");

    private static final List<ServedContent> SIZES = List.of(ServedContent.TINY, ServedContent.SMALL,
            ServedContent.MEDIUM, ServedContent.LARGE, ServedContent.MIX);

    static FilePlan of(String[] args) throws IOException {
        Map<String, String> given = USAGE.given(args, 3);
        List<String> shown = Usage.shown(given, "--site", "--result");
        List<String> cpus = Machine.cpus();
        double seconds = USAGE.number(take(given, "--seconds", "1"), "[1-9][0-9]{0,2}|0[.][1-9]");
        ResultPlace result =
                ResultPlace.of(given, CHOICES, seconds < 1, Path.of(args[0]), "files.tsv");
        FilePlan plan = new FilePlan(args[0], result,
                take(given, "--site", args[1]),
                (int) USAGE.number(take(given, "--rounds", "3"), "[1-9][0-9]{0,2}"),
                seconds,
                (int) USAGE.number(take(given, "--warmup", "8"), "[0-9]{1,3}"),
                (long) USAGE.number(args[2], "[0-9]{1,9}"), cases(given, seconds < 1),
                installed(USAGE.named(take(given, "--servers", null), FilePeer.values(), FilePeer::named)),
                take(given, "--server-cpu", cpus.get(0)),
                take(given, "--client-cpu", cpus.get(Math.min(1, cpus.size() - 1))), shown);
        if (!given.isEmpty()) throw USAGE.wrong("unknown: " + given.keySet());
        return plan;
    }

    /** Briefly is enough to see that it works. */
    private static List<FileCase> cases(Map<String, String> given, boolean briefly) {
        List<FilePart> parts = USAGE.named(take(given, "--parts", null), FilePart.values(), FilePart::named);
        ServedContent[] sizes = SIZES.toArray(ServedContent[]::new);
        List<ServedContent> contents = USAGE.named(take(given, "--sizes", null), sizes, ServedContent::named);
        List<Integer> connections = USAGE.named(take(given, "--connections", "1,2,20,100,500,10000"),
                new Integer[0], text -> (int) USAGE.number(text, "[1-9][0-9]{0,4}"));
        List<Boolean> kept = USAGE.named(take(given, "--persistence", null), new Boolean[] {true, false},
                text -> one(text, "keep-alive", "close"));
        List<Boolean> secured = USAGE.named(take(given, "--tls", null), new Boolean[] {false, true},
                text -> one(text, "yes", "no"));
        List<FileCase> cases = new ArrayList<>();
        for (boolean tls : secured) {
            for (boolean keepAlive : kept) {
                if (parts.contains(FilePart.MATRIX)) matrix(cases, contents, connections, keepAlive, tls);
                if (parts.contains(FilePart.OLDEST)) oldest(cases, keepAlive, tls, briefly);
            }
        }
        parts.forEach(part -> single(cases, part, briefly));
        return cases;
    }

    private static void matrix(List<FileCase> cases, List<ServedContent> contents, List<Integer> connections,
                               boolean keepAlive, boolean tls) {
        for (ServedContent content : contents) {
            for (int count : connections) {
                var asked = new FileCase(FilePart.MATRIX, content, count, keepAlive, tls);
                if (!isOut(asked)) cases.add(asked);
            }
        }
    }

    /** 15 GB on their way at once are a matter of the kernel's memory; 10,000 handshakes take seconds. */
    private static boolean isOut(FileCase asked) {
        boolean large = asked.content() == ServedContent.LARGE;
        boolean small = asked.content() == ServedContent.TINY || asked.content() == ServedContent.SMALL;
        return asked.isMany() && (large || asked.tls() && (!asked.keepAlive() || !small));
    }

    private static void oldest(List<FileCase> cases, boolean keepAlive, boolean tls, boolean briefly) {
        for (ServedContent content : List.of(ServedContent.TINY, ServedContent.LARGE)) {
            if (!briefly) cases.add(new FileCase(FilePart.OLDEST, content, 2, keepAlive, tls));
        }
        boolean counted = keepAlive && !tls;
        if (counted) cases.add(new FileCase(FilePart.OLDEST, ServedContent.SMALL, 20, true, false));
    }

    private static void single(List<FileCase> cases, FilePart part, boolean briefly) {
        switch (part) {
            case CODED -> cases.add(new FileCase(part, ServedContent.GZIP, 100, true, false));
            case HUGE -> cases.add(new FileCase(part, ServedContent.HUGE, 1, true, false));
            case COLD -> cases.add(new FileCase(part, ServedContent.COLD, 1, true, false));
            case BODIES -> {
                if (!briefly) cases.add(new FileCase(part, ServedContent.LARGE, 1, true, false));
                cases.add(new FileCase(part, ServedContent.LARGE, 20, true, false));
            }
            default -> { }
        }
    }

    /** How many rounds a server is measured in a case. */
    int rounds(FileCase asked, FilePeer peer) { return peer.isPrincipal() ? asked.rounds(rounds) : 1; }

    /** What all of it takes, as far as one can say beforehand. */
    double secondsProbably() {
        double all = 0;
        for (FileCase asked : cases) {
            double ordinary = asked.requests() > 0 ? 10 : asked.seconds(seconds) + BESIDE;
            // until all of many are connected, and gone
            double one = asked.isMany() ? ordinary + 1.5 : ordinary;
            for (FilePeer peer : peers) {
                if (peer.takesPart(asked)) all += one * rounds(asked, peer);
            }
        }
        if (warmup == 0) return all;
        // at first each of six JVMs, then FileServer's for each kind of file and connection
        return all + warmup * 10 + 6 * cases.stream().map(FilePlan::kind).distinct().count();
    }

    private static String kind(FileCase asked) {
        return asked.content().name + asked.persistence() + asked.transport();
    }

    /** The limit of everything that is started, if every round is disturbed. */
    double secondsAtMost() { return 120 + 3 * secondsProbably(); }

    String duration() { return seconds < 1 ? "" + seconds : "" + (int) seconds; }

    /** What to type for the same again. */
    String command() { return ("src/jmh/files " + String.join(" ", given)).strip(); }

    private static boolean one(String text, String yes, String no) {
        if (!text.equals(yes) && !text.equals(no)) throw new IllegalArgumentException("neither " + yes
                + " nor " + no + ": " + text);
        return text.equals(yes);
    }

    private static List<FilePeer> installed(List<FilePeer> peers) {
        return peers.stream().filter(peer -> peer.isJava() || Children.isThere(peer.name, peer.title))
                .toList();
    }
}
