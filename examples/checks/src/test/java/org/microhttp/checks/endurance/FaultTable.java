package org.microhttp.checks.endurance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.microhttp.testing.Programs;

/**
 * Each fault in turn, then all at once for a minute, beside a client that does all right: it sees no error,
 * its p99 is at most twice what it is while another server has the fault, and at most 2 MiB more are live
 * afterwards: {@code [connections] [seconds] [only]}. Prints a table. Less than {@link #SECONDS} is too short
 * to judge times. Runs in a network namespace; where there is none, it leaves out what needs one, and says
 * so.
 */
record FaultTable(Report report, int connections, int seconds, String pin) {

    private static final int CONNECTIONS = 5_000;
    private static final int SECONDS = 5;
    private static final int TIMES = 3;

    /** Of the whole: of each fault a share of its connections, and longer. */
    private static final int SHARE = 5;
    private static final int WINDOWS = 12;

    /** @param arguments connections, seconds of a window, and the only fault, TOGETHER or NETWORK */
    static void run(Report report, String... arguments) throws Exception {
        if (!Namespace.isInside() && Namespace.isPossible()) {
            System.exit(Namespace.run(arguments));
        }
        System.out.print(FaultRow.HEAD);
        var table = new FaultTable(report, Programs.number(arguments, 0, CONNECTIONS),
                Programs.number(arguments, 1, SECONDS), pinClients());
        String only = arguments.length > 2 ? arguments[2] : "";
        for (Fault fault : Fault.values()) {
            if (only.isEmpty() || only.equals(fault.name())) table.runAlone(fault);
        }
        if (only.isEmpty() || only.equals("TOGETHER")) table.runTogether();
        if (only.isEmpty() || only.equals("NETWORK")) table.runBadNetwork();
    }

    /** Has clients and faults run on one processor, and gives the command for a server on another. */
    private static String pinClients() throws IOException, InterruptedException {
        long pid = ProcessHandle.current().pid();
        boolean pinned = Runtime.getRuntime().availableProcessors() > 1 && Programs.isInstalled("taskset")
                && Files.isReadable(Path.of("/proc/self/status"))
                && new ProcessBuilder("taskset", "-apc", "1", "" + pid).start().waitFor() == 0;
        return pinned ? "taskset -pc 0 $$ > /dev/null" : ":";
    }

    private void runAlone(Fault fault) throws Exception {
        if (fault.isPossible()) {
            run(List.of(fault), connections, isJudged() ? TIMES : 1, 1);
        } else {
            leaveOut(fault.text);
        }
    }

    private void runTogether() throws Exception {
        List<Fault> together = Stream.of(Fault.values())
                .filter(fault -> fault.isPossible() && !fault.hasServerOfItsOwn()).toList();
        run(together, connections / SHARE, 1, isJudged() ? WINDOWS : 2);
    }

    private void run(List<Fault> faults, int each, int times, int windows) throws Exception {
        try (var trial = new FaultTrial(report, faults, pin, each, 3 * seconds, isJudged())) {
            System.out.println(trial.run(times, windows, 1_000L * seconds).check(report));
        } catch (IOException e) {
            report.violation("" + faults, e.getMessage());
        }
    }

    private void runBadNetwork() throws Exception {
        if (!BadNetwork.isPossible()) {
            leaveOut("packets that are lost or late");
            return;
        }
        try (var network = new BadNetwork()) {
            System.out.println(network.run(report, pin, 6_000L * seconds).check(report));
        }
    }

    private static void leaveOut(String what) {
        System.out.println("left out, as this machine does not allow it: " + what);
    }

    /** Whether windows are long enough to judge times. */
    private boolean isJudged() {
        return seconds >= SECONDS;
    }
}
