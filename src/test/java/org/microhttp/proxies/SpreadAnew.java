package org.microhttp.proxies;

import java.io.IOException;
import java.util.List;
import org.microhttp.proxies.tools.Balancer;
import org.microhttp.proxies.tools.H2load;
import org.microhttp.proxies.tools.ManyServers;

/**
 * What a fourth server gets that is added to three, while a few clients keep their connections: by a balancer
 * that chooses for each request its part at once; by one that chooses for each connection nothing, unless the
 * servers let a connection have no more than so many requests.
 */
final class SpreadAnew {

    private static final int SERVERS = 4;
    private static final int CLIENTS = 16;

    /** Few enough that each connection ends four times a second. */
    private static final int MAX_REQUESTS = 5;

    /** What is enough of a part, where a fair one would be a quarter. */
    private static final double PART = 0.15;

    private final int seconds;

    /** @param seconds for each of the three */
    SpreadAnew(int seconds) {
        this.seconds = seconds;
    }

    /** Prints what each of the three is like, and returns whether that is as it should be. */
    boolean isKept() throws IOException, InterruptedException {
        boolean kept = part("http", 0) > PART;
        kept &= part("tcp", 0) == 0;
        kept &= part("tcp", MAX_REQUESTS) > PART;
        return kept;
    }

    /** The part of all requests that the added server has got; -1 if one has failed. */
    private double part(String mode, int maxRequests) throws IOException, InterruptedException {
        try (var servers = new ManyServers(1, SERVERS, "-DmaxRequests=" + maxRequests);
                var balancer = new Balancer(mode, servers.ports())) {
            int added = SERVERS - 1;
            balancer.set(added, "maint");
            // a single run, so that each client connects once if it may stay
            var load = H2load.forLate(balancer.port, CLIENTS, seconds);
            while (sum(servers.answered()) < CLIENTS * MAX_REQUESTS / 2) {
                Thread.onSpinWait();
            }
            balancer.set(added, "ready");
            balancer.await("UP", added, SERVERS);
            List<Long> before = servers.answered();
            load.end();
            List<Long> after = servers.answered();
            long all = sum(after) - sum(before);
            double part = 1.0 * (after.get(added) - before.get(added)) / all;
            System.out.printf("one of %d added, mode %s, %s requests of a connection: it answered %.1f %% of"
                    + " %,d, %d failed%n", SERVERS, mode, maxRequests == 0 ? "any" : maxRequests, 100 * part,
                    all, load.failed());
            return load.failed() == 0 ? part : -1;
        }
    }

    private static long sum(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).sum();
    }
}
