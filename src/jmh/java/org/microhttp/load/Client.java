package org.microhttp.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;

/**
 * Puts load on a server: makes all connections, waits until every process has, and keeps one request in
 * flight on each, or a pipelined batch. Prints what came of it, the worst served connection too: an average
 * hides one that is starved. The loop is closed: a connection asks again when it is answered, so a server
 * that stalls is asked less, and latencies are of what was asked. Ends with 1 if something failed. Always
 * ends: children with their parent's pipe, all of them when the time is over.
 */
public final class Client {

    private static final String USAGE = """
            usage: Client HOST PORT CONNECTIONS MILLIS [OPTIONS]
              --pipeline N     requests in flight on each connection, sent as one batch, default 1
              --sources N      connect from N loopback addresses: each has some 28,000 ports, default the
                               system's choice
              --first-source N the first of them is 127.0.0.N, default 2
              --processes N    share the connections among N processes, default 1
              --warmup MILLIS  a time before the one that counts, default 0""";

    private Client() { }

    /** What to do; sources are numbered from the first, and the connections take them in turn. */
    record Plan(String host, int port, int connections, int millis, int pipeline, int sources,
                int firstSource, int processes, int warmup, InetSocketAddress address) {

        String source(int connection) {
            return sources == 0 ? null : "127.0.0." + (firstSource + connection % sources);
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        boolean child = args.length > 0 && args[args.length - 1].equals("--child");
        Plan plan = plan(args, child ? args.length - 1 : args.length);
        endAfter(ClientLoop.CONNECT_LIMIT_MILLIS + plan.warmup + plan.millis + 30_000);
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

    /** A line from the parent starts the run; the end of its pipe, then or later, ends this process. */
    private static void waitForParent(int open) throws IOException {
        System.out.println("ready " + open);
        var parent = new BufferedReader(new InputStreamReader(System.in));
        if (parent.readLine() == null) Runtime.getRuntime().halt(1);
        daemon(() -> {
            try {
                while (parent.readLine() != null) { }
            } catch (IOException e) {
                System.err.println(e);
            }
            Runtime.getRuntime().halt(1);
        });
    }

    private static void endAfter(long millis) {
        daemon(() -> {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                return;
            }
            System.err.println("not finished after " + millis + " ms");
            System.exit(3);
        });
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private static Plan plan(String[] args, int length) {
        int pipeline = 1, sources = 0, firstSource = 2, processes = 1, warmup = 0;
        if (length < 4 || length % 2 != 0) usage();
        for (int i = 4; i < length; i += 2) {
            switch (args[i]) {
                case "--pipeline" -> pipeline = number(args[i + 1], 1, 100_000);
                case "--sources" -> sources = number(args[i + 1], 0, 200);
                case "--first-source" -> firstSource = number(args[i + 1], 1, 254);
                case "--processes" -> processes = number(args[i + 1], 1, 100);
                case "--warmup" -> warmup = number(args[i + 1], 0, 3_600_000);
                default -> usage();
            }
        }
        // each process has sources of its own
        if (firstSource + sources * processes > 255) usage();
        int port = number(args[1], 1, 65_535);
        int connections = number(args[2], processes, 10_000_000);
        int millis = number(args[3], 1, 3_600_000);
        return new Plan(args[0], port, connections, millis, pipeline, sources, firstSource, processes, warmup,
                new InetSocketAddress(args[0], port));
    }

    private static int number(String text, int min, int max) {
        boolean valid = text.matches("[0-9]{1,8}");
        if (!valid || Integer.parseInt(text) < min || Integer.parseInt(text) > max) usage();
        return Integer.parseInt(text);
    }

    private static void usage() {
        System.err.println(USAGE);
        System.exit(2);
    }
}
