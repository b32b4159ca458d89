package org.microhttp.proxies;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.microhttp.proxies.tools.Balancer;
import org.microhttp.proxies.tools.H2load;
import org.microhttp.proxies.tools.ManyServers;
import org.microhttp.tools.Programs;

/**
 * A hundred servers, each a loop with a port of its own, in four processes behind one HAProxy: requests
 * spread evenly, and none fails while all are restarted. Needs HAProxy and h2load. Not run by Maven:
 * <pre>
 *   src/test/full FullHundred [servers] [seconds]
 * </pre>
 */
final class FullHundred {

    private static final int SERVERS = 100;
    private static final int SECONDS = 10;

    /** Two processes of four, so that there is one to turn to. */
    private static final int LEAST = 8;

    private static final int PROCESSES = 4;
    private static final int CLIENTS = 50;

    /** Requests in a second that a client sends: few enough that nothing fails for lack of processors. */
    private static final int RATE = 30;

    /** What a server may have less or more than the middle one, in parts of it. */
    private static final double EVEN = 0.1;

    private final ManyServers servers;
    private final Balancer balancer;
    private final int seconds;
    private boolean kept = true;

    private FullHundred(ManyServers servers, Balancer balancer, int seconds) {
        this.servers = servers;
        this.balancer = balancer;
        this.seconds = seconds;
    }

    /** What is done under load. */
    @FunctionalInterface
    private interface Restart {

        /** {@return how many requests were dropped} */
        int run() throws IOException, InterruptedException;
    }

    public static void main(String[] arguments) throws Exception {
        int count = Programs.number(arguments, 0, SERVERS);
        int seconds = Programs.number(arguments, 1, SECONDS);
        if (!H2load.isPossible()) {
            throw new IOException("needs the Debian packages haproxy and nghttp2-client");
        }
        if (count < LEAST) {
            throw new IllegalArgumentException(count + " servers; allowed: " + LEAST + " or more");
        }
        boolean kept;
        int processes = Math.min(PROCESSES, 2 * count / LEAST);
        try (var servers = new ManyServers(processes, count / processes);
                var balancer = new Balancer("http", servers.ports())) {
            var trial = new FullHundred(servers, balancer, seconds);
            trial.spread();
            trial.kept &= trial.restart("one server after the other", trial::restartEach);
            trial.kept &= trial.restart("one process after the other", () -> trial.restartProcesses(true));
            // a mistake to be seen, not to be kept
            trial.restart("likewise, but not told before,", () -> trial.restartProcesses(false));
            kept = trial.kept & new SpreadAnew(seconds).isKept();
        }
        System.out.println(kept ? "kept" : "BROKEN");
        System.exit(kept ? 0 : 1);
    }

    private void spread() throws IOException, InterruptedException {
        H2load load = H2load.atRate(balancer.port, CLIENTS, RATE, seconds).end();
        List<Long> answered = servers.answered().stream().sorted().toList();
        long median = answered.get(answered.size() / 2);
        long least = answered.get(0);
        long most = Collections.max(answered);
        System.out.printf("%,d requests, %d failed; each of %d servers answered %,d to %,d, median %,d%n",
                load.asked(), load.failed(), answered.size(), least, most, median);
        kept &= load.failed() == 0 && load.asked() > 0;
        kept &= least >= median * (1 - EVEN) && most <= median * (1 + EVEN);
    }

    /** Just as they are: no more than a connection is refused, and another server gets the request. */
    private int restartEach() throws IOException {
        int dropped = 0;
        for (int i = 0; i < servers.processes(); i++) {
            for (int j = 0; j < servers.perProcess(); j++) {
                dropped += servers.restart(i, j);
            }
        }
        return dropped;
    }

    /** One process after the other, each when the balancer has the one before in use again. */
    private int restartProcesses(boolean tellsBefore) throws IOException, InterruptedException {
        int dropped = 0;
        for (int i = 0; i < servers.processes(); i++) {
            int from = i * servers.perProcess();
            int to = from + servers.perProcess();
            if (tellsBefore) {
                servers.unready(i);
                balancer.await("DOWN", from, to);
            }
            dropped += servers.restartProcess(i);
            balancer.await("UP", from, to);
        }
        return dropped;
    }

    private boolean restart(String title, Restart restart) throws IOException, InterruptedException {
        Map<String, String> before = balancer.counts().get("BACKEND");
        var load = H2load.atRate(balancer.port, CLIENTS, RATE, seconds);
        long began = System.nanoTime();
        int dropped = restart.run();
        long ended = System.nanoTime();
        load.end();
        Map<String, String> after = balancer.counts().get("BACKEND");
        System.out.printf("restarted %s in %.1f s: %,d requests, %d failed, %d dropped%n", title,
                (ended - began) / 1e9, load.asked(), load.failed(), dropped);
        System.out.printf("    HAProxy: %,d connections, %d requests sent elsewhere when refused, %d answered"
                + " with 503%n", more("connect", before, after), more("wredis", before, after),
                more("econ", before, after));
        return load.failed() == 0 && load.asked() > 0 && dropped == 0;
    }

    private static long more(String column, Map<String, String> before, Map<String, String> after) {
        return Long.parseLong(after.get(column)) - Long.parseLong(before.get(column));
    }
}
