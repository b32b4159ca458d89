package org.microhttp.checks.proxies;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.checks.endurance.Report;
import org.microhttp.checks.endurance.SteadyClient;
import org.microhttp.checks.proxies.tools.Proxy;
import org.microhttp.checks.proxies.tools.ProxyKind;
import org.microhttp.checks.proxies.tools.RestartedServers;
import org.microhttp.testing.Tier;

/**
 * Two servers behind a proxy are restarted in turn under load, and no request fails.
 * <p>
 * The proxies are set up as a careful operator does: connections to the servers persist; a server that
 * refuses a connection is passed over for the other at once, and not written off because of it (nginx:
 * {@code max_fails=0}; HAProxy: {@code option redispatch 1}); nginx keeps no idle connection as long as a
 * server that leaves does. Beyond that nothing may hide a failure. HAProxy sends no request twice. nginx
 * would send one again that got no answer, but not a POST, so POST is what it is asked; its log tells whether
 * it sent a request to two servers.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class ProxyRestartTest {

    private static final int REQUESTS = 5_000;
    private static final int CLIENTS = 24;
    private static final int SLOW_CLIENTS = 8;

    @TempDir
    Path folder;

    /**
     * Once more, if a machine that is short of processors has let it happen: Linux resets who connects
     * between a server's last look at its queue and the close of the port, some 40 µs, or as long as it is
     * kept waiting there.
     */
    @ParameterizedTest
    @EnumSource(names = {"NGINX", "HAPROXY", "HAPROXY_SHARING"})
    void noRequestFailsWhenServersAreRestartedInTurn(ProxyKind kind) throws Exception {
        Proxy.assumeInstalled(kind);
        assertTrue(restart(kind) || restart(kind), "requests failed, and not by chance");
    }

    /** False if so few have failed that they can be of one such moment. */
    private boolean restart(ProxyKind kind) throws Exception {
        List<Integer> ports = List.of(RestartedServers.freePort(), RestartedServers.freePort());
        try (var servers = new RestartedServers(ports.stream().map(ProxyRestartTest::command).toList());
                var proxy = Proxy.start(kind, folder, ports)) {
            int start = proxy.log.size();
            var report = new Report();
            try (var fast = clients(report, proxy, CLIENTS, "/");
                    var slow = clients(report, proxy, SLOW_CLIENTS, "/slow")) {
                awaitAsked(report, REQUESTS / 2);
                servers.restart(0);
                servers.restart(1);
                awaitAsked(report, REQUESTS);
                fast.end();
                slow.end();
            }
            if (report.failed() > 0) {
                System.out.println(kind + ": " + report.violations() + proxy.remarks().stream()
                        .filter(remark -> !remark.contains("refused")).collect(joining("\n", "\n", "")));
                assertTrue(report.failed() < CLIENTS, "more than are on their way at a time");
                return false;
            }
            boolean logged = proxy.log.await(start, lines -> lines.size() >= report.asked());
            assertTrue(logged || !kind.logsAll(), "not all logged");
            assertEquals(List.of(), proxy.log.from(start).stream()
                    .filter(line -> line.serverPorts().size() != 1).limit(20).toList());
            return true;
        }
    }

    private static List<String> command(int port) {
        return List.of("-XX:ActiveProcessorCount=2", "GracefulServer", "" + port);
    }

    private static SteadyClient clients(Report report, Proxy proxy, int count, String target) {
        String request = "POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
        return new SteadyClient(report, proxy.port, count).askingProxy(request, "hello world\n").begin();
    }

    /** Waits until so many were asked, or one has failed. */
    private static void awaitAsked(Report report, int count) {
        while (report.asked() < count && report.failed() == 0) {
            LockSupport.parkNanos(10_000_000);
        }
    }
}
