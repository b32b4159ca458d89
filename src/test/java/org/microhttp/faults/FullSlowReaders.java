package org.microhttp.faults;

import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.microhttp.faults.tools.ManyClients;
import org.microhttp.faults.tools.Probe;
import org.microhttp.tools.Programs;
import org.microhttp.tools.ServerProcess;

/**
 * R14 in full: 5,000 clients, half of which send a byte a second and half of which ask for 8 MiB and read
 * nothing, do not change another client's p99 by more than 2 times, and are cut off. Not run by Maven:
 * <pre>
 *   src/test/full FullSlowReaders [clients] [seconds]
 * </pre>
 */
final class FullSlowReaders {

    private static final int CLIENTS = 5_000;
    private static final int SECONDS = 20;

    private FullSlowReaders() {
    }

    public static void main(String[] arguments) throws Exception {
        int clients = Programs.number(arguments, 0, CLIENTS);
        int seconds = Programs.number(arguments, 1, SECONDS);
        String timeout = "PT" + 2 * seconds + "S";
        boolean kept;
        try (var server = new ServerProcess("ulimit -n 20000", ServerProcess.MAIN, "-Xmx256m",
                "-DsocketTimeout=" + timeout, "-DrequestTimeout=" + timeout, "-DsendBufferSize=16384");
                var probe = new Probe(server)) {
            probe.run(Math.min(5, seconds));
            long[] before = probe.run(seconds);
            System.out.println("before: " + Probe.describe(before));
            try (var slow = new ManyClients(server, clients, 4096)) {
                long most = 2 * Probe.percentile(before, 99);
                kept = run(slow, clients / 2, probe, seconds, most) && server.process.isAlive();
            }
        }
        System.out.println(kept ? "kept" : "BROKEN");
        System.exit(kept ? 0 : 1);
    }

    private static boolean run(ManyClients slow, int half, Probe probe, int seconds, long most)
            throws Exception {
        slow.send(0, half, "GET / HTTP/1.1\r\nHost: x\r\nA: ".getBytes());
        slow.send(half, 2 * half, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
        var executor = Executors.newSingleThreadScheduledExecutor();
        for (int i = 0; i < 100; i++) {
            int from = half * i / 100;
            int to = half * (i + 1) / 100;
            Runnable octet = () -> slow.send(from, to, new byte[] {'x'});
            executor.scheduleAtFixedRate(octet, 10L * i, 1_000, TimeUnit.MILLISECONDS);
        }
        probe.run(Math.min(2, seconds));
        long[] during = probe.run(seconds);
        System.out.println("during: " + Probe.describe(during));
        System.out.println("while they are cut off: " + Probe.describe(probe.run(seconds * 3 / 2)));
        executor.shutdownNow();
        executor.awaitTermination(30, TimeUnit.SECONDS);
        var statuses = slow.statuses();
        System.out.println("answers to the slow clients: " + statuses);
        return Probe.percentile(during, 99) <= most && statuses.getOrDefault("408", 0) == half;
    }
}
