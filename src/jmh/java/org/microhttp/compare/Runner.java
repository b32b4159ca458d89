package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.microhttp.measure.CpuMeter;
import org.microhttp.measure.CpuTime;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;

/**
 * Measures what a plan says. In each case every server is started, checked and warmed up; then each round
 * goes through all of them, beginning with another one each time. So whatever else the machine does meets all
 * alike, and figures of the same round can be compared.
 */
final class Runner {

    /** A JVM is warm when its compiler took less than this share of a second under load. */
    private static final double COMPILED = 0.03;

    /** Until a JVM is warm, beside the least: some code is never compiled for good. */
    private static final int MORE_SECONDS = 60;

    private static final int WARMING_CONNECTIONS = 100;

    /** From here on closing the connections takes time that must not count for the next run. */
    private static final int SETTLED = 1_000;

    private final Plan plan;
    private final Comparison comparison;
    private final ResultFile result;
    private final List<Running> running = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private boolean failed;

    Runner(Plan plan, Map<String, String> facts) {
        this.plan = plan;
        comparison = plan.comparison();
        result = new ResultFile(facts, new ArrayList<>());
    }

    /** {@return whether all went well with all but guests} */
    boolean run() throws IOException {
        comparison.prepare(plan, result, problems);
        failed = !problems.isEmpty();
        for (int i = 0; i < plan.cases().size(); i++) {
            Case asked = plan.cases().get(i);
            System.out.println("\n" + comparison.title(asked));
            endUnneeded(plan.cases().subList(i, plan.cases().size()));
            measure(asked, ready(asked));
            // what is measured is kept, whatever comes
            write();
        }
        running.forEach(Running::end);
        write();
        keep();
        problems.forEach(problem -> System.out.println("FAILED: " + problem));
        return !failed;
    }

    private void write() throws IOException {
        if (!problems.isEmpty()) result.facts().put("failed", String.join("; ", problems));
        if (plan.meanwhile() != null) result.write(plan.meanwhile());
    }

    private void keep() throws IOException {
        if (plan.kept() == null) return;
        boolean moves = !plan.kept().equals(plan.meanwhile());
        if (moves) Files.move(plan.meanwhile(), plan.kept(), StandardCopyOption.REPLACE_EXISTING);
        System.out.println("\nthe figures of every round are in " + plan.kept());
    }

    private void endUnneeded(List<Case> cases) {
        running.removeIf(one -> {
            boolean needed = cases.stream().anyMatch(asked ->
                    comparison.takesPart(one.server, asked) && one.fits(one.server, asked));
            if (!needed) one.end();
            return !needed;
        });
    }

    /** Of the servers that take part, those that run, answer rightly and are warm. */
    private List<Running> ready(Case asked) {
        List<Running> ready = new ArrayList<>();
        for (Server server : plan.servers(asked)) {
            try {
                Running one = running(server, asked);
                for (ExpectedAnswer answer : comparison.expected(asked)) answer.check(one.process.port());
                warmUp(one, asked);
                ready.add(one);
            } catch (IOException e) {
                problem(asked, server, e.getMessage());
            }
        }
        return ready;
    }

    private Running running(Server server, Case asked) throws IOException {
        for (Running one : running) {
            if (one.fits(server, asked)) return one;
        }
        Running started = new Running(server, asked, plan);
        running.add(started);
        return started;
    }

    /** The compiler of a JVM shares the server's CPU, so it must be done before a figure counts. */
    private void warmUp(Running one, Case asked) throws IOException {
        Case warming = comparison.warming(asked);
        Map<String, String> kind = new HashMap<>(warming.key());
        kind.remove("connections");
        if (plan.warmup() == 0 || !one.warm.add(kind)) return;
        int least = one.warm.size() == 1 && one.server.isJava() ? plan.warmup() : 1;
        int most = one.server.isJava() ? least + MORE_SECONDS : 1;
        int connections = Math.min(WARMING_CONNECTIONS, asked.connections());
        for (int second = 1; second <= most; second++) {
            CpuTime before = one.process.compilerTime();
            load(one, warming, connections, 1);
            // less than nothing: a thread has ended, which does so when it has nothing to do
            double compiling = one.process.compilerTime().minus(before).total();
            if (second >= least && compiling < COMPILED) break;
        }
    }

