package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.ResultFile;

/**
 * Which servers are compared in which cases, how often, how long and where.
 *
 * @param temporary    a folder that ends with the script
 * @param folder       where what is served is made
 * @param meanwhile    where the result is written while it is measured, null for nowhere
 * @param kept         where the result goes when all is measured
 * @param descriptors  how many a process may have
 * @param command      what to type for the same again
 */
record Plan(Comparison comparison, Path project, Path temporary, Path folder, Path meanwhile,
                   Path kept, int rounds, double seconds, int warmup, long descriptors, List<Case> cases,
                   List<Server> servers, List<String> cpus, String command, Map<String, String> facts) {

    /** With others the result is a part of the whole. */
    private static final List<String> WHOLE =
            List.of("--rounds", "--seconds", "--warmup", "--cpus", "--result", "--site", "--tree");

    /** What starting, connecting and ending takes beside the seconds of a run. */
    private static final double BESIDE = 0.5, BESIDE_MANY = 5;

    /** Of PROJECT, TEMPORARY, DESCRIPTORS, CPUS, and options. */
    static Plan of(Comparison comparison, String... args) throws IOException {
        String script = "src/jmh/" + comparison.name;
        Arguments options = new Arguments("usage: " + script + " [OPTIONS], see " + script + " --help",
                List.of(args), 4);
        Path project = Path.of(args[0]), temporary = Path.of(args[1]);
        Map<String, String> facts = ResultFile.read(temporary.resolve("facts")).facts();
        double seconds = options.number("--seconds", "1", "[1-9][0-9]{0,2}|0[.][1-9]");
        String part = seconds < 1 ? null : "" + project.resolve("target/jmh").resolve(comparison.result);
        String asked = options.take("--result", part);
        boolean pages = part != null && part.equals(asked) && options.hasOnly(WHOLE);
        Path meanwhile = asked == null ? null : Path.of(asked);
        Plan plan = new Plan(comparison, project, temporary,
                Path.of(options.take("--site", temporary + "/site")).toAbsolutePath(), meanwhile,
                pages ? project.resolve("src/jmh/results").resolve(comparison.result) : meanwhile,
                options.integer("--rounds", "3", "[1-9][0-9]{0,2}"), seconds,
                options.integer("--warmup", "8", "[0-9]{1,3}"), Long.parseLong(args[2]),
                comparison.cases(options), installed(comparison, facts, options.named("--servers",
                        "server", comparison.servers.stream().map(Server::name).toList())),
                List.of(options.take("--cpus", args[3]).split(",")),
                script + options.shown(), facts);
        options.end();
        return plan;
    }

    /** Facts have the versions of programs that are installed. */
    private static List<Server> installed(Comparison comparison, Map<String, String> facts,
                                          List<String> names) {
        return comparison.servers.stream().filter(server -> names.contains(server.name())).filter(server -> {
            boolean installed = server.isJava() || facts.containsKey(server.name());
            if (!installed) System.out.println(server.title() + " is left out: it is not installed");
            return installed;
        }).toList();
    }

    /** {@return those that take part in a case} */
    List<Server> servers(Case asked) {
        return servers.stream().filter(server -> comparison.takesPart(server, asked)).toList();
    }

    int rounds(Case asked, Server server) { return comparison.rounds(asked, server, rounds); }

    double seconds(Case asked) { return comparison.seconds(asked, seconds); }

    /** {@return how many of the connections there can be; a proxy has two descriptors for each} */
    int reachable(Case asked) {
        long most = asked.isTls() ? (descriptors - 400) / 2 : descriptors - 200;
        return (int) Math.min(asked.connections(), Math.max(1, most));
    }

    LoadCpus cpus(Case asked) { return LoadCpus.of(cpus, asked.number("threads")); }

    /** {@return what all cases take, as far as one can say beforehand} */
    double secondsProbably() {
        double all = 0;
        for (Case asked : cases) {
            double one = seconds(asked) + (asked.isMany() ? BESIDE_MANY : BESIDE);
            for (Server server : servers(asked)) all += one * rounds(asked, server) + Math.min(warmup, 2);
        }
        return all;
    }

    /** {@return the limit of everything that is started; half an hour is for what is made before} */
    double secondsAtMost() {
        long warmups = cases.stream().mapToLong(asked -> servers(asked).size()).sum();
        return 1800 + 3 * secondsProbably() + warmup * warmups;
    }
}
