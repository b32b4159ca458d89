package org.microhttp.checks.endurance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.microhttp.testing.Programs;

/**
 * A network that drops one of 20 packets and delivers the others 100 ms late, in both directions, inside
 * a {@link Namespace}. The delay is that of {@code delay.pl}, as the kernel may have no {@code netem}.
 */
final class BadNetwork implements AutoCloseable {

    private static final String NEAR = "10.9.0.1";
    private static final String FAR = "10.9.0.2";
    private static final String SECONDS_LATE = "0.1";
    private static final int PERCENT_LOST = 5;
    private static final int CLIENTS = 50;

    /** For how many seconds a client may be silent. */
    private static final int SILENCE = 15;

    private static final String TEXT = "5 % of packets lost, the others 100 ms late";

    private final Process delay;

    BadNetwork() throws IOException, InterruptedException {
        delay = new ProcessBuilder("perl", "-", SECONDS_LATE).redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream script = BadNetwork.class.getResourceAsStream("/delay.pl");
                OutputStream in = delay.getOutputStream()) {
            script.transferTo(in);
        }
        if (!"ready".equals(delay.inputReader().readLine())) {
            throw new IOException("the device that delays packets does not work");
        }
        Namespace.dropSome("slow", PERCENT_LOST);
    }

    static boolean isPossible() throws IOException, InterruptedException {
        return Namespace.isInside() && Programs.isInstalled("perl")
                && Namespace.call("exec 3<> /dev/net/tun");
    }

    /** What clients see of a server behind it, in so many milliseconds. */
    FaultRow run(Report report, String pin, long millis) throws Exception {
        report.begin(TEXT);
        long failed = report.failed();
        try (var server = TestedServer.of(Fault.STORM, pin, SILENCE, NEAR);
                var client = new SteadyClient(report, server.address(FAR), CLIENTS).connectingAnew(true)) {
            long before = server.liveHeap();
            Times seen = new Times().add(client.watch(millis));
            client.checkLeftovers();
            return new FaultRow(TEXT, CLIENTS + " connections, and new ones", new Times(), new Times(), seen,
                    report.failed() - failed, new long[] {before, server.liveHeap()});
        }
    }

    @Override
    public void close() throws IOException {
        delay.destroyForcibly();
    }
}