    private void measure(Case asked, List<Running> servers) {
        int most = servers.stream().mapToInt(one -> plan.rounds(asked, one.server)).max().orElse(0);
        for (int round = 1; round <= most; round++) {
            for (Running one : servers) {
                if (round <= plan.rounds(asked, one.server)) measure(one, asked, round);
            }
            Collections.rotate(servers, -1);
        }
    }

    private void measure(Running one, Case asked, int round) {
        try {
            Row row = row(one, asked, round);
            // others decide on that alone, so choosing by it favours no server
            for (int again = 0; again < 2 && !asked.isMany() && CpuMeter.isDisturbed(row); again++) {
                Row other = row(one, asked, round);
                if (other.number("others_s") < row.number("others_s")) row = other;
            }
            result.rows().add(row);
            print(row, one.server, plan.rounds(asked, one.server));
            int errors = (int) row.number("errors");
            if (errors > 0) problem(asked, one.server, errors + " errors in round " + round);
        } catch (IOException e) {
            problem(asked, one.server, e.getMessage());
        }
    }

    private void print(Row row, Server server, int rounds) {
        double answers = comparison.answers(row), seconds = row.number("seconds");
        String disturbed = CpuMeter.isDisturbed(row) ? ", others " + row.text("others_s") + " s" : "";
        System.out.printf(Locale.ROOT, "%3d/%d  %-35s %9.2f us of CPU, %,9.0f requests/s, %,7.1f MB/s%s%n",
                row.round(), rounds, server.title(), row.cpu() / answers * 1e6, answers / seconds,
                row.number("bytes") / seconds / 1e6, disturbed);
    }

    /** Measures a server once: a line of the result file. CPU time is in seconds. */
    private Row row(Running one, Case asked, int round) throws IOException {
        comparison.before(asked);
        int connections = plan.reachable(asked);
        // also starts the proxy, if it was not needed before
        one.url(asked);
        CpuTime proxy = one.proxyTime();
        CpuMeter meter = new CpuMeter(one.process::time);
        Row counted = load(one, asked, connections, plan.seconds(asked));
        CpuMeter.Spent spent = meter.stop();
        double between = one.proxyTime().minus(proxy).total();
        if (connections > SETTLED) CpuMeter.settle(one::allTime);
        Row row = new Row();
        row.values().putAll(asked.key());
        row.set("reached", "%d", connections).set("cpus", plan.cpus(asked).shared() ? "shared" : "own")
                .set("round", "%d", round).set("server", one.server.name());
        row.values().putAll(counted.values());
        return row.set("user_s", "%.2f", spent.server().user())
                .set("system_s", "%.2f", spent.server().system()).set("proxy_s", "%.2f", between)
                .set("generator_s", "%.2f", spent.generator())
                .set("others_s", "%.2f", Math.max(0, spent.others() - between));
    }

    private Row load(Running one, Case asked, int connections, double seconds) throws IOException {
        LoadCpus cpus = plan.cpus(asked);
        Map<String, String> values = Map.of("THREADS", "" + cpus.clientThreads(connections),
                "CONNECTIONS", "" + connections, "SECONDS", "" + (int) Math.ceil(seconds),
                "MODE", comparison.options(plan, asked), "PROJECT", "" + plan.project(),
                "URL", one.url(asked) + comparison.target(asked),
                "PORT", "" + one.process.port(), "CLASSES", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of("taskset", "-c", cpus.clientList()));
        command.addAll(Programs.command(comparison.load(asked), values));
        return Load.run(command, seconds);
    }

    private void problem(Case asked, Server server, String what) {
        String problem = server.title() + ", " + comparison.title(asked) + ": "
                + what.replaceAll("\\s+", " ");
        problems.add(problem);
        failed |= !server.isGuest();
        System.out.println("  " + problem);
    }
}
