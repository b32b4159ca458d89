package org.microhttp.checks.endurance;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.testing.Programs;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;
import org.microhttp.testing.ServerProcess;

/**
 * Holds R2 in full: {@code [seconds]}. A server with 80 descriptors and 200 connects serves those it has, uses less
 * than 5 % of a processor, and accepts again within a second of descriptors coming free.
 */
final class Descriptors {

    private static final int CONNECTS = 200;
    private static final int SECONDS = 10;

    private Descriptors() {
    }

    static void run(Report report, String... arguments) throws Exception {
        int millis = 1_000 * Programs.number(arguments, 0, SECONDS);
        try (var server = start()) {
            List<RawClient> clients = connect(server);
            List<RawClient> served = served(clients);
            System.out.println(served.size() + " of " + CONNECTS + " connections are served");
            report.check(served.size() > 10, "served", served.size() + " connections");
            double percent = 100.0 * cpuMillis(server, served.get(0), millis) / millis;
            System.out.println("processor while others wait: " + percent + " %");
            report.check(percent < 5, "processor", percent + " %");
            for (RawClient client : served) {
                report.check(isServed(client, 5_000), "served", "not a second time");
            }
            long began = System.nanoTime();
            boolean answered = recovers(clients, served);
            long recovered = (System.nanoTime() - began) / 1_000_000;
            System.out.println("one that waited is served after " + recovered + " ms: " + answered);
            report.check(answered && recovered < 1_000, "recovery", recovered + " ms: " + answered);
            report.check(server.process.process.isAlive(), "the server", "has ended");
        }
    }

    static TestedServer start(String... options) throws IOException {
        var all = new ArrayList<String>(List.of("-Xmx64m", "-cp", ServerProcess.classPathWithJar()));
        all.addAll(List.of(options));
        return new TestedServer("ulimit -n 80", all.toArray(new String[0]));
    }

    /** More connections than it has descriptors for. */
    static List<RawClient> connect(TestedServer server) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < CONNECTS; i++) {
            clients.add(new RawClient(server.process.port));
        }
        return clients;
    }

    /** Those that are served, which are the first; the first ten are given time, the next wait for nobody. */
    static List<RawClient> served(List<RawClient> clients) throws IOException {
        var served = new ArrayList<RawClient>();
        for (RawClient client : clients) {
            if (!isServed(client, served.size() < 10 ? 30_000 : 1_000)) {
                break;
            }
            served.add(client);
        }
        return served;
    }

    static boolean isServed(RawClient client, int millis) throws IOException {
        try {
            RawResponse response = client.limit(millis).send(RawClient.GET).responseOrEnd(false);
            return response != null && response.status() == 200 && response.text().equals("/");
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    /** The time of processors that it uses while connections wait and nothing comes to this one. */
    static long cpuMillis(TestedServer server, RawClient quiet, int millis) throws IOException {
        long before = server.process.cpuMillis();
        String came = quiet.readWithin(millis);
        if (!"".equals(came)) {
            throw new IOException("without a request came " + came);
        }
        return server.process.cpuMillis() - before;
    }

    /** Whether one that waited is served when half of those that are served have gone. */
    static boolean recovers(List<RawClient> clients, List<RawClient> served) throws IOException {
        for (RawClient client : served.subList(0, served.size() / 2)) {
            client.close();
        }
        return isServed(clients.get(served.size()), 20_000);
    }
}
