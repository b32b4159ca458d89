package org.microhttp.checks.proxies.clients;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.microhttp.checks.endurance.Report;
import org.microhttp.checks.proxies.tools.Proxy;
import org.microhttp.testing.TemporaryFolder;

/**
 * Real clients get streamed bodies, and upload to a server that receives bodies as they come, directly and
 * through proxies: {@link Downloads} and {@link Uploads} say what has to come of that. {@code [direct]
 * [responses | requests] [MIB] [CLIENT ...]}: the number is how much is uploaded, by default 64 MiB.
 */
public final class RealClients {

    private static final int MIB = 64;

    /** Above this one after the other. */
    private static final int LARGE_MIB = 256;

    /** What all of one direction have in common. */
    record Run(Path folder, Report report, ExecutorService clients) { }

    /** One client, behind one proxy or none. */
    interface Trial<C> {

        void run(C client, Way way, Proxy proxy) throws Exception;
    }

    private RealClients() {
    }

    public static void run(Report report, String... arguments) throws Exception {
        var names = new ArrayList<>(List.of(arguments));
        boolean direct = names.remove("direct");
        boolean responses = !names.remove("requests");
        boolean requests = !names.remove("responses");
        int mib = names.stream().filter(name -> name.matches("\\d+")).mapToInt(Integer::parseInt)
                .findFirst().orElse(MIB);
        names.removeIf(name -> name.matches("\\d+"));
        if (!known().containsAll(names)) throw new IllegalArgumentException(names + ": of " + known());
        Path folder = Files.createTempDirectory("clients");
        ExecutorService clients = Executors.newFixedThreadPool(mib > LARGE_MIB ? 1 : 4);
        var run = new Run(folder, report, clients);
        try {
            if (responses) Downloads.tryAll(run, direct, names);
            if (requests) Uploads.tryAll(run, direct, names, (long) mib << 20);
        } finally {
            clients.shutdown();
            TemporaryFolder.delete(folder);
        }
    }

    private static Set<String> known() {
        return Stream.<Enum<?>[]>of(StreamClient.values(), UploadClient.values()).flatMap(Stream::of)
                .map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Has each of the clients tried that are here and wanted, all if none is named, on each of the ways. */
    static <C extends Enum<C>> void tryEach(Run run, List<Way> ways, int port, List<C> all,
            List<String> names, Trial<C> trial) throws Exception {
        for (Way way : ways) {
            if (!way.isInstalled()) {
                System.out.println("left out, not installed: " + way.title);
                continue;
            }
            Path own = Files.createTempDirectory(run.folder, way.name());
            try (Proxy proxy = way.start(own, port)) {
                for (C client : all) {
                    if (names.isEmpty() || names.contains(client.name())) trial.run(client, way, proxy);
                }
            }
        }
    }

    static String yes(boolean kept) {
        return kept ? "yes" : "no";
    }
}
