package org.microhttp.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.faults.suite.BadNetwork;
import org.microhttp.faults.suite.Fault;
import org.microhttp.faults.suite.FaultRow;
import org.microhttp.faults.suite.FaultTrial;
import org.microhttp.faults.suite.Namespace;
import org.microhttp.tools.Programs;

/**
 * Each fault in turn, then all at once for a minute, beside a client that does all right: it sees no error,
 * its p99 is at most twice what it is while another server has the fault, and at most 2 MiB more are live
 * afterwards. Prints a table. Not run by Maven:
 * <pre>
 *   src/test/full FullFaults [connections] [seconds] [only]
 * </pre>
 * Less than {@link #SECONDS} is too short to judge times. Runs itself in a network namespace; where there is
 * none it leaves out what needs one, and says so.
 */
final class FullFaults {

    private static final int CONNECTIONS = 5_000;
    private static final int SECONDS = 5;
    private static final int TIMES = 3;

    /** Of the whole: of each fault a share of its connections, and longer. */
    private static final int SHARE = 5;
    private static final int WINDOWS = 12;

    private final List<String> broken = new ArrayList<>();
    private final int connections;
    private final int seconds;
    private final String pin;

    private FullFaults(int connections, int seconds, String pin) {
        this.connections = connections;
        this.seconds = seconds;
        this.pin = pin;
    }

    public static void main(String[] arguments) throws Exception {
        // however this ends, nothing that it started goes on
        Runtime.getRuntime().addShutdownHook(new Thread(
                () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        if (!Namespace.isInside() && Namespace.isPossible()) {
            System.exit(Namespace.run(FullFaults.class, List.of(arguments)));
        }
        int connections = Programs.number(arguments, 0, CONNECTIONS);
        int seconds = Programs.number(arguments, 1, SECONDS);
        var faults = new FullFaults(connections, seconds, pin());
        System.out.print(FaultRow.HEAD);
        faults.run(arguments.length > 2 ? arguments[2] : "");
        faults.broken.forEach(System.out::println);
        System.out.println(faults.broken.isEmpty() ? "kept" : "BROKEN");
        System.exit(faults.broken.isEmpty() ? 0 : 1);
    }

    /** Has clients and faults run on one processor, and gives the command for a server on another. */
    private static String pin() throws IOException, InterruptedException {
        long pid = ProcessHandle.current().pid();
        boolean pinned = Runtime.getRuntime().availableProcessors() > 1 && Programs.isInstalled("taskset")
                && Files.isReadable(Path.of("/proc/self/status"))
                && new ProcessBuilder("taskset", "-apc", "1", "" + pid).start().waitFor() == 0;
        return pinned ? "taskset -pc 0 $$ > /dev/null" : ":";
    }

    /** @param only a fault, TOGETHER or NETWORK; everything if it is empty */
    private void run(String only) throws Exception {
        for (Fault fault : Fault.values()) {
            if (only.isEmpty() || only.equals(fault.name())) {
                run(fault);
            }
        }
        if (only.isEmpty() || only.equals("TOGETHER")) {
            runTogether();
        }
        if (only.isEmpty() || only.equals("NETWORK")) {
            runBadNetwork();
        }
    }

    private void run(Fault fault) throws Exception {
        if (fault.isPossible()) {
            run(List.of(fault), connections, isJudged() ? TIMES : 1, 1);
        } else {
            System.out.println("left out, as this machine does not allow it: " + fault.text);
        }
    }

    private void runTogether() throws Exception {
        var all = new ArrayList<>(List.of(Fault.values()));
        all.removeIf(fault -> fault.hasServerOfItsOwn() || !fault.isPossible());
        run(all, connections / SHARE, 1, isJudged() ? WINDOWS : 2);
    }

    private void run(List<Fault> faults, int each, int times, int windows) throws Exception {
        try (var trial = new FaultTrial(faults, pin, each, 3 * seconds, isJudged())) {
            add(trial.run(times, windows, 1_000L * seconds));
        } catch (IOException e) {
            broken.add(faults + ": " + e.getMessage());
        }
    }

    private void runBadNetwork() throws Exception {
        if (!BadNetwork.isPossible()) {
            System.out.println("left out, as this machine does not allow it: packets that are lost or late");
            return;
        }
        try (var network = new BadNetwork()) {
            add(network.run(pin, 6_000L * seconds));
        }
    }

    private void add(FaultRow row) {
        System.out.println(row);
        broken.addAll(row.errors());
        broken.addAll(row.leaks());
        broken.addAll(row.delays());
    }

    private boolean isJudged() {
        return seconds >= SECONDS;
    }
}
