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
 * Holds R2 in full: {@code [seconds]}. A server with 80 descriptors and 200 connects serves those it has,
 * uses less than 5 % of a processor, and accepts again within a second of descriptors coming free.
 */
final class Descriptors {

    private static final int CONNECTS = 200;

    private Descriptors() {
    }

    static void run(Report report, String... arguments) throws Exception {
        run(report, false, 1_000 * Programs.number(arguments, 0, 10));
    }

    /**
     * In less than some seconds, what it uses at most and how soon it recovers are judged generously.
     *
     * @param warm whether it has served a request before, and logs
     */
    static void run(Report report, boolean warm, int millis) throws Exception {
        boolean exact = millis >= 5_000;
        try (var server = new TestedServer("ulimit -n 80", "-Xmx64m", "-cp", ServerProcess.classPathWithJar(),
                "-Dlog=" + warm)) {
            if (warm) {
                try (var client = new RawClient(server.process.port)) {
                    client.send(RawClient.GET).expectOk("/");
                }
            }
            List<RawClient> clients = connect(server);
            List<RawClient> served = served(clients);
            System.out.println(served.size() + " of " + CONNECTS + " connections are served");
            report.check(served.size() > 10 && served.size() < 80, "served", served.size() + " connections");
            double percent = 100.0 * cpuMillis(server, served.get(0), millis) / millis;
            System.out.println("processor while others wait: " + percent + " %");
            report.check(percent < (exact ? 5 : 30), "processor", percent + " %");
            if (warm) checkLog(report, Integer.parseInt(server.process.ask("accept_error")));
            for (RawClient client : served) {
                report.check(isServed(client, 20_000), "served", "not a second time");
            }
            checkRecovery(report, clients, served, exact ? 1_000 : 20_000);
            report.check(server.process.process.isAlive(), "the server", "has ended");
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** Accepts now fail ten times a second; a log that has each would drown what else happens. */
    private static void checkLog(Report report, int errors) {
        report.check(errors > 0 && errors < 5, "log", "accept_error was logged " + errors + " times; of"
                + " accepts that fail one after the other only the first may be logged");
    }

    /** One that waited is served when half of those that are served have gone. */
    private static void checkRecovery(Report report, List<RawClient> clients, List<RawClient> served,
            int mostMillis) throws IOException {
        for (RawClient client : served.subList(0, served.size() / 2)) {
            client.close();
        }
        long began = System.nanoTime();
        boolean answered = isServed(clients.get(served.size()), 20_000);
        long recovered = (System.nanoTime() - began) / 1_000_000;
        System.out.println("one that waited is served after " + recovered + " ms: " + answered);
        report.check(answered && recovered < mostMillis, "recovery", recovered + " ms: " + answered);
        report.check(isServed(served.get(served.size() - 1), 20_000), "served", "not a third time");
    }

    /** More connections than it has descriptors for. */
    private static List<RawClient> connect(TestedServer server) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < CONNECTS; i++) {
            clients.add(new RawClient(server.process.port));
        }
        return clients;
    }

    /** Those that are served, which are the first; the first ten are given time, the next wait for nobody. */
    private static List<RawClient> served(List<RawClient> clients) throws IOException {
        var served = new ArrayList<RawClient>();
        for (RawClient client : clients) {
            if (!isServed(client, served.size() < 10 ? 30_000 : 1_000)) {
                break;
            }
            served.add(client);
        }
        return served;
    }

    private static boolean isServed(RawClient client, int millis) throws IOException {
        try {
            RawResponse response = client.limit(millis).send(RawClient.GET).responseOrEnd(false);
            return response != null && response.status() == 200 && response.text().equals("/");
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    /** The time of processors that it uses while connections wait and nothing comes to this one. */
    private static long cpuMillis(TestedServer server, RawClient quiet, int millis) throws IOException {
        long before = server.process.cpuMillis();
        String came = quiet.readWithin(millis);
        if (!"".equals(came)) {
            throw new IOException("without a request came " + came);
        }
        return server.process.cpuMillis() - before;
    }
}
