package org.microhttp.faults;

import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.microhttp.faults.tools.ManyClients;
import org.microhttp.faults.tools.Probe;
import org.microhttp.tools.ServerProcess;

/**
 * R14 in full: 5,000 clients, half of which send a byte a second and half of which ask for 8 MiB and read
 * nothing, do not change another client's p99 by more than 2 times, and are cut off. Not run by Maven:
 * <pre>
 *   java -cp target/classes:target/test-classes org.microhttp.faults.FullSlowReaders
 * </pre>
 */
final class FullSlowReaders {

    private static final int CLIENTS = 5_000;
    private static final int SECONDS = 20;

    private FullSlowReaders() {
    }

    public static void main(String[] arguments) throws Exception {
        boolean kept;
        try (var server = new ServerProcess("ulimit -n 20000", ServerProcess.MAIN, "-Xmx256m",
                "-DsocketTimeout=PT40S", "-DrequestTimeout=PT40S", "-DsendBufferSize=16384");
                var probe = new Probe(server)) {
            probe.run(5);
            long[] before = probe.run(SECONDS);
            System.out.println("before: " + Probe.describe(before));
            try (var slow = new ManyClients(server, CLIENTS, 4096)) {
                kept = run(slow, probe, Probe.percentile(before, 99)) && server.process.isAlive();
            }
        }
        System.out.println(kept ? "kept" : "BROKEN");
        System.exit(kept ? 0 : 1);
    }

    private static boolean run(ManyClients slow, Probe probe, long before) throws Exception {
        slow.send(0, CLIENTS / 2, "GET / HTTP/1.1\r\nHost: x\r\nA: ".getBytes());
        slow.send(CLIENTS / 2, CLIENTS, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
        var executor = Executors.newSingleThreadScheduledExecutor();
        for (int i = 0; i < 100; i++) {
            int from = CLIENTS / 2 * i / 100;
            int to = CLIENTS / 2 * (i + 1) / 100;
            Runnable octet = () -> slow.send(from, to, new byte[] {'x'});
            executor.scheduleAtFixedRate(octet, 10L * i, 1_000, TimeUnit.MILLISECONDS);
        }
        probe.run(2);
        long[] during = probe.run(SECONDS);
        System.out.println("during: " + Probe.describe(during));
        System.out.println("while they are cut off: " + Probe.describe(probe.run(30)));
        executor.shutdownNow();
        executor.awaitTermination(30, TimeUnit.SECONDS);
        var statuses = slow.statuses();
        System.out.println("answers to the slow clients: " + statuses);
        return Probe.percentile(during, 99) <= 2 * before && statuses.getOrDefault("408", 0) == CLIENTS / 2;
    }
}
