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
 * R4a in full: 5,000 clients that each declare and slowly send a body of 1 MiB to a server with a heap of
 * 256 MB; other clients are served meanwhile and afterwards. Not run by Maven:
 * <pre>
 *   examples/checks/full FullSlowBodies [clients] [seconds]
 * </pre>
 */
final class FullSlowBodies {

    private static final int CLIENTS = 5_000;
    private static final int SECONDS = 30;

    private FullSlowBodies() {
    }

    public static void main(String[] arguments) throws Exception {
        int clients = Programs.number(arguments, 0, CLIENTS);
        int millis = 1_000 * Programs.number(arguments, 1, SECONDS);
        int rest = Math.min(3_000, millis);
        var ledger = new ChaosLedger();
        var executor = Executors.newSingleThreadScheduledExecutor();
        try (var server = new ServerProcess("ulimit -n 20000", FaultServer.MAIN, "-Xmx256m");
                var slow = new ManyClients(server, clients, 0);
                var probe = new SteadyClient(ledger, server.port, 1)) {
            System.out.println("before: " + Times.describe(probe.watch(rest)));
            slow.send(0, clients, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1048000\r\n\r\n".getBytes());
            var piece = new byte[4096];
            executor.scheduleWithFixedDelay(() -> slow.send(0, clients, piece), 100, 100,
                    TimeUnit.MILLISECONDS);
            long[] during = probe.watch(millis);
            executor.shutdown();
            executor.awaitTermination(30, TimeUnit.SECONDS);
            System.out.println("during: " + Times.describe(during));
            Map<String, Integer> statuses = slow.statuses();
            System.out.println((slow.sent >> 20) + " MiB sent; answers to the slow clients: " + statuses);
            System.out.println("after: " + Times.describe(probe.watch(rest)));
            ledger.check(server.process.isAlive(), "the server", "has ended");
            ledger.check(Times.percentile(during, 100) < 1_000_000, "another client", "waited for a second");
            ledger.check(statuses.getOrDefault("503", 0) > 0, "bodies", "none was refused");
        }
        ledger.conclude();
    }
}
