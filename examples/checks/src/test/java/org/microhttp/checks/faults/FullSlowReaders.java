package org.microhttp.checks.faults;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.microhttp.checks.faults.chaos.ChaosLedger;
import org.microhttp.checks.faults.chaos.SteadyClient;
import org.microhttp.checks.faults.chaos.Times;
import org.microhttp.faults.tools.FaultServer;
import org.microhttp.faults.tools.ManyClients;
import org.microhttp.testing.Programs;
import org.microhttp.testing.ServerProcess;

/**
 * R14 in full: 6,000 clients, of which a third sends a byte of a head each second, a third a byte of a body
 * that is received as it comes, and a third asks for 8 MiB and reads nothing, do not change another client's
 * p99 by more than 2 times, and are cut off. Not run by Maven:
 * <pre>
 *   examples/checks/full FullSlowReaders [clients] [seconds]
 * </pre>
 */
final class FullSlowReaders {

    private static final int CLIENTS = 6_000;
    private static final int SECONDS = 20;

    private FullSlowReaders() {
    }

    public static void main(String[] arguments) throws Exception {
        int clients = Programs.number(arguments, 0, CLIENTS);
        int seconds = Programs.number(arguments, 1, SECONDS);
        String timeout = "PT" + 2 * seconds + "S";
        var ledger = new ChaosLedger();
        try (var server = new ServerProcess("ulimit -n 20000", FaultServer.MAIN, "-Xmx256m",
                "-DsocketTimeout=" + timeout, "-DrequestTimeout=" + timeout, "-DsendBufferSize=16384");
                var probe = new SteadyClient(ledger, server.port, 1)) {
            probe.watch(1_000L * Math.min(5, seconds));
            long[] before = probe.watch(1_000L * seconds);
            System.out.println("before: " + Times.describe(before));
            try (var slow = new ManyClients(server, clients, 4096)) {
                long[] during = run(slow, clients / 3, probe, seconds);
                double ratio = 1.0 * Times.percentile(during, 99) / Times.percentile(before, 99);
                ledger.check(ratio <= 2, "another client", "its p99 is " + ratio + " times what it was");
                Map<String, Integer> statuses = slow.statuses();
                System.out.println("answers to the slow clients: " + statuses);
                int refused = statuses.getOrDefault("408", 0);
                ledger.check(refused == clients / 3 * 2, "slow clients", "408 for " + refused);
            }
            ledger.check(server.process.isAlive(), "the server", "has ended");
        }
        ledger.conclude();
    }

    private static long[] run(ManyClients slow, int third, SteadyClient probe, int seconds)
            throws Exception {
        int two = 2 * third;
        slow.send(0, third, "GET / HTTP/1.1\r\nHost: x\r\nA: ".getBytes());
        slow.send(third, two,
                "POST /all HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n".getBytes());
        slow.send(two, two + third, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
        var executor = Executors.newSingleThreadScheduledExecutor();
        for (int i = 0; i < 100; i++) {
            int from = two * i / 100;
            int to = two * (i + 1) / 100;
            Runnable octet = () -> slow.send(from, to, new byte[] {'x'});
            executor.scheduleAtFixedRate(octet, 10L * i, 1_000, TimeUnit.MILLISECONDS);
        }
        probe.watch(1_000L * Math.min(2, seconds));
        long[] during = probe.watch(1_000L * seconds);
        System.out.println("during: " + Times.describe(during));
        System.out.println("while they are cut off: " + Times.describe(probe.watch(1_500L * seconds)));
        executor.shutdownNow();
        executor.awaitTermination(30, TimeUnit.SECONDS);
        return during;
    }
}
