package org.microhttp.providers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.microhttp.load.PlainClient;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.Children;
import org.microhttp.measure.PinnedServer;
import org.microhttp.report.Range;

/**
 * Measures the CPU time that a request costs with each provider of the JDK's {@code HttpServer}. Each round
 * asks all of them for the same, beginning with another one each time, and divides every figure by the JDK's
 * in that round. Prints a table.
 */
public final class Providers {

    private static final String USAGE = "usage: Providers FOLDER [--cpu CPU] [--rounds N] [--seconds N]"
            + " [--warmup N] [--works LIST] [--servers LIST]";
    private static final double SECONDS_AT_MOST = 3600;

    /** A JVM is warm when its compiler took less than this of a second under load, or after so many. */
    private static final double COMPILED = 0.03;
    private static final int MORE_SECONDS = 30;

    private final Path folder;
    private final String cpu;
    private final int rounds;
    private final double seconds, warmup;
    private final List<Work> works;

    /** In the order of the table; the JDK's is the first. */
    private final List<Provider> providers;
    private final Map<Provider, PinnedServer> servers = new EnumMap<>(Provider.class);

    private Providers(String[] args) {
        var given = new Arguments(USAGE, List.of(args), 1);
        folder = Path.of(args[0]);
        cpu = given.take("--cpu", "0");
        rounds = given.integer("--rounds", "11", "[1-9][0-9]?");
        seconds = given.number("--seconds", "1", "[1-9]|0[.][1-9]");
        warmup = given.number("--warmup", "3", "[0-9]");
        works = chosen(given.named("--works", "work", names(Work.values())), Work.class);
        providers = chosen(given.named("--servers", "server", names(Provider.values())), Provider.class);
        providers.remove(Provider.JDK);
        providers.add(0, Provider.JDK);
        given.end();
    }

    private static List<String> names(Enum<?>[] values) {
        return Stream.of(values).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
    }

    private static <T extends Enum<T>> List<T> chosen(List<String> names, Class<T> type) {
        List<T> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(Enum.valueOf(type, name.toUpperCase(Locale.ROOT)));
        }
        return chosen;
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0) throw new IOException(USAGE);
        Children.endAfter(SECONDS_AT_MOST);
        var run = new Providers(args);
        run.start();
        String titles = String.join(" | ", run.providers.stream().skip(1).map(one -> one.title).toList());
        print("%n| CPU time of a request, JDK = 1 | us of the JDK | %s |", titles);
        print("|---%s", "|---:".repeat(run.providers.size()) + "|");
        for (Work work : run.works) run.measure(work);
        System.exit(0);
    }

    private void start() throws IOException {
        for (Provider provider : providers) {
            int port = PinnedServer.freePort();
            List<String> command = List.of(System.getProperty("java.home") + "/bin/java",
                    "-XX:+UseSerialGC", "-Xms512m", "-Xmx512m", "-Dsun.net.httpserver.nodelay=true",
                    "-Dcom.sun.net.httpserver.HttpServerProvider=" + provider.type, "-cp",
                    System.getProperty("java.class.path"), ProvidedServer.class.getName(), "" + port,
                    "" + provider.ownThreads);
            Path own = Files.createDirectory(folder.resolve(provider.name()));
            servers.put(provider, new PinnedServer(command, own, port, cpu, SECONDS_AT_MOST));
        }
    }

    /** Measures all servers by turns, and prints the line of the table. */
    private void measure(Work work) throws IOException {
        for (Provider provider : providers) warmUp(servers.get(provider), work);
        Map<Provider, double[]> micros = new LinkedHashMap<>();
        for (Provider provider : providers) micros.put(provider, new double[rounds]);
        List<Provider> order = new ArrayList<>(providers);
        for (int round = 0; round < rounds; round++) {
            for (Provider provider : order) {
                micros.get(provider)[round] = micros(servers.get(provider).port(), work);
            }
            Collections.rotate(order, -1);
        }
        double[] jdk = micros.get(Provider.JDK);
        List<String> ratios = new ArrayList<>();
        for (Provider provider : providers.subList(1, providers.size())) {
            double[] one = micros.get(provider);
            double[] ratio = new double[rounds];
            Arrays.setAll(ratio, round -> one[round] / jdk[round]);
            ratios.add(text(Range.of(ratio)));
        }
        print("| %s | %.0f | %s |", work.title, Range.of(jdk).median(), String.join(" | ", ratios));
    }

    /** The compiler shares the server's CPU, so it must be done before a figure counts. */
    private void warmUp(PinnedServer server, Work work) throws IOException {
        if (warmup == 0) return;
        for (int second = 1; second <= warmup + MORE_SECONDS; second++) {
            double before = server.compilerTime().total();
            ProviderLoad.run(server.port(), work, 1);
            if (second >= warmup && server.compilerTime().total() - before < COMPILED) return;
        }
    }

    private double micros(int port, Work work) throws IOException {
        long before = cpuNanos(port);
        long answered = ProviderLoad.run(port, work, seconds);
        return (cpuNanos(port) - before) / 1e3 / answered;
    }

    private static long cpuNanos(int port) throws IOException {
        try (var client = new PlainClient(port)) {
            client.send(PlainClient.get("/cpu", "Connection: close\r\n"));
            byte[] nanos = client.body((int) PlainClient.length(client.head()));
            return Long.parseLong(new String(nanos, StandardCharsets.US_ASCII));
        }
    }

    /** The median, and the least and the greatest. */
    private static String text(Range range) {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", range.median(), range.least(), range.most());
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }
}
