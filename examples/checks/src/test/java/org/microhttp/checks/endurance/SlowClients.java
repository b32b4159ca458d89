package org.microhttp.checks.endurance;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.microhttp.faults.tools.ManyClients;
import org.microhttp.testing.Programs;

/** Thousands of clients that keep a server waiting, beside one that does all right. */
final class SlowClients {

    private static final String LARGEST_BODY =
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1048000\r\n\r\n";
    private static final String RECEIVED_BODY =
            "POST /all HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n";

    private SlowClients() {
    }

    /**
     * R4a in full: {@code [clients] [seconds]}. 5,000 clients that each declare and slowly send a body of
     * 1 MiB to a server with a heap of 256 MB; another is served meanwhile and afterwards.
     */
    static void sendBodies(Report report, String... arguments) throws Exception {
        int clients = Programs.number(arguments, 0, 5_000);
        int millis = 1_000 * Programs.number(arguments, 1, 30);
        int rest = Math.min(3_000, millis);
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
        try (var server = new TestedServer(TestedServer.MANY_FILES);
                var slow = new ManyClients(server.process, clients, 0);
                var probe = new SteadyClient(report, server.address, 1)) {
            System.out.println("before: " + Times.describe(probe.watch(rest)));
            slow.send(0, clients, LARGEST_BODY.getBytes());
            var piece = new byte[4096];
            executor.scheduleWithFixedDelay(() -> slow.send(0, clients, piece), 100, 100,
                    TimeUnit.MILLISECONDS);
            long[] during = probe.watch(millis);
            end(executor);
            System.out.println("during: " + Times.describe(during));
            Map<String, Integer> statuses = slow.statuses();
            System.out.println((slow.sent >> 20) + " MiB sent; answers to the slow clients: " + statuses);
            System.out.println("after: " + Times.describe(probe.watch(rest)));
            report.check(server.process.process.isAlive(), "the server", "has ended");
            report.check(Times.percentile(during, 100) < 1_000_000, "another client", "waited for a second");
            report.check(statuses.getOrDefault("503", 0) > 0, "bodies", "none was refused");
        }
    }

    /**
     * R14 in full: {@code [clients] [seconds]}. 6,000 clients, of which a third sends a byte of a head each
     * second, a third a byte of a body that is received as it comes, and a third asks for 8 MiB and reads
     * nothing, do not change another client's p99 by more than 2 times, and are cut off.
     */
    static void readSlowly(Report report, String... arguments) throws Exception {
        int third = Programs.number(arguments, 0, 6_000) / 3;
        int seconds = Programs.number(arguments, 1, 20);
        String timeout = "PT" + 2 * seconds + "S";
        try (var server = new TestedServer(TestedServer.MANY_FILES, "-DsocketTimeout=" + timeout,
                "-DrequestTimeout=" + timeout, "-DsendBufferSize=16384");
                var probe = new SteadyClient(report, server.address, 1)) {
            probe.watch(1_000L * Math.min(5, seconds));
            long[] before = probe.watch(1_000L * seconds);
            System.out.println("before: " + Times.describe(before));
            try (var slow = new ManyClients(server.process, 3 * third, 4096)) {
                long[] during = keepWaiting(slow, third, probe, seconds);
                double ratio = 1.0 * Times.percentile(during, 99) / Times.percentile(before, 99);
                report.check(ratio <= 2, "another client", "its p99 is " + ratio + " times what it was");
                Map<String, Integer> statuses = slow.statuses();
                System.out.println("answers to the slow clients: " + statuses);
                int refused = statuses.getOrDefault("408", 0);
                report.check(refused == 2 * third, "slow clients", "408 for " + refused);
            }
            report.check(server.process.process.isAlive(), "the server", "has ended");
        }
    }

    private static long[] keepWaiting(ManyClients slow, int third, SteadyClient probe, int seconds)
            throws Exception {
        int two = 2 * third;
        slow.send(0, third, "GET / HTTP/1.1\r\nHost: x\r\nA: ".getBytes());
        slow.send(third, two, RECEIVED_BODY.getBytes());
        slow.send(two, two + third, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
        for (int i = 0; i < 100; i++) {
            int from = two * i / 100;
            int to = two * (i + 1) / 100;
            executor.scheduleAtFixedRate(() -> slow.send(from, to, new byte[] {'x'}), 10L * i, 1_000,
                    TimeUnit.MILLISECONDS);
        }
        probe.watch(1_000L * Math.min(2, seconds));
        long[] during = probe.watch(1_000L * seconds);
        System.out.println("during: " + Times.describe(during));
        System.out.println("while they are cut off: " + Times.describe(probe.watch(1_500L * seconds)));
        end(executor);
        return during;
    }

    private static void end(ScheduledExecutorService executor) throws InterruptedException {
        executor.shutdownNow();
        executor.awaitTermination(30, TimeUnit.SECONDS);
    }
}
