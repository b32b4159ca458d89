package org.microhttp.proxies.tools;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.tools.Programs;

/**
 * The program h2load, run again and again until it is told to end, once at least, so that there is load as
 * long as there is need of it. Its clients ask at a moderate rate.
 */
public final class H2load {

    private static final Pattern STATUSES = Pattern.compile("status codes: (\\d+) 2xx, .*");

    private final List<String> command;
    private final Thread thread = new Thread(this::run, "h2load");
    private final int perRun;
    private volatile boolean ending;
    private volatile IOException failure;
    private int asked;
    private int succeeded;

    private H2load(int port, int clients, int perRun, List<String> pace, List<String> targets) {
        this.perRun = perRun;
        command = new ArrayList<>(List.of("h2load", "--h1", "-c", "" + clients, "-n", "" + perRun));
        command.addAll(pace);
        for (String target : targets) {
            command.add("http://127.0.0.1:" + port + target);
        }
        thread.start();
    }

    /**
     * Asks at a rate; a quarter is answered later. The server must not close connections: h2load with a rate
     * does not connect again.
     *
     * @param rate    requests in a second that each client sends
     * @param seconds that each run takes
     */
    public static H2load atRate(int port, int clients, int rate, int seconds) {
        return new H2load(port, clients, clients * rate * seconds, List.of("--rps", "" + rate),
                List.of("/", "/", "/", "/late"));
    }

    /** Asks for what is answered later, and then again: the time that this takes is the pace. */
    public static H2load forLate(int port, int clients, int seconds) {
        int each = seconds * 1000 / ServersProgram.LATE_MILLIS;
        return new H2load(port, clients, clients * each, List.of(), List.of("/late"));
    }

    /** Whether it is installed, and HAProxy, which it is for. */
    public static boolean isPossible() {
        return Programs.isInstalled("h2load") && Proxy.isInstalled(ProxyKind.HAPROXY);
    }

    private void run() {
        try {
            do {
                asked += perRun;
                var process = new ProcessBuilder(command).redirectErrorStream(true).start();
                try (var output = process.inputReader()) {
                    output.lines().forEach(this::read);
                }
            } while (!ending);
        } catch (IOException e) {
            failure = e;
        }
    }

    private void read(String line) {
        Matcher statuses = STATUSES.matcher(line);
        if (statuses.matches()) {
            succeeded += Integer.parseInt(statuses.group(1));
        }
    }

    /** Lets the last run come to its end. */
    public H2load end() throws IOException, InterruptedException {
        ending = true;
        thread.join(TimeUnit.MINUTES.toMillis(2));
        if (failure != null) {
            throw failure;
        }
        return this;
    }

    /** How many requests there were. */
    public int asked() {
        return asked;
    }

    /** How many were not answered with 200: another status, no answer, no connection. */
    public int failed() {
        return asked - succeeded;
    }
}
