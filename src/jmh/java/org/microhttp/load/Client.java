package org.microhttp.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.Children;

/**
 * Puts load on a server: makes all connections, waits until every process has, and keeps one request in
 * flight on each, or a pipelined batch. Prints what came of it, the worst served connection too: an average
 * hides one that is starved. The loop is closed: a connection asks again when it is answered, so a server
 * that stalls is asked less, and latencies are of what was asked. Ends with 1 if something failed. Always
 * ends, at the latest when the time is over. Options:
 *
 * <ul>
 * <li>{@code --pipeline N}: requests in flight on each connection, sent as one batch, default 1
 * <li>{@code --sources N}: connect from N loopback addresses, of which each has some 28,000 ports; default
 *     the system's choice
 * <li>{@code --first-source N}: the first of them is 127.0.0.N, default 2
 * <li>{@code --processes N}: share the connections among N processes, default 1
 * <li>{@code --warmup MILLIS}: a time before the one that counts, default 0
 * </ul>
 */
public final class Client {

    private static final String USAGE = "usage: Client HOST PORT CONNECTIONS MILLIS [--pipeline N]"
            + " [--sources N] [--first-source N] [--processes N] [--warmup MILLIS]";

    private Client() { }

    /** What to do; sources are numbered from the first, and the connections take them in turn. */
    record Plan(String host, int port, int connections, int millis, int pipeline, int sources,
                int firstSource, int processes, int warmup, InetSocketAddress address) {

        String source(int connection) {
            return sources == 0 ? null : "127.0.0." + (firstSource + connection % sources);
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Arguments given = new Arguments(USAGE, List.of(args), Math.min(4, args.length));
        if (args.length < 4) throw given.wrong("too few arguments");
        Plan plan = plan(given, args);
        boolean child = given.take("--child", "no").equals("yes");
        given.end();
        Children.endAfter((ClientLoop.CONNECT_LIMIT_MILLIS + plan.warmup + plan.millis) / 1e3 + 30);
        if (child) {
            ClientResult result = run(plan, Client::waitForParent);
            result.print();
            return;
        }
        ClientResult result = plan.processes > 1 ? new ClientProcesses(plan).run() : run(plan, open -> { });
        result.report();
        System.exit(result.isClean() ? 0 : 1);
    }

    /** What stands between connecting and the first request. */
    private interface Barrier { void await(int open) throws IOException; }

    private static ClientResult run(Plan plan, Barrier barrier) throws IOException {
        ClientLoop loop = new ClientLoop(plan);
        try {
            barrier.await(loop.connect());
            return loop.run();
        } finally {
            loop.close();
        }
    }

    /** A line from the parent starts the run; the end of its pipe ends this process. */
    private static void waitForParent(int open) throws IOException {
        System.out.println("ready " + open);
        if (System.in.read() < 0) Runtime.getRuntime().halt(1);
    }

    private static Plan plan(Arguments given, String[] args) {
        int processes = given.integer("--processes", "1", "[1-9][0-9]?|100");
        int sources = given.integer("--sources", "0", "[0-9]{1,3}");
        int first = given.integer("--first-source", "2", "[1-9][0-9]{0,2}");
        // each process has sources of its own
        if (first + sources * processes > 255) throw given.wrong("too many sources");
        int port = (int) given.number(args[1], "[1-9][0-9]{0,4}");
        int connections = (int) given.number(args[2], "[1-9][0-9]{0,6}");
        return new Plan(args[0], port, connections, (int) given.number(args[3], "[1-9][0-9]{0,6}"),
                given.integer("--pipeline", "1", "[1-9][0-9]{0,4}"), sources, first, processes,
                given.integer("--warmup", "0", "[0-9]{1,7}"), new InetSocketAddress(args[0], port));
    }
}
